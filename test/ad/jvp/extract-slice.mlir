// tensor.extract_slice, forward mode: the tangent goes through the operation itself [F01].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

func.func private @slice(%xs: tensor<?xf64>, %o: index, %n: index) -> tensor<?xf64> {
  %y = tensor.extract_slice %xs[%o] [%n] [2] : tensor<?xf64> to tensor<?xf64>
  return %y : tensor<?xf64>
}
// CHECK-LABEL: func.func @slice_jvp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[O:[a-z0-9]+]]: index, %[[N:[a-z0-9]+]]: index, %[[XS_DOT:[a-z0-9]+]]: tensor<?xf64>)
// CHECK: %[[EXTRACT_SLICE:.*]] = tensor.extract_slice %[[XS]][%[[O]]] [%[[N]]] [2] : tensor<?xf64> to tensor<?xf64>
// CHECK: %[[EXTRACT_SLICE2:.*]] = tensor.extract_slice %[[XS_DOT]][%[[O]]] [%[[N]]] [2] : tensor<?xf64> to tensor<?xf64>
// CHECK: return %[[EXTRACT_SLICE]], %[[EXTRACT_SLICE2]]
func.func @slice_jvp(%xs: tensor<?xf64>, %o: index, %n: index, %xs_dot: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:2 = ad.jvp @slice(%xs, %o, %n) seed(%xs_dot)
      : (tensor<?xf64>, index, index), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}

func.func private @row(%m: tensor<4x3xf64>, %i: index) -> (tensor<3xf64>, tensor<3xf64>) {
  %y = tensor.extract_slice %m[%i, 0] [1, 3] [1, 1] : tensor<4x3xf64> to tensor<3xf64>
  %z = tensor.extract_slice %m[1, 0] [1, 3] [1, 1] : tensor<4x3xf64> to tensor<3xf64>
  return %y, %z : tensor<3xf64>, tensor<3xf64>
}
// CHECK-LABEL: func.func @row_jvp(
// CHECK-SAME: %[[M:[a-z0-9]+]]: tensor<4x3xf64>, %[[I:[a-z0-9]+]]: index, %[[M_DOT:[a-z0-9]+]]: tensor<4x3xf64>)
// CHECK: %[[EXTRACT_SLICE:.*]] = tensor.extract_slice %[[M]][%[[I]], 0] [1, 3] [1, 1] : tensor<4x3xf64> to tensor<3xf64>
// CHECK: %[[EXTRACT_SLICE2:.*]] = tensor.extract_slice %[[M_DOT]][%[[I]], 0] [1, 3] [1, 1] : tensor<4x3xf64> to tensor<3xf64>
// CHECK: %[[EXTRACT_SLICE3:.*]] = tensor.extract_slice %[[M]][1, 0] [1, 3] [1, 1] : tensor<4x3xf64> to tensor<3xf64>
// CHECK: %[[EXTRACT_SLICE4:.*]] = tensor.extract_slice %[[M_DOT]][1, 0] [1, 3] [1, 1] : tensor<4x3xf64> to tensor<3xf64>
// CHECK: return %[[EXTRACT_SLICE]], %[[EXTRACT_SLICE3]], %[[EXTRACT_SLICE2]], %[[EXTRACT_SLICE4]]
func.func @row_jvp(%m: tensor<4x3xf64>, %i: index, %m_dot: tensor<4x3xf64>) -> (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) {
  %r:4 = ad.jvp @row(%m, %i) seed(%m_dot)
      : (tensor<4x3xf64>, index), (tensor<4x3xf64>) -> (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>)
  return %r#0, %r#1, %r#2, %r#3 : tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>
}
