// Edge cases of linalg operations, by hand.
// RUN: ad-opt run %s --entry=ties | FileCheck %s --check-prefix=TIES
// RUN: ad-opt run %s --entry=zeros | FileCheck %s --check-prefix=ZEROS
// RUN: ad-opt run %s --entry=empty | FileCheck %s --check-prefix=EMPTY
// RUN: ad-opt run %s --entry=infinite | FileCheck %s --check-prefix=INFINITE

// Of equal elements the first one counts.
// TIES: [1.0, 0.0, 0.0, 2.0, 0.0]
func.func private @pool(%x: tensor<1x5x1xf64>) -> tensor<1x2x1xf64> {
  %c = arith.constant dense<0.0> : tensor<1x2x1xf64>
  %window = tensor.empty() : tensor<3xf64>
  %0 = linalg.pooling_nwc_max {strides = dense<2> : tensor<1xi64>} ins(%x, %window : tensor<1x5x1xf64>, tensor<3xf64>) outs(%c : tensor<1x2x1xf64>) -> tensor<1x2x1xf64>
  return %0 : tensor<1x2x1xf64>
}
func.func @ties() -> tensor<5xf64> {
  %x = arith.constant dense<[[[3.0], [1.0], [3.0], [4.0], [4.0]]]> : tensor<1x5x1xf64>
  %s = arith.constant dense<[[[1.0], [2.0]]]> : tensor<1x2x1xf64>
  %r:2 = ad.vjp @pool(%x) seed(%s) : (tensor<1x5x1xf64>), (tensor<1x2x1xf64>) -> (tensor<1x2x1xf64>, tensor<1x5x1xf64>)
  %f = tensor.collapse_shape %r#1 [[0, 1, 2]] : tensor<1x5x1xf64> into tensor<5xf64>
  return %f : tensor<5xf64>
}

// A product with one zero factor, and with two.
// ZEROS: {{\[}}[0.0, 10.0, 0.0],
// ZEROS-NEXT: [0.0, 0.0, 0.0]]
func.func private @product(%x: tensor<2x3xf64>) -> tensor<2xf64> {
  %one = arith.constant dense<1.0> : tensor<2xf64>
  %0 = linalg.reduce {arith.mulf} ins(%x : tensor<2x3xf64>) outs(%one : tensor<2xf64>) dimensions = [1]
  return %0 : tensor<2xf64>
}
func.func @zeros() -> tensor<2x3xf64> {
  %x = arith.constant dense<[[2.0, 0.0, 5.0], [0.0, 7.0, 0.0]]> : tensor<2x3xf64>
  %s = arith.constant dense<1.0> : tensor<2xf64>
  %r:2 = ad.vjp @product(%x) seed(%s) : (tensor<2x3xf64>), (tensor<2xf64>) -> (tensor<2xf64>, tensor<2x3xf64>)
  return %r#1 : tensor<2x3xf64>
}

// Over nothing the result is what it started from.
// EMPTY: [3.0, 4.0]
// EMPTY: [5.0, 6.0]
func.func private @over_nothing(%x: tensor<2x0xf64>, %c: tensor<2xf64>) -> tensor<2xf64> {
  %0 = linalg.reduce {arith.addf} ins(%x : tensor<2x0xf64>) outs(%c : tensor<2xf64>) dimensions = [1]
  return %0 : tensor<2xf64>
}
func.func @empty() -> (tensor<2xf64>, tensor<2xf64>) {
  %x = tensor.empty() : tensor<2x0xf64>
  %c = arith.constant dense<[3.0, 4.0]> : tensor<2xf64>
  %s = arith.constant dense<[5.0, 6.0]> : tensor<2xf64>
  %r:3 = ad.vjp @over_nothing(%x, %c) seed(%s) : (tensor<2x0xf64>, tensor<2xf64>), (tensor<2xf64>) -> (tensor<2xf64>, tensor<2x0xf64>, tensor<2xf64>)
  return %r#0, %r#2 : tensor<2xf64>, tensor<2xf64>
}

// A branch that was not taken in the body contributes a zero that is not multiplied.
// INFINITE: [0.0, 0.5]
func.func private @root(%x: tensor<2xf64>) -> tensor<2xf64> {
  %0 = linalg.map ins(%x : tensor<2xf64>) outs(%x : tensor<2xf64>) (%a: f64, %o: f64) {
    %zero = arith.constant 0.0 : f64
    %p = arith.cmpf ogt, %a, %zero : f64
    %r = math.sqrt %a : f64
    %y = arith.select %p, %r, %zero : f64
    linalg.yield %y : f64
  }
  return %0 : tensor<2xf64>
}
func.func @infinite() -> tensor<2xf64> {
  %x = arith.constant dense<[0.0, 1.0]> : tensor<2xf64>
  %s = arith.constant dense<1.0> : tensor<2xf64>
  %r:2 = ad.vjp @root(%x) seed(%s) : (tensor<2xf64>), (tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>)
  return %r#1 : tensor<2xf64>
}
