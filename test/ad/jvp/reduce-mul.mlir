// soac.reduce with arith.mulf in forward mode stays one reduction, over pairs of primal and tangent [F10].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce | FileCheck %s --implicit-check-not='= ad.' --implicit-check-not='soac.scan' --implicit-check-not='soac.map'

func.func private @reduced(%xs: tensor<?xf64>, %e: f64) -> f64 {
  %y = soac.reduce ins(%xs : tensor<?xf64>) neutral(%e : f64) (%l: f64, %r: f64) {
    %m = arith.mulf %l, %r : f64
    soac.yield %m : f64
  }
  return %y : f64
}
// CHECK-LABEL: func.func @reduced_jvp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[E:[a-z0-9]+]]: f64, %[[XS_DOT:[a-z0-9]+]]: tensor<?xf64>)
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f64
// CHECK: %[[Y:.*]]:2 = soac.reduce ins(%[[XS]], %[[XS_DOT]] : tensor<?xf64>, tensor<?xf64>) neutral(%[[E]], %[[ZERO]] : f64, f64) (%[[L:.*]]: f64, %[[L_DOT:.*]]: f64, %[[R:.*]]: f64, %[[R_DOT:.*]]: f64) {
// CHECK: %[[M:.*]] = arith.mulf %[[L]], %[[R]]
// CHECK: soac.yield %[[M]], %
// CHECK-NOT: soac.reduce
// CHECK: return %[[Y]]#1
func.func @reduced_jvp(%xs: tensor<?xf64>, %e: f64, %xs_dot: tensor<?xf64>) -> f64 {
  %r:2 = ad.jvp @reduced(%xs, %e) seed(%xs_dot) {wrt = array<i64: 0>} : (tensor<?xf64>, f64), (tensor<?xf64>) -> (f64, f64)
  return %r#1 : f64
}
