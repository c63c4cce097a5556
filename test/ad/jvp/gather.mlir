// tensor.gather: the tangent is gathered from the same places. CHECKLIST FP10.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --ad-simplify --canonicalize --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

func.func private @rows(%m: tensor<?xf64>, %is: tensor<3x1xi64>) -> tensor<3xf64> {
  %g = tensor.gather %m[%is] gather_dims([0]) : (tensor<?xf64>, tensor<3x1xi64>) -> tensor<3xf64>
  return %g : tensor<3xf64>
}
// CHECK-LABEL: func.func @rows_jvp(
// CHECK-SAME: %[[M:[a-z0-9_]+]]: tensor<?xf64>, %[[IS:[a-z0-9_]+]]: tensor<3x1xi64>, %[[M_DOT:[a-z0-9_]+]]: tensor<?xf64>)
// CHECK-DAG: %[[CST:.+]] = arith.constant 0 : index
// CHECK: %[[GENERATE:.+]] = tensor.generate  {
// CHECK: ^bb0(%[[A:.+]]: index):
// CHECK: %[[EXTRACT:.+]] = tensor.extract %[[IS]][%[[A]], %[[CST]]] : tensor<3x1xi64>
// CHECK: %[[INDEX_CAST:.+]] = arith.index_cast %[[EXTRACT]] : i64 to index
// CHECK: %[[EXTRACT2:.+]] = tensor.extract %[[M_DOT]][%[[INDEX_CAST]]] : tensor<?xf64>
// CHECK: tensor.yield %[[EXTRACT2]] : f64
// CHECK: } : tensor<3xf64>
// CHECK: return %[[GENERATE]] : tensor<3xf64>
func.func @rows_jvp(%m: tensor<?xf64>, %is: tensor<3x1xi64>, %m_dot: tensor<?xf64>) -> tensor<3xf64> {
  %r:2 = ad.jvp @rows(%m, %is) seed(%m_dot)
      : (tensor<?xf64>, tensor<3x1xi64>), (tensor<?xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  return %r#1 : tensor<3xf64>
}
