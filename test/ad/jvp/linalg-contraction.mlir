// linalg contractions: the tangent of a matmul is two matmuls, and the primal stays as it is.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.' --implicit-check-not='linalg.generic' --implicit-check-not='soac'

func.func private @matmul(%a: tensor<2x3xf64>, %b: tensor<3x4xf64>, %c: tensor<2x4xf64>) -> tensor<2x4xf64> {
  %0 = linalg.matmul ins(%a, %b : tensor<2x3xf64>, tensor<3x4xf64>) outs(%c : tensor<2x4xf64>) -> tensor<2x4xf64>
  return %0 : tensor<2x4xf64>
}
// CHECK-LABEL: func.func @matmul_jvp(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<2x3xf64>, %[[B:[a-z0-9]+]]: tensor<3x4xf64>, %[[C:[a-z0-9]+]]: tensor<2x4xf64>,
// CHECK-SAME: %[[A_DOT:[a-z0-9]+]]: tensor<2x3xf64>, %[[B_DOT:[a-z0-9]+]]: tensor<3x4xf64>, %[[C_DOT:[a-z0-9]+]]: tensor<2x4xf64>)
// CHECK: %[[Y:.*]] = linalg.matmul ins(%[[A]], %[[B]] : {{.*}}) outs(%[[C]] :
// CHECK: %[[D:.*]] = linalg.matmul ins(%[[A_DOT]], %[[B]] : {{.*}}) outs(%[[C_DOT]] :
// CHECK: %[[E:.*]] = linalg.matmul ins(%[[A]], %[[B_DOT]] : {{.*}}) outs(%[[D]] :
// CHECK: return %[[Y]], %[[E]]
func.func @matmul_jvp(%a: tensor<2x3xf64>, %b: tensor<3x4xf64>, %c: tensor<2x4xf64>, %a_dot: tensor<2x3xf64>, %b_dot: tensor<3x4xf64>, %c_dot: tensor<2x4xf64>)
    -> (tensor<2x4xf64>, tensor<2x4xf64>) {
  %r:2 = ad.jvp @matmul(%a, %b, %c) seed(%a_dot, %b_dot, %c_dot)
      : (tensor<2x3xf64>, tensor<3x4xf64>, tensor<2x4xf64>), (tensor<2x3xf64>, tensor<3x4xf64>, tensor<2x4xf64>)
      -> (tensor<2x4xf64>, tensor<2x4xf64>)
  return %r#0, %r#1 : tensor<2x4xf64>, tensor<2x4xf64>
}
