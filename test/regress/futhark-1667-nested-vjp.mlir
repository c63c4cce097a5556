// futhark#1667: a vjp inside a map inside a vjp failed on the accumulators of the inner one. The inner
// derivative gathers from a free array, so that the outer one differentiates accumulators.
// RUN: %python %S/../driver/Inputs/npy.py %t.npy '<f8' '(3,)' 1 2 3
// RUN: %python %S/../driver/Inputs/npy.py %t.i.npy '<i8' '(4,)' 0 2 2 1
// RUN: ad-opt check %s --entry=inner_gradients --input=%t.npy --input=%t.i.npy
// RUN: ad-opt check %s --entry=outer --input=%t.npy --input=%t.i.npy
// RUN: ad-opt run %s --entry=outer --input=%t.npy --input=%t.i.npy | FileCheck %s

// sum over i of xs[is[i]]^3 s
func.func private @f(%xs: tensor<?xf64>, %is: tensor<?xi64>, %s: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %ys = soac.map ins(%is : tensor<?xi64>) (%id: i64) -> tensor<?xf64> {
    %i = arith.index_cast %id : i64 to index
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %xx = arith.mulf %x, %x : f64
    %xxx = arith.mulf %xx, %x : f64
    %y = arith.mulf %xxx, %s : f64
    soac.yield %y : f64
  }
  %sum = soac.reduce ins(%ys : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.addf %l, %r : f64
    soac.yield %t : f64
  }
  return %sum : f64
}
// Row k: the gradient at s = xs[k], that is 3 xs^2 xs[k] times how often each is gathered.
func.func @inner_gradients(%xs: tensor<?xf64>, %is: tensor<?xi64>) -> tensor<?x?xf64> {
  %one = arith.constant 1.0 : f64
  %rows = soac.map ins(%xs : tensor<?xf64>) (%s: f64) -> tensor<?x?xf64> {
    %y, %xs_bar = ad.vjp @f(%xs, %is, %s) seed(%one) {wrt = array<i64: 0>}
        : (tensor<?xf64>, tensor<?xi64>, f64), (f64) -> (f64, tensor<?xf64>)
    soac.yield %xs_bar : tensor<?xf64>
  }
  return %rows : tensor<?x?xf64>
}
// The sum of all rows is 3 (x0 + x1 + x2) (x0^2 + x1^2 + 2 x2^2); at (1, 2, 3), with the sum 6 and the
// weighted squares 23: 3 (23 + 6 (2, 4, 12)).
// CHECK: [105.0, 141.0, 285.0]
func.func @outer(%xs: tensor<?xf64>, %is: tensor<?xi64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %ones = tensor.splat %one[%n, %n] : tensor<?x?xf64>
  %rows, %xs_bar = ad.vjp @inner_gradients(%xs, %is) seed(%ones)
      : (tensor<?xf64>, tensor<?xi64>), (tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?xf64>)
  return %xs_bar : tensor<?xf64>
}
