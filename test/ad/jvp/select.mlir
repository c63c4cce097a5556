// arith.select, forward mode: the tangent is selected too.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

func.func private @scalar(%c: i1, %x: f64, %y: f64) -> f64 {
  %a = math.sqrt %x : f64
  %r = arith.select %c, %a, %y : f64
  return %r : f64
}
// CHECK-LABEL: func.func @scalar_jvp(
// CHECK-SAME: %[[C:[a-z0-9]+]]: i1, %[[X:[a-z0-9]+]]: f64, %[[Y:[a-z0-9]+]]: f64, %[[X_DOT:[a-z0-9]+]]: f64, %[[Y_DOT:[a-z0-9]+]]: f64)
// CHECK-DAG: %[[HALF:.*]] = arith.constant 5.000000e-01 : f64
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1.000000e+00 : f64
// CHECK: %[[SQRT:.*]] = math.sqrt %[[X]]
// CHECK: %[[DIVF:.*]] = arith.divf %[[ONE]], %[[SQRT]]
// CHECK: %[[SLOPE:.*]] = arith.mulf %[[DIVF]], %[[HALF]]
// CHECK: %[[MULF:.*]] = arith.mulf %[[X_DOT]], %[[SLOPE]]
// CHECK: %[[SELECT:.*]] = arith.select %[[C]], %[[SQRT]], %[[Y]]
// CHECK: %[[SELECT2:.*]] = arith.select %[[C]], %[[MULF]], %[[Y_DOT]]
// CHECK: return %[[SELECT]], %[[SELECT2]]
func.func @scalar_jvp(%c: i1, %x: f64, %y: f64, %x_dot: f64, %y_dot: f64) -> (f64, f64) {
  %r:2 = ad.jvp @scalar(%c, %x, %y) seed(%x_dot, %y_dot)
      : (i1, f64, f64), (f64, f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}

func.func private @array(%c: i1, %x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %r = arith.select %c, %x, %y : tensor<?xf64>
  return %r : tensor<?xf64>
}
// CHECK-LABEL: func.func @array_jvp(
// CHECK-SAME: %[[C:[a-z0-9]+]]: i1, %[[X:[a-z0-9]+]]: tensor<?xf64>, %[[Y:[a-z0-9]+]]: tensor<?xf64>, %[[X_DOT:[a-z0-9]+]]: tensor<?xf64>, %[[Y_DOT:[a-z0-9]+]]: tensor<?xf64>)
// CHECK: %[[SELECT:.*]] = arith.select %[[C]], %[[X]], %[[Y]]
// CHECK: %[[SELECT2:.*]] = arith.select %[[C]], %[[X_DOT]], %[[Y_DOT]]
// CHECK: return %[[SELECT]], %[[SELECT2]]
func.func @array_jvp(%c: i1, %x: tensor<?xf64>, %y: tensor<?xf64>, %x_dot: tensor<?xf64>, %y_dot: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:2 = ad.jvp @array(%c, %x, %y) seed(%x_dot, %y_dot)
      : (i1, tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}
