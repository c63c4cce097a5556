// tensor.insert_slice, forward mode: the tangent goes through the operation itself [F01].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

func.func private @row(%m: tensor<?x3xf64>, %i: index, %v: tensor<3xf64>) -> tensor<?x3xf64> {
  %r = tensor.insert_slice %v into %m[%i, 0] [1, 3] [1, 1] : tensor<3xf64> into tensor<?x3xf64>
  return %r : tensor<?x3xf64>
}
// CHECK-LABEL: func.func @row_jvp(
// CHECK-SAME: %[[M:[a-z0-9]+]]: tensor<?x3xf64>, %[[I:[a-z0-9]+]]: index, %[[V:[a-z0-9]+]]: tensor<3xf64>, %[[M_DOT:[a-z0-9]+]]: tensor<?x3xf64>, %[[V_DOT:[a-z0-9]+]]: tensor<3xf64>)
// CHECK: %[[INSERT_SLICE:.*]] = tensor.insert_slice %[[V]] into %[[M]][%[[I]], 0] [1, 3] [1, 1] : tensor<3xf64> into tensor<?x3xf64>
// CHECK: %[[INSERT_SLICE2:.*]] = tensor.insert_slice %[[V_DOT]] into %[[M_DOT]][%[[I]], 0] [1, 3] [1, 1] : tensor<3xf64> into tensor<?x3xf64>
// CHECK: return %[[INSERT_SLICE]], %[[INSERT_SLICE2]]
func.func @row_jvp(%m: tensor<?x3xf64>, %i: index, %v: tensor<3xf64>, %m_dot: tensor<?x3xf64>, %v_dot: tensor<3xf64>) -> (tensor<?x3xf64>, tensor<?x3xf64>) {
  %r:2 = ad.jvp @row(%m, %i, %v) seed(%m_dot, %v_dot)
      : (tensor<?x3xf64>, index, tensor<3xf64>), (tensor<?x3xf64>, tensor<3xf64>) -> (tensor<?x3xf64>, tensor<?x3xf64>)
  return %r#0, %r#1 : tensor<?x3xf64>, tensor<?x3xf64>
}
