// Derivatives of soac.reduce with any associative operator agree with central differences and with each other.
// RUN: %python %S/../../driver/Inputs/npy.py %t.x4.npy '<f8' '(4,)' 0.5 1.5 -0.7 2.1
// RUN: %python %S/../../driver/Inputs/npy.py %t.y4.npy '<f8' '(4,)' 1.2 0.3 0.9 -1.4
// RUN: %python %S/../../driver/Inputs/npy.py %t.x0.npy '<f8' '(0,)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.x1.npy '<f8' '(1,)' 0.6
// RUN: ad-opt check %s --entry=linear --input=%t.x4.npy --input=%t.y4.npy
// RUN: ad-opt check %s --entry=linear --input=%t.x0.npy --input=%t.x0.npy
// RUN: ad-opt check %s --entry=linear --input=%t.x1.npy --input=%t.x1.npy
// RUN: ad-opt check %s --entry=scaled --input=%t.x4.npy --input=0.3
// RUN: ad-opt check %s --entry=scaled --input=%t.x0.npy --input=0.3
// RUN: ad-opt check %s --entry=scaled --input=%t.x1.npy --input=0.3

// The composition of linear functions, which is not commutative [F22].
func.func @linear(%as: tensor<?xf64>, %bs: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %s:2 = soac.reduce ins(%as, %bs : tensor<?xf64>, tensor<?xf64>) neutral(%zero, %one : f64, f64) (%a: f64, %b: f64, %c: f64, %d: f64) {
    %bc = arith.mulf %b, %c : f64
    %e = arith.addf %a, %bc : f64
    %f = arith.mulf %b, %d : f64
    soac.yield %e, %f : f64, f64
  }
  return %s#0 : f64
}

// An operator with a free variable [F24].
func.func @scaled(%xs: tensor<?xf64>, %k: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %s = soac.reduce ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %p = arith.mulf %l, %r : f64
    %q = arith.mulf %p, %k : f64
    %t = arith.addf %l, %r : f64
    %u = arith.addf %t, %q : f64
    soac.yield %u : f64
  }
  return %s : f64
}
