// A promise about an array that a loop hands on as it is, or replaces by one from outside, was refused
// as if it were updated otherwise. Simplification and the return sweep make such loops, too.
// RUN: %python %S/../driver/Inputs/npy.py %t.npy '<f8' '(5,)' 1 2 3 4 5
// RUN: ad-opt check %s --entry=same --input=%t.npy --input=5
// RUN: ad-opt check %s --entry=other --input=%t.npy --input=5
// RUN: ad-opt check %s --entry=other --input=%t.npy --input=1
// RUN: ad-opt run %s --entry=other --input=%t.npy --input=2 | FileCheck %s

// x[1] times sin(x[1]) * 0 + x[1], as the array that is handed on is x.
// CHECK: 4.0

func.func @same(%x: tensor<?xf64>, %n: index) -> f64 {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %a, %s = scf.for %i = %c1 to %n step %c1 iter_args(%y = %x, %t = %zero) -> (tensor<?xf64>, f64) {
    %v = tensor.extract %x[%i] : tensor<?xf64>
    %w = math.sin %v : f64
    %u = arith.mulf %w, %t : f64
    %z = arith.addf %u, %v : f64
    scf.yield %y, %z : tensor<?xf64>, f64
  } {ad.no_false_dependencies = array<i1: true, false>}
  %b = tensor.extract %a[%c1] : tensor<?xf64>
  %r = arith.mulf %b, %s : f64
  return %r : f64
}

func.func @other(%x: tensor<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %two = arith.constant 2.0 : f64
  %start = tensor.insert %two into %x[%c1] : tensor<?xf64>
  %a, %s = scf.for %i = %c1 to %n step %c1 iter_args(%y = %start, %t = %zero) -> (tensor<?xf64>, f64) {
    %v = tensor.extract %y[%i] : tensor<?xf64>
    %w = math.sin %v : f64
    %u = arith.mulf %w, %t : f64
    %z = arith.addf %u, %v : f64
    scf.yield %x, %z : tensor<?xf64>, f64
  } {ad.no_false_dependencies = array<i1: true, false>}
  %b = tensor.extract %a[%c1] : tensor<?xf64>
  %r = arith.mulf %b, %s : f64
  return %r : f64
}
