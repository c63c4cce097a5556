// Recursion that wraps a function in another one at each call ends in an error where the function is made: copies for all
// ways in which it is known would have no end. It is one error, of however many copies there are.
// RUN: not ad-opt %s --ad-differentiate -o %t 2>&1 | FileCheck %s

func.func private @id(%x: f64) -> f64 {
  return %x : f64
}
func.func private @after(%x: f64, %c: !ad.closure<(f64) -> f64>, %v: f64) -> f64 {
  %p = arith.mulf %x, %v : f64
  %r = ad.call %c(%p) : !ad.closure<(f64) -> f64>
  return %r : f64
}
func.func private @power(%n: index, %x: f64, %c: !ad.closure<(f64) -> f64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.cmpi eq, %n, %c0 : index
  cf.cond_br %last, ^call, ^wrap
^call:
  %r = ad.call %c(%x) : !ad.closure<(f64) -> f64>
  return %r : f64
^wrap:
  %m = arith.subi %n, %c1 : index
  // CHECK: [[@LINE+2]]:8: error: 'ad.closure' op captures a function that may be of its own kind, so that nothing bounds what it takes
  // CHECK-NOT: error
  %d = ad.closure @after(%x, %c) : (f64, !ad.closure<(f64) -> f64>) -> !ad.closure<(f64) -> f64>
  %s = func.call @power(%m, %x, %d) : (index, f64, !ad.closure<(f64) -> f64>) -> f64
  return %s : f64
}
func.func @f(%x: f64, %n: index) -> f64 {
  %i = ad.closure @id() : () -> !ad.closure<(f64) -> f64>
  %r = func.call @power(%n, %x, %i) : (index, f64, !ad.closure<(f64) -> f64>) -> f64
  return %r : f64
}
