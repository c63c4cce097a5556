// tensor.reshape: the cotangent gets the shape of the primal back. CHECKLIST FP10.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

func.func private @f(%m: tensor<?x3xf64>, %shape: tensor<1xindex>) -> tensor<?xf64> {
  %r = tensor.reshape %m(%shape) : (tensor<?x3xf64>, tensor<1xindex>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}
// CHECK-LABEL: func.func @f_vjp(
// CHECK-SAME: %[[M:[a-z0-9_]+]]: tensor<?x3xf64>, %[[SHAPE:[a-z0-9_]+]]: tensor<1xindex>, %[[Y_BAR:[a-z0-9_]+]]: tensor<?xf64>)
// CHECK-DAG: %[[CST:.+]] = arith.constant 3 : index
// CHECK-DAG: %[[CST2:.+]] = arith.constant 0 : index
// CHECK: %[[DIM:.+]] = tensor.dim %[[M]], %[[CST2]] : tensor<?x3xf64>
// CHECK: %[[FROM_ELEMENTS:.+]] = tensor.from_elements %[[DIM]], %[[CST]] : tensor<2xindex>
// CHECK: %[[RESHAPE:.+]] = tensor.reshape %[[Y_BAR]](%[[FROM_ELEMENTS]]) : (tensor<?xf64>, tensor<2xindex>) -> tensor<?x3xf64>
// CHECK: return %[[RESHAPE]] : tensor<?x3xf64>
func.func @f_vjp(%m: tensor<?x3xf64>, %shape: tensor<1xindex>, %y_bar: tensor<?xf64>) -> tensor<?x3xf64> {
  %r:2 = ad.vjp @f(%m, %shape) seed(%y_bar)
      : (tensor<?x3xf64>, tensor<1xindex>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?x3xf64>)
  return %r#1 : tensor<?x3xf64>
}
