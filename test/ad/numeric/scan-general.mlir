// Derivatives of soac.scan by the sequential return loop agree with central differences and with
// each other: rows of dynamic size that the operator mixes, l op r = l + (1 + sum (l k)) r.
// RUN: %python %S/../../driver/Inputs/npy.py %t.m32.npy '<f8' '(3,2)' 0.5 1.5 -0.7 2.1 0.4 0.3
// RUN: %python %S/../../driver/Inputs/npy.py %t.m12.npy '<f8' '(1,2)' 0.5 1.5
// RUN: %python %S/../../driver/Inputs/npy.py %t.m02.npy '<f8' '(0,2)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.zero.npy '<f8' '(2,)' 0 0
// RUN: %python %S/../../driver/Inputs/npy.py %t.k.npy '<f8' '(2,)' 0.3 -0.4
// RUN: ad-opt check %s --entry=in --input=%t.m32.npy --input=%t.zero.npy --input=%t.k.npy
// RUN: ad-opt check %s --entry=in --input=%t.m12.npy --input=%t.zero.npy --input=%t.k.npy
// RUN: ad-opt check %s --entry=in --input=%t.m02.npy --input=%t.zero.npy --input=%t.k.npy
// RUN: ad-opt check %s --entry=ex_rev --input=%t.m32.npy --input=%t.zero.npy --input=%t.k.npy
// RUN: ad-opt check %s --entry=ex_rev --input=%t.m02.npy --input=%t.zero.npy --input=%t.k.npy
// RUN: ad-opt check %s --entry=pullback --input=%t.m32.npy --input=%t.zero.npy --input=%t.k.npy

func.func private @mix(%l: tensor<?xf64>, %r: tensor<?xf64>, %k: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %lk = soac.map ins(%l, %k : tensor<?xf64>, tensor<?xf64>) (%u: f64, %v: f64) -> tensor<?xf64> {
    %0 = arith.mulf %u, %v : f64
    soac.yield %0 : f64
  }
  %s = soac.reduce ins(%lk : tensor<?xf64>) neutral(%zero : f64) (%u: f64, %v: f64) {
    %0 = arith.addf %u, %v : f64
    soac.yield %0 : f64
  }
  %f = arith.addf %one, %s : f64
  %t = soac.map ins(%l, %r : tensor<?xf64>, tensor<?xf64>) (%u: f64, %v: f64) -> tensor<?xf64> {
    %0 = arith.mulf %f, %v : f64
    %1 = arith.addf %u, %0 : f64
    soac.yield %1 : f64
  }
  return %t : tensor<?xf64>
}
func.func @in(%xs: tensor<?x?xf64>, %e: tensor<?xf64>, %k: tensor<?xf64>) -> tensor<?x?xf64> {
  %ys = soac.scan ins(%xs : tensor<?x?xf64>) neutral(%e : tensor<?xf64>)
      (%l: tensor<?xf64>, %r: tensor<?xf64>) {
    %t = func.call @mix(%l, %r, %k) : (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    soac.yield %t : tensor<?xf64>
  }
  return %ys : tensor<?x?xf64>
}
func.func @ex_rev(%xs: tensor<?x?xf64>, %e: tensor<?xf64>, %k: tensor<?xf64>) -> tensor<?x?xf64> {
  %ys = soac.scan ins(%xs : tensor<?x?xf64>) neutral(%e : tensor<?xf64>)
      (%l: tensor<?xf64>, %r: tensor<?xf64>) attributes {exclusive, reverse} {
    %t = func.call @mix(%l, %r, %k) : (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    soac.yield %t : tensor<?xf64>
  }
  return %ys : tensor<?x?xf64>
}
// Second order, through the loop.
func.func @pullback(%xs: tensor<?x?xf64>, %e: tensor<?xf64>, %k: tensor<?xf64>) -> tensor<?x?xf64> {
  %r:2 = ad.vjp @in(%xs, %e, %k) seed(%xs) {wrt = array<i64: 0>}
      : (tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>), (tensor<?x?xf64>)
      -> (tensor<?x?xf64>, tensor<?x?xf64>)
  return %r#1 : tensor<?x?xf64>
}
