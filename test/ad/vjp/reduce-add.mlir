// soac.reduce with +: the adjoint is a broadcast [F25]; no Jacobian is made [Z04].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.' --implicit-check-not='soac.reduce' --implicit-check-not='scf.for' --implicit-check-not='?x?'

// Scalars.
func.func private @sum(%xs: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %s = soac.reduce ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.addf %l, %r : f64
    soac.yield %t : f64
  }
  return %s : f64
}
// CHECK-LABEL: func.func @sum_vjp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[Y_BAR:[a-z0-9]+]]: f64)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0 : index
// CHECK: %[[DIM:.*]] = tensor.dim %[[XS]], %[[CONST]]
// CHECK: %[[REPLICATE:.*]] = soac.replicate %[[Y_BAR]], %[[DIM]] : f64 -> tensor<?xf64>
// CHECK: return %[[REPLICATE]]
func.func @sum_vjp(%xs: tensor<?xf64>, %y_bar: f64) -> tensor<?xf64> {
  %r:2 = ad.vjp @sum(%xs) seed(%y_bar)
      : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

// Rows, added elementwise [F25].
func.func private @rows(%m: tensor<?x3xf64>) -> tensor<3xf64> {
  %zero = arith.constant dense<0.0> : tensor<3xf64>
  %s = soac.reduce ins(%m : tensor<?x3xf64>) neutral(%zero : tensor<3xf64>) (%l: tensor<3xf64>, %r: tensor<3xf64>) {
    %t = arith.addf %l, %r : tensor<3xf64>
    soac.yield %t : tensor<3xf64>
  }
  return %s : tensor<3xf64>
}
// CHECK-LABEL: func.func @rows_vjp(
// CHECK-SAME: %[[M:[a-z0-9]+]]: tensor<?x3xf64>, %[[Y_BAR:[a-z0-9]+]]: tensor<3xf64>)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0 : index
// CHECK: %[[DIM:.*]] = tensor.dim %[[M]], %[[CONST]]
// CHECK: %[[REPLICATE:.*]] = soac.replicate %[[Y_BAR]], %[[DIM]] : tensor<3xf64> -> tensor<?x3xf64>
// CHECK: return %[[REPLICATE]]
func.func @rows_vjp(%m: tensor<?x3xf64>, %y_bar: tensor<3xf64>) -> tensor<?x3xf64> {
  %r:2 = ad.vjp @rows(%m) seed(%y_bar)
      : (tensor<?x3xf64>), (tensor<3xf64>) -> (tensor<3xf64>, tensor<?x3xf64>)
  return %r#1 : tensor<?x3xf64>
}

// Two sums at once, operands in the other order.
func.func private @pair(%xs: tensor<?xf64>, %ys: tensor<?xf64>) -> (f64, f64) {
  %zero = arith.constant 0.0 : f64
  %s:2 = soac.reduce ins(%xs, %ys : tensor<?xf64>, tensor<?xf64>) neutral(%zero, %zero : f64, f64) (%l: f64, %k: f64, %r: f64, %s: f64) {
    %t = arith.addf %r, %l : f64
    %u = arith.addf %k, %s : f64
    soac.yield %t, %u : f64, f64
  }
  return %s#0, %s#1 : f64, f64
}
// CHECK-LABEL: func.func @pair_vjp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[YS:[a-z0-9]+]]: tensor<?xf64>, %[[Y0_BAR:[a-z0-9]+]]: f64, %[[Y1_BAR:[a-z0-9]+]]: f64)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0 : index
// CHECK: %[[DIM:.*]] = tensor.dim %[[XS]], %[[CONST]]
// CHECK: %[[REPLICATE:.*]] = soac.replicate %[[Y0_BAR]], %[[DIM]] : f64 -> tensor<?xf64>
// CHECK: %[[DIM2:.*]] = tensor.dim %[[YS]], %[[CONST]]
// CHECK: %[[REPLICATE2:.*]] = soac.replicate %[[Y1_BAR]], %[[DIM2]] : f64 -> tensor<?xf64>
// CHECK: return %[[REPLICATE]], %[[REPLICATE2]]
func.func @pair_vjp(%xs: tensor<?xf64>, %ys: tensor<?xf64>, %y0_bar: f64, %y1_bar: f64) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:4 = ad.vjp @pair(%xs, %ys) seed(%y0_bar, %y1_bar)
      : (tensor<?xf64>, tensor<?xf64>), (f64, f64) -> (f64, f64, tensor<?xf64>, tensor<?xf64>)
  return %r#2, %r#3 : tensor<?xf64>, tensor<?xf64>
}

// The scalar product: both adjoints are updated, in one map [F14].
func.func private @dot(%xs: tensor<?xf64>, %ys: tensor<?xf64>) -> f64 {
  %p = soac.map ins(%xs, %ys : tensor<?xf64>, tensor<?xf64>) (%x: f64, %y: f64) -> tensor<?xf64> {
    %m = arith.mulf %x, %y : f64
    soac.yield %m : f64
  }
  %zero = arith.constant 0.0 : f64
  %s = soac.reduce ins(%p : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %t = arith.addf %a, %b : f64
    soac.yield %t : f64
  }
  return %s : f64
}
// CHECK-LABEL: func.func @dot_vjp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[YS:[a-z0-9]+]]: tensor<?xf64>, %[[Y_BAR:[a-z0-9]+]]: f64)
// CHECK: %[[MAP:.*]]:2 = soac.map ins(%[[XS]], %[[YS]] : tensor<?xf64>, tensor<?xf64>) (%[[E:[a-z0-9]+]]: f64, %[[E2:[a-z0-9]+]]: f64) -> (tensor<?xf64>, tensor<?xf64>) {
// CHECK: %[[MULF:.*]] = arith.mulf %[[Y_BAR]], %[[E2]]
// CHECK: %[[MULF2:.*]] = arith.mulf %[[Y_BAR]], %[[E]]
// CHECK: soac.yield %[[MULF]], %[[MULF2]]
// CHECK: return %[[MAP]]#0, %[[MAP]]#1
func.func @dot_vjp(%xs: tensor<?xf64>, %ys: tensor<?xf64>, %y_bar: f64) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:3 = ad.vjp @dot(%xs, %ys) seed(%y_bar)
      : (tensor<?xf64>, tensor<?xf64>), (f64) -> (f64, tensor<?xf64>, tensor<?xf64>)
  return %r#1, %r#2 : tensor<?xf64>, tensor<?xf64>
}

// A count beside the sum, which has no derivative, changes nothing: a broadcast.
func.func private @counted(%xs: tensor<?xf64>, %is: tensor<?xi64>) -> (f64, i64) {
  %zero = arith.constant 0.0 : f64
  %none = arith.constant 0 : i64
  %s:2 = soac.reduce ins(%xs, %is : tensor<?xf64>, tensor<?xi64>) neutral(%zero, %none : f64, i64) (%l: f64, %i: i64, %r: f64, %j: i64) {
    %t = arith.addf %l, %r : f64
    %k = arith.addi %i, %j : i64
    soac.yield %t, %k : f64, i64
  }
  return %s#0, %s#1 : f64, i64
}
// CHECK-LABEL: func.func @counted_vjp(
// CHECK-SAME: %[[Y_BAR:[a-z0-9]+]]: f64)
// CHECK-NOT: soac.scan
// CHECK: %[[REPLICATE:.*]] = soac.replicate %[[Y_BAR]], %
// CHECK: return %[[REPLICATE]]
func.func @counted_vjp(%xs: tensor<?xf64>, %is: tensor<?xi64>, %y_bar: f64) -> tensor<?xf64> {
  %r:3 = ad.vjp @counted(%xs, %is) seed(%y_bar)
      : (tensor<?xf64>, tensor<?xi64>), (f64) -> (f64, i64, tensor<?xf64>)
  return %r#2 : tensor<?xf64>
}
