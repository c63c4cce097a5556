// linalg convolutions: the tangent of a convolution is two convolutions; that of max pooling is
// carried along with the maximum in one operation.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.' --implicit-check-not='soac'

func.func private @conv(%x: tensor<?xf64>, %w: tensor<?xf64>, %c: tensor<?xf64>) -> tensor<?xf64> {
  %0 = linalg.conv_1d ins(%x, %w : tensor<?xf64>, tensor<?xf64>) outs(%c : tensor<?xf64>) -> tensor<?xf64>
  return %0 : tensor<?xf64>
}
// CHECK-LABEL: func.func @conv_jvp(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf64>, %[[W:[a-z0-9]+]]: tensor<?xf64>, %{{.*}}: tensor<?xf64>, %[[X_DOT:[a-z0-9]+]]: tensor<?xf64>, %[[W_DOT:[a-z0-9]+]]: tensor<?xf64>)
// CHECK: %[[ZEROS:.*]] = linalg.fill
// CHECK: %[[D:.*]] = linalg.conv_1d ins(%[[X_DOT]], %[[W]] : {{.*}}) outs(%[[ZEROS]] :
// CHECK: %[[E:.*]] = linalg.conv_1d ins(%[[X]], %[[W_DOT]] : {{.*}}) outs(%[[D]] :
// CHECK: return %[[E]]
func.func @conv_jvp(%x: tensor<?xf64>, %w: tensor<?xf64>, %c: tensor<?xf64>, %x_dot: tensor<?xf64>, %w_dot: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = ad.jvp @conv(%x, %w, %c) seed(%x_dot, %w_dot) {wrt = array<i64: 0, 1>}
      : (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

func.func private @pool(%x: tensor<1x8x3xf32>, %window: tensor<2xf32>, %c: tensor<1x7x3xf32>) -> tensor<1x7x3xf32> {
  %0 = linalg.pooling_nwc_max ins(%x, %window : tensor<1x8x3xf32>, tensor<2xf32>) outs(%c : tensor<1x7x3xf32>) -> tensor<1x7x3xf32>
  return %0 : tensor<1x7x3xf32>
}
// CHECK-LABEL: func.func @pool_jvp(
// CHECK: %[[Y:.*]]:2 = linalg.generic
// CHECK: arith.maximumf
// CHECK: arith.select
// CHECK: linalg.yield %{{.*}}, %{{.*}} : f32, f32
// CHECK: return %[[Y]]#0, %[[Y]]#1
func.func @pool_jvp(%x: tensor<1x8x3xf32>, %window: tensor<2xf32>, %c: tensor<1x7x3xf32>, %x_dot: tensor<1x8x3xf32>) -> (tensor<1x7x3xf32>, tensor<1x7x3xf32>) {
  %r:2 = ad.jvp @pool(%x, %window, %c) seed(%x_dot) {wrt = array<i64: 0>}
      : (tensor<1x8x3xf32>, tensor<2xf32>, tensor<1x7x3xf32>), (tensor<1x8x3xf32>) -> (tensor<1x7x3xf32>, tensor<1x7x3xf32>)
  return %r#0, %r#1 : tensor<1x7x3xf32>, tensor<1x7x3xf32>
}
