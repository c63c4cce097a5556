// soac.reduce with minimum or maximum: the forward sweep finds the first index too, in one reduction,
// and only that element receives the cotangent [F30].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce | FileCheck %s --implicit-check-not='= ad.' --implicit-check-not='soac.scan'

func.func private @least(%xs: tensor<?xf64>) -> f64 {
  %e = arith.constant 0x7FF0000000000000 : f64
  %y = soac.reduce ins(%xs : tensor<?xf64>) neutral(%e : f64) (%l: f64, %r: f64) {
    %m = arith.minimumf %l, %r : f64
    soac.yield %m : f64
  }
  return %y : f64
}
// CHECK-LABEL: func.func @least_vjp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[Y_BAR:[a-z0-9]+]]: f64)
// CHECK-DAG: %[[NONE:.*]] = arith.constant -1 : index
// CHECK-DAG: %[[INF:.*]] = arith.constant 0x7FF0000000000000 : f64
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK: %[[IS:.*]] = soac.iota
// CHECK: %[[Y:.*]]:2 = soac.reduce ins(%[[XS]], %[[IS]] : tensor<?xf64>, tensor<?xindex>) neutral(%[[INF]], %[[NONE]] : f64, index) (%[[L:.*]]: f64, %[[I:.*]]: index, %[[R:.*]]: f64, %[[J:.*]]: index) {
// CHECK: arith.cmpf ord, %[[L]], %[[L]]
// CHECK: arith.cmpf ult, %[[R]], %[[L]]
// CHECK: %[[INDEX:.*]] = arith.select %{{.*}}, %[[J]], %[[I]]
// CHECK: %[[LESS:.*]] = arith.minimumf %[[L]], %[[R]]
// CHECK: soac.yield %[[LESS]], %[[INDEX]]
// CHECK-NOT: soac.map
// CHECK: %[[ANY:.*]] = arith.cmpi sge, %[[Y]]#1, %[[C0]]
// CHECK: %[[XS_BAR:.*]] = scf.if %[[ANY]]
// CHECK: tensor.insert %[[Y_BAR]] into %{{.*}}[%[[Y]]#1]
// CHECK: return %[[Y]]#0, %[[XS_BAR]]
func.func @least_vjp(%xs: tensor<?xf64>, %y_bar: f64) -> (f64, tensor<?xf64>) {
  %r:2 = ad.vjp @least(%xs) seed(%y_bar) : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %r#0, %r#1 : f64, tensor<?xf64>
}

// A comparison and a choice, with an integer beside them, and the index that the program asks for.
func.func private @argmax(%xs: tensor<8xf32>, %is: tensor<8xi32>) -> (f32, i32) {
  %e = arith.constant 0xFF800000 : f32
  %none = arith.constant -1 : i32
  %y:2 = soac.reduce ins(%xs, %is : tensor<8xf32>, tensor<8xi32>) neutral(%e, %none : f32, i32) (%l: f32, %i: i32, %r: f32, %j: i32) {
    %c = arith.cmpf oge, %l, %r : f32
    %m = arith.select %c, %l, %r : f32
    %k = arith.select %c, %i, %j : i32
    soac.yield %m, %k : f32, i32
  }
  return %y#0, %y#1 : f32, i32
}
// CHECK-LABEL: func.func @argmax_vjp(
// CHECK: %[[Y:.*]]:3 = soac.reduce
// CHECK: tensor.insert %{{.*}} into %{{.*}}[%[[Y]]#2]
// CHECK: return %[[Y]]#1, %
func.func @argmax_vjp(%xs: tensor<8xf32>, %is: tensor<8xi32>, %y_bar: f32) -> (i32, tensor<8xf32>) {
  %r:3 = ad.vjp @argmax(%xs, %is) seed(%y_bar) : (tensor<8xf32>, tensor<8xi32>), (f32) -> (f32, i32, tensor<8xf32>)
  return %r#1, %r#2 : i32, tensor<8xf32>
}
