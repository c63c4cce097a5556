// tensor.concat: tangents are put together as the primals are. CHECKLIST FP10.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --ad-simplify --canonicalize --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.' --implicit-check-not=linalg.fill

func.func private @join(%a: tensor<2xf64>, %b: tensor<3xf64>) -> tensor<5xf64> {
  %c = tensor.concat dim(0) %a, %b : (tensor<2xf64>, tensor<3xf64>) -> tensor<5xf64>
  return %c : tensor<5xf64>
}
// CHECK-LABEL: func.func @join_jvp(
// CHECK-SAME: %[[A:[a-z0-9_]+]]: tensor<2xf64>, %[[B:[a-z0-9_]+]]: tensor<3xf64>, %[[A_DOT:[a-z0-9_]+]]: tensor<2xf64>, %[[B_DOT:[a-z0-9_]+]]: tensor<3xf64>)
// CHECK: %[[CONCAT:.+]] = tensor.concat dim(0) %[[A_DOT]], %[[B_DOT]] : (tensor<2xf64>, tensor<3xf64>) -> tensor<5xf64>
// CHECK: return %[[CONCAT]] : tensor<5xf64>
func.func @join_jvp(%a: tensor<2xf64>, %b: tensor<3xf64>, %a_dot: tensor<2xf64>, %b_dot: tensor<3xf64>) -> tensor<5xf64> {
  %r:2 = ad.jvp @join(%a, %b) seed(%a_dot, %b_dot)
      : (tensor<2xf64>, tensor<3xf64>), (tensor<2xf64>, tensor<3xf64>) -> (tensor<5xf64>, tensor<5xf64>)
  return %r#1 : tensor<5xf64>
}
