// Requests inside map bodies, loops and branches, differentiated from outside [F04, F06, F55].
// RUN: %python %S/../../driver/Inputs/npy.py %t.npy '<f8' '(3,)' 0.5 2 -1
// RUN: ad-opt run %s --entry=in_map --input=%t.npy | FileCheck %s --check-prefix=MAP
// RUN: ad-opt check %s --entry=in_map --input=%t.npy
// RUN: ad-opt check %s --entry=free --input=%t.npy --input=0.7
// RUN: ad-opt run %s --entry=newton --input=2.0 --input=8 | FileCheck %s --check-prefix=NEWTON
// RUN: ad-opt run %s --entry=newton_derivative --input=2.0 --input=8 | FileCheck %s --check-prefix=IMPLICIT
// RUN: ad-opt check %s --entry=newton --input=2.0 --input=8
// RUN: ad-opt check %s --entry=in_branch --input=2.0 --input=true
// RUN: ad-opt check %s --entry=in_branch --input=2.0 --input=false

// d/dx x^2 per element.
// MAP: [1.0, 4.0, -2.0]
func.func private @square(%x: f64) -> f64 {
  %y = arith.mulf %x, %x : f64
  return %y : f64
}
func.func @in_map(%xs: tensor<3xf64>) -> tensor<3xf64> {
  %one = arith.constant 1.0 : f64
  %r = soac.map ins(%xs : tensor<3xf64>) (%x: f64) -> tensor<3xf64> {
    %d:2 = ad.vjp @square(%x) seed(%one) : (f64), (f64) -> (f64, f64)
    soac.yield %d#1 : f64
  }
  return %r : tensor<3xf64>
}

// The seed and an argument are free variables of the body, used by outer derivatives.
func.func private @mixed(%x: f64, %c: f64) -> f64 {
  %y = arith.mulf %x, %c : f64
  %z = math.sin %y : f64
  return %z : f64
}
func.func @free(%xs: tensor<3xf64>, %c: f64) -> tensor<3xf64> {
  %r = soac.map ins(%xs : tensor<3xf64>) (%x: f64) -> tensor<3xf64> {
    %d:2 = ad.jvp @mixed(%x, %c) seed(%c) {wrt = array<i64: 0>} : (f64, f64), (f64) -> (f64, f64)
    %e:2 = ad.vjp @mixed(%x, %c) seed(%d#1) {wrt = array<i64: 1>} : (f64, f64), (f64) -> (f64, f64)
    soac.yield %e#1 : f64
  }
  return %r : tensor<3xf64>
}

// Newton's iteration for sqrt a: the derivative of x^2 - a inside a loop.
// NEWTON: 1.41421356237
// IMPLICIT: 0.35355339059
func.func private @residual(%x: f64, %a: f64) -> f64 {
  %x2 = arith.mulf %x, %x : f64
  %y = arith.subf %x2, %a : f64
  return %y : f64
}
func.func @newton(%a: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %x = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> f64 {
    %r:2 = ad.jvp @residual(%x, %a) seed(%one) {wrt = array<i64: 0>} : (f64, f64), (f64) -> (f64, f64)
    %step = arith.divf %r#0, %r#1 : f64
    %next = arith.subf %x, %step : f64
    scf.yield %next : f64
  }
  return %x : f64
}
func.func @newton_derivative(%a: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @newton(%a, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %r#1 : f64
}

func.func @in_branch(%x: f64, %c: i1) -> f64 {
  %one = arith.constant 1.0 : f64
  %r = scf.if %c -> f64 {
    %d:2 = ad.vjp @square(%x) seed(%x) : (f64), (f64) -> (f64, f64)
    scf.yield %d#1 : f64
  } else {
    %d:2 = ad.jvp @square(%x) seed(%one) : (f64), (f64) -> (f64, f64)
    %e = arith.mulf %d#0, %d#1 : f64
    scf.yield %e : f64
  }
  return %r : f64
}
