// A bound that is too small is an error when the program runs, never a wrong answer.
// RUN: not ad-opt run %s --entry=gradient --input=100.0 2>&1 | FileCheck %s
// RUN: ad-opt run %s --entry=gradient --input=3.0 | FileCheck %s --check-prefix=ENOUGH
// CHECK: the compiled program was stopped: an assertion failed
// ENOUGH: 0.25
func.func private @halve(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %half = arith.constant 0.5 : f64
  %r = scf.while (%p = %x) : (f64) -> f64 {
    %c = arith.cmpf ogt, %p, %one : f64
    scf.condition(%c) %p : f64
  } do {
  ^bb0(%p: f64):
    %q = arith.mulf %p, %half : f64
    scf.yield %q : f64
  } attributes {ad.bound = 3 : i64}
  return %r : f64
}
func.func @gradient(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @halve(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}
