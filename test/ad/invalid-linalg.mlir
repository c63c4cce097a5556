// linalg operations that cannot be differentiated are errors at the op, with a note at the request.
// RUN: ad-opt %s --split-input-file --verify-diagnostics --ad-differentiate

// Part of a convolution that was transformed already.
func.func private @winograd(%f: tensor<2x3x3x5xf32>) -> tensor<6x6x5x2xf32> {
  %e = tensor.empty() : tensor<6x6x5x2xf32>
  // expected-error @+1 {{'linalg.winograd_filter_transform' op has no vjp rule: differentiate before the convolution is transformed}}
  %0 = linalg.winograd_filter_transform fmr(F_4_3) ins(%f : tensor<2x3x3x5xf32>) outs(%e : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  return %0 : tensor<6x6x5x2xf32>
}
func.func @transformed(%f: tensor<2x3x3x5xf32>, %s: tensor<6x6x5x2xf32>) {
  // expected-note @+1 {{derivative requested here}}
  %r:2 = ad.vjp @winograd(%f) seed(%s) : (tensor<2x3x3x5xf32>), (tensor<6x6x5x2xf32>) -> (tensor<6x6x5x2xf32>, tensor<2x3x3x5xf32>)
  return
}

// -----

// Tiles of a size that is a value.
func.func private @pack(%x: tensor<?xf64>, %d: tensor<?x?xf64>, %t: index) -> tensor<?x?xf64> {
  // expected-error @+1 {{'linalg.pack' op has no vjp rule: the sizes of its tiles must be static}}
  %0 = linalg.pack %x inner_dims_pos = [0] inner_tiles = [%t] into %d : tensor<?xf64> -> tensor<?x?xf64>
  return %0 : tensor<?x?xf64>
}
func.func @dynamic_tiles(%x: tensor<?xf64>, %d: tensor<?x?xf64>, %t: index) {
  // expected-note @+1 {{derivative requested here}}
  %r:2 = ad.vjp @pack(%x, %d, %t) seed(%d) {wrt = array<i64: 0>} : (tensor<?xf64>, tensor<?x?xf64>, index), (tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?xf64>)
  return
}
