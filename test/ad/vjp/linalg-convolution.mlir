// linalg convolutions: the derivative of a convolution is two operations over its own iteration
// space; nothing is padded, flipped or gathered.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.' --implicit-check-not='soac' --implicit-check-not='tensor.pad' --implicit-check-not='tensor.extract' --implicit-check-not='tensor.insert'

func.func private @conv(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x4xf32>, %c: tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) outs(%c : tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  return %0 : tensor<1x3x3x4xf32>
}
// CHECK-DAG: #[[$IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 * 2 + d4, d2 * 2 + d5, d6)>
// CHECK-DAG: #[[$FILTER:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>
// CHECK-DAG: #[[$OUT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
// CHECK-LABEL: func.func @conv_vjp(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x8x8x3xf32>, %[[W:[a-z0-9]+]]: tensor<3x3x3x4xf32>, %{{.*}}: tensor<1x3x3x4xf32>, %[[BAR:[a-z0-9]+]]: tensor<1x3x3x4xf32>)
// CHECK: %[[ZEROS:.*]] = linalg.fill
// Loops of the image that are no index by themselves are reductions.
// CHECK: %[[X_BAR:.*]] = linalg.generic {indexing_maps = [#[[$FILTER]], #[[$OUT]], #[[$IMAGE]]], iterator_types = ["parallel", "reduction", "reduction", "reduction", "reduction", "reduction", "parallel"]}
// CHECK-SAME: ins(%[[W]], %[[BAR]] : tensor<3x3x3x4xf32>, tensor<1x3x3x4xf32>) outs(%[[ZEROS]] : tensor<1x8x8x3xf32>)
// CHECK: arith.mulf
// CHECK-NEXT: arith.addf
// CHECK-NEXT: linalg.yield
// CHECK: %[[ZEROS2:.*]] = linalg.fill
// CHECK: %[[W_BAR:.*]] = linalg.generic {indexing_maps = [#[[$IMAGE]], #[[$OUT]], #[[$FILTER]]], iterator_types = ["reduction", "reduction", "reduction", "parallel", "parallel", "parallel", "parallel"]}
// CHECK-SAME: ins(%[[X]], %[[BAR]] : tensor<1x8x8x3xf32>, tensor<1x3x3x4xf32>) outs(%[[ZEROS2]] : tensor<3x3x3x4xf32>)
// CHECK: arith.mulf
// CHECK-NEXT: arith.addf
// CHECK-NEXT: linalg.yield
// CHECK-NOT: linalg
// CHECK: return %[[X_BAR]], %[[W_BAR]]
func.func @conv_vjp(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x4xf32>, %c: tensor<1x3x3x4xf32>, %bar: tensor<1x3x3x4xf32>) -> (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) {
  %r:3 = ad.vjp @conv(%x, %w, %c) seed(%bar) {wrt = array<i64: 0, 1>}
      : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>, tensor<1x3x3x4xf32>), (tensor<1x3x3x4xf32>) -> (tensor<1x3x3x4xf32>, tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>)
  return %r#1, %r#2 : tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>
}

// Sum pooling: the window stays an operand, because it alone gives the sizes of its loops.
func.func private @pool(%x: tensor<1x8x8x3xf32>, %window: tensor<2x2xf32>, %c: tensor<1x7x7x3xf32>) -> tensor<1x7x7x3xf32> {
  %0 = linalg.pooling_nhwc_sum ins(%x, %window : tensor<1x8x8x3xf32>, tensor<2x2xf32>) outs(%c : tensor<1x7x7x3xf32>) -> tensor<1x7x7x3xf32>
  return %0 : tensor<1x7x7x3xf32>
}
// CHECK-LABEL: func.func @pool_vjp(
// CHECK-SAME: %{{.*}}: tensor<1x8x8x3xf32>, %[[WINDOW:[a-z0-9]+]]: tensor<2x2xf32>, %{{.*}}: tensor<1x7x7x3xf32>, %[[BAR:[a-z0-9]+]]: tensor<1x7x7x3xf32>)
// CHECK: %[[X_BAR:.*]] = linalg.generic {{.*}} ins(%[[WINDOW]], %[[BAR]] : tensor<2x2xf32>, tensor<1x7x7x3xf32>)
// CHECK-NOT: linalg.generic
// CHECK: return %[[X_BAR]]
func.func @pool_vjp(%x: tensor<1x8x8x3xf32>, %window: tensor<2x2xf32>, %c: tensor<1x7x7x3xf32>, %bar: tensor<1x7x7x3xf32>) -> tensor<1x8x8x3xf32> {
  %r:2 = ad.vjp @pool(%x, %window, %c) seed(%bar) {wrt = array<i64: 0>}
      : (tensor<1x8x8x3xf32>, tensor<2x2xf32>, tensor<1x7x7x3xf32>), (tensor<1x7x7x3xf32>) -> (tensor<1x7x7x3xf32>, tensor<1x8x8x3xf32>)
  return %r#1 : tensor<1x8x8x3xf32>
}
