// Derivatives of tensor.cast agree with central differences and with each other.
// RUN: %python %S/../../driver/Inputs/npy.py %t.x4.npy '<f8' '(4,)' 0.5 1.5 -0.7 2.1
// RUN: ad-opt check %s --entry=cast --input=%t.x4.npy

func.func @cast(%x: tensor<4xf64>) -> tensor<?xf64> {
  %r = tensor.cast %x : tensor<4xf64> to tensor<?xf64>
  return %r : tensor<?xf64>
}
