// Rows multiplied element by element: forward mode keeps one reduction, over pairs of rows [F10].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce | FileCheck %s --implicit-check-not='= ad.' --implicit-check-not='soac.scan'

func.func private @rows(%m: tensor<?x4xf64>) -> tensor<4xf64> {
  %e = arith.constant dense<1.0> : tensor<4xf64>
  %y = soac.reduce ins(%m : tensor<?x4xf64>) neutral(%e : tensor<4xf64>) (%l: tensor<4xf64>, %r: tensor<4xf64>) {
    %p = arith.mulf %l, %r : tensor<4xf64>
    soac.yield %p : tensor<4xf64>
  }
  return %y : tensor<4xf64>
}
// CHECK-LABEL: func.func @rows_jvp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?x4xf64>, %[[XS_DOT:[a-z0-9]+]]: tensor<?x4xf64>)
// CHECK: %[[Y:.*]]:2 = soac.reduce ins(%[[XS]], %[[XS_DOT]] :
// CHECK-NOT: soac.reduce
// CHECK: return %[[Y]]#1
func.func @rows_jvp(%m: tensor<?x4xf64>, %m_dot: tensor<?x4xf64>) -> tensor<4xf64> {
  %r:2 = ad.jvp @rows(%m) seed(%m_dot) : (tensor<?x4xf64>), (tensor<?x4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
