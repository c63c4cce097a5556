// tensor.cast, forward mode: the tangent goes through the operation itself [F01].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

func.func private @cast(%x: tensor<4xf64>) -> tensor<?xf64> {
  %r = tensor.cast %x : tensor<4xf64> to tensor<?xf64>
  return %r : tensor<?xf64>
}
// CHECK-LABEL: func.func @cast_jvp(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf64>, %[[X_DOT:[a-z0-9]+]]: tensor<4xf64>)
// CHECK: %[[CAST:.*]] = tensor.cast %[[X]] : tensor<4xf64> to tensor<?xf64>
// CHECK: %[[CAST2:.*]] = tensor.cast %[[X_DOT]] : tensor<4xf64> to tensor<?xf64>
// CHECK: return %[[CAST]], %[[CAST2]]
func.func @cast_jvp(%x: tensor<4xf64>, %x_dot: tensor<4xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:2 = ad.jvp @cast(%x) seed(%x_dot)
      : (tensor<4xf64>), (tensor<4xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}
