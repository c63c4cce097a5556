// A slice of a tensor with a static dimension of size zero was refused by the
// verifier, because offset 0 is not below 0.
//
// RUN: ad-opt run %s --entry=gradient | FileCheck %s

// CHECK: [0.0, 0.0]

func.func @rows(%v: tensor<0xf64>, %w: tensor<2xf64>) -> tensor<0x0xf64> {
  %r = soac.replicate %v : tensor<0xf64> -> tensor<0x0xf64>
  %s = soac.map ins(%r : tensor<0x0xf64>) (%row: tensor<0xf64>) -> tensor<0x0xf64> {
    %t = soac.map ins(%row : tensor<0xf64>) (%x: f64) -> tensor<0xf64> {
      %c0 = arith.constant 0 : index
      %f = tensor.extract %w[%c0] : tensor<2xf64>
      %y = arith.mulf %x, %f : f64
      soac.yield %y : f64
    }
    soac.yield %t : tensor<0xf64>
  }
  return %s : tensor<0x0xf64>
}

func.func @gradient() -> tensor<2xf64> {
  %v = tensor.empty() : tensor<0xf64>
  %w = arith.constant dense<1.0> : tensor<2xf64>
  %seed = tensor.empty() : tensor<0x0xf64>
  %y, %v_bar, %w_bar = ad.vjp @rows(%v, %w) seed(%seed)
      : (tensor<0xf64>, tensor<2xf64>), (tensor<0x0xf64>)
      -> (tensor<0x0xf64>, tensor<0xf64>, tensor<2xf64>)
  return %w_bar : tensor<2xf64>
}
