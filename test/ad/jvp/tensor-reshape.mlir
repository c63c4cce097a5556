// tensor.reshape: the tangent is reshaped too. CHECKLIST FP10.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

func.func private @f(%m: tensor<?x3xf64>, %shape: tensor<1xindex>) -> tensor<?xf64> {
  %r = tensor.reshape %m(%shape) : (tensor<?x3xf64>, tensor<1xindex>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}
// CHECK-LABEL: func.func @f_jvp(
// CHECK-SAME: %[[M:[a-z0-9_]+]]: tensor<?x3xf64>, %[[SHAPE:[a-z0-9_]+]]: tensor<1xindex>, %[[M_DOT:[a-z0-9_]+]]: tensor<?x3xf64>)
// CHECK: %[[RESHAPE:.+]] = tensor.reshape %[[M_DOT]](%[[SHAPE]]) : (tensor<?x3xf64>, tensor<1xindex>) -> tensor<?xf64>
// CHECK: return %[[RESHAPE]] : tensor<?xf64>
func.func @f_jvp(%m: tensor<?x3xf64>, %shape: tensor<1xindex>, %m_dot: tensor<?x3xf64>) -> tensor<?xf64> {
  %r:2 = ad.jvp @f(%m, %shape) seed(%m_dot)
      : (tensor<?x3xf64>, tensor<1xindex>), (tensor<?x3xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
