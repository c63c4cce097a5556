// tensor.cast: the cotangent is cast back.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

func.func private @cast(%x: tensor<4xf64>) -> tensor<?xf64> {
  %r = tensor.cast %x : tensor<4xf64> to tensor<?xf64>
  return %r : tensor<?xf64>
}
// CHECK-LABEL: func.func @cast_vjp(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf64>, %[[Y_BAR:[a-z0-9]+]]: tensor<?xf64>)
// CHECK: %[[CAST:.*]] = tensor.cast %[[Y_BAR]] : tensor<?xf64> to tensor<4xf64>
// CHECK: return %[[CAST]]
func.func @cast_vjp(%x: tensor<4xf64>, %y_bar: tensor<?xf64>) -> tensor<4xf64> {
  %r:2 = ad.vjp @cast(%x) seed(%y_bar)
      : (tensor<4xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
