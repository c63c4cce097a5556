// Tapes of numbers stay on the host, with the loops that push and pop.
// RUN: ad-opt run %s --entry=pow --input=1.5 --input=4 --target=gpu-emulate | FileCheck %s

// CHECK: 5.0625
// CHECK-NEXT: 13.5
func.func @pow(%x: f64, %n: index) -> (f64, f64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 1.0 : f64
  %none = arith.constant 0.0 : f64
  %t = ad.tape_create : !ad.tape<f64>
  %y = scf.for %i = %zero to %n step %one iter_args(%r = %start) -> f64 {
    ad.tape_push %t, %r : !ad.tape<f64>
    %p = arith.mulf %r, %x : f64
    scf.yield %p : f64
  }
  %g:2 = scf.for %i = %zero to %n step %one iter_args(%r_bar = %start, %x_bar = %none) -> (f64, f64) {
    %r = ad.tape_pop %t : !ad.tape<f64>
    %d = arith.mulf %r_bar, %r : f64
    %s = arith.addf %x_bar, %d : f64
    %q = arith.mulf %r_bar, %x : f64
    scf.yield %q, %s : f64, f64
  }
  ad.tape_free %t : !ad.tape<f64>
  return %y, %g#1 : f64, f64
}
