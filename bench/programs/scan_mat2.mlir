// A weighted sum of running products of 2x2 matrices: the sum over i of the entries of
// W_i times those of A_0 A_1 ... A_i.
//
// Public entries:
//   objective  the sum
//   gradient   its derivative with respect to A, asked for with ad.vjp
//
// The matrices are taken apart, so that the scan runs over four arrays. In its derivative the
// rows of the product are recurrences of their own with the same coefficients.

func.func @objective(%A: tensor<?x2x2xf64>, %W: tensor<?x2x2xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %a:4 = soac.map ins(%A : tensor<?x2x2xf64>) (%m: tensor<2x2xf64>)
      -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
    %m00 = tensor.extract %m[%c0, %c0] : tensor<2x2xf64>
    %m01 = tensor.extract %m[%c0, %c1] : tensor<2x2xf64>
    %m10 = tensor.extract %m[%c1, %c0] : tensor<2x2xf64>
    %m11 = tensor.extract %m[%c1, %c1] : tensor<2x2xf64>
    soac.yield %m00, %m01, %m10, %m11 : f64, f64, f64, f64
  }
  %y:4 = soac.scan ins(%a#0, %a#1, %a#2, %a#3 : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
      neutral(%one, %zero, %zero, %one : f64, f64, f64, f64)
      (%l00: f64, %l01: f64, %l10: f64, %l11: f64, %r00: f64, %r01: f64, %r10: f64, %r11: f64) {
    %u00 = arith.mulf %l00, %r00 : f64
    %v00 = arith.mulf %l01, %r10 : f64
    %p00 = arith.addf %u00, %v00 : f64
    %u01 = arith.mulf %l00, %r01 : f64
    %v01 = arith.mulf %l01, %r11 : f64
    %p01 = arith.addf %u01, %v01 : f64
    %u10 = arith.mulf %l10, %r00 : f64
    %v10 = arith.mulf %l11, %r10 : f64
    %p10 = arith.addf %u10, %v10 : f64
    %u11 = arith.mulf %l10, %r01 : f64
    %v11 = arith.mulf %l11, %r11 : f64
    %p11 = arith.addf %u11, %v11 : f64
    soac.yield %p00, %p01, %p10, %p11 : f64, f64, f64, f64
  }
  %terms = soac.map ins(%W, %y#0, %y#1, %y#2, %y#3 : tensor<?x2x2xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
      (%w: tensor<2x2xf64>, %y00: f64, %y01: f64, %y10: f64, %y11: f64) -> tensor<?xf64> {
    %w00 = tensor.extract %w[%c0, %c0] : tensor<2x2xf64>
    %w01 = tensor.extract %w[%c0, %c1] : tensor<2x2xf64>
    %w10 = tensor.extract %w[%c1, %c0] : tensor<2x2xf64>
    %w11 = tensor.extract %w[%c1, %c1] : tensor<2x2xf64>
    %t00 = arith.mulf %w00, %y00 : f64
    %t01 = arith.mulf %w01, %y01 : f64
    %t10 = arith.mulf %w10, %y10 : f64
    %t11 = arith.mulf %w11, %y11 : f64
    %s0 = arith.addf %t00, %t01 : f64
    %s1 = arith.addf %t10, %t11 : f64
    %s = arith.addf %s0, %s1 : f64
    soac.yield %s : f64
  }
  %sum = soac.reduce ins(%terms : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return %sum : f64
}

func.func @gradient(%A: tensor<?x2x2xf64>, %W: tensor<?x2x2xf64>) -> tensor<?x2x2xf64> {
  %one = arith.constant 1.0 : f64
  %y, %A_bar = ad.vjp @objective(%A, %W) seed(%one) {wrt = array<i64: 0>}
      : (tensor<?x2x2xf64>, tensor<?x2x2xf64>), (f64) -> (f64, tensor<?x2x2xf64>)
  return %A_bar : tensor<?x2x2xf64>
}
