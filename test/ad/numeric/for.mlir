// Derivatives of scf.for agree with central differences and with each other.
// RUN: %python %S/../../driver/Inputs/npy.py %t.x4.npy '<f8' '(4,)' 0.5 1.5 -0.7 2.1
// RUN: %python %S/../../driver/Inputs/npy.py %t.x0.npy '<f8' '(0,)'
// RUN: ad-opt check %s --entry=taken_over --input=3 --input=0.8
// RUN: ad-opt check %s --entry=power --input=5 --input=1.1 --input=0.9
// RUN: ad-opt check %s --entry=power --input=0 --input=1.1 --input=0.9
// RUN: ad-opt check %s --entry=power --input=1 --input=1.1 --input=0.9
// RUN: ad-opt check %s --entry=sum --input=%t.x4.npy
// RUN: ad-opt check %s --entry=sum --input=%t.x0.npy
// RUN: ad-opt check %s --entry=swap --input=2 --input=13 --input=3 --input=1.1 --input=0.9
// RUN: ad-opt check %s --entry=swap --input=5 --input=2 --input=3 --input=1.1 --input=0.9

// A free variable of the loop, also used before it: its adjoint is taken over [F17].
func.func @taken_over(%n: index, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = math.sin %x : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %s) -> f64 {
    %q = arith.addf %p, %x : f64
    scf.yield %q : f64
  }
  %y = arith.mulf %r, %x : f64
  return %y : f64
}

// One tape: only x is read by the return sweep.
func.func @power(%n: index, %x: f64, %y: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %y) -> f64 {
    %q = arith.mulf %p, %x : f64
    scf.yield %q : f64
  }
  return %r : f64
}

// A linear loop reads no carried value: no tape at all.
func.func @sum(%xs: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %t = arith.addf %s, %x : f64
    scf.yield %t : f64
  }
  return %r : f64
}

// Two carried values that swap, and bounds that are not 0, n, 1 [F09].
func.func @swap(%lb: index, %ub: index, %step: index, %x: f64, %y: f64) -> (f64, f64) {
  %r:2 = scf.for %i = %lb to %ub step %step iter_args(%a = %x, %b = %y) -> (f64, f64) {
    %p = arith.mulf %a, %b : f64
    scf.yield %b, %p : f64, f64
  }
  return %r#0, %r#1 : f64, f64
}
