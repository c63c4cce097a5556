// futhark#2522: an adjoint was consumed by two updates. An array is overwritten in two places, and the
// array before, between and after the updates is read; all of it inside a map as well.
// RUN: %python %S/../driver/Inputs/npy.py %t.npy '<f8' '(3,)' 1.5 -2 3
// RUN: %python %S/../driver/Inputs/npy.py %t.rows.npy '<f8' '(2, 3)' 1.5 -2 3 0.5 1 -1
// RUN: ad-opt check %s --entry=updates --input=%t.npy
// RUN: ad-opt check %s --entry=mapped --input=%t.rows.npy
// RUN: ad-opt check %s --entry=gradient --input=%t.npy
// RUN: ad-opt run %s --entry=gradient --input=%t.npy | FileCheck %s

// With x0 x1 at 0 and then x1 x2 at 1: the sum over before + between + after weighted by 1, 2, 3.
func.func @updates(%xs: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %two = arith.constant 2.0 : f64
  %three = arith.constant 3.0 : f64
  %x0 = tensor.extract %xs[%c0] : tensor<?xf64>
  %x1 = tensor.extract %xs[%c1] : tensor<?xf64>
  %x2 = tensor.extract %xs[%c2] : tensor<?xf64>
  %p = arith.mulf %x0, %x1 : f64
  %ys = tensor.insert %p into %xs[%c0] : tensor<?xf64>
  %q = arith.mulf %x1, %x2 : f64
  %zs = tensor.insert %q into %ys[%c1] : tensor<?xf64>
  %a = func.call @sum(%xs) : (tensor<?xf64>) -> f64
  %b = func.call @sum(%ys) : (tensor<?xf64>) -> f64
  %c = func.call @sum(%zs) : (tensor<?xf64>) -> f64
  %b2 = arith.mulf %two, %b : f64
  %c3 = arith.mulf %three, %c : f64
  %ab = arith.addf %a, %b2 : f64
  %abc = arith.addf %ab, %c3 : f64
  return %abc : f64
}
func.func private @sum(%xs: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %s = soac.reduce ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.addf %l, %r : f64
    soac.yield %t : f64
  }
  return %s : f64
}
func.func @mapped(%rows: tensor<?x?xf64>) -> tensor<?xf64> {
  %ys = soac.map ins(%rows : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?xf64> {
    %y = func.call @updates(%row) : (tensor<?xf64>) -> f64
    soac.yield %y : f64
  }
  return %ys : tensor<?xf64>
}
// (1 + 5 x1, 3 + 5 x0 + 3 x2, 6 + 3 x1)
// CHECK: [-9.0, 19.5, 0.0]
func.func @gradient(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %y, %xs_bar = ad.vjp @updates(%xs) seed(%one) : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %xs_bar : tensor<?xf64>
}
