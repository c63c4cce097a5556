// Derivatives of the reverse mode of functions that call themselves are reverse mode over forward mode, in halves again: it
// runs nothing a second time, so that functions may write to memory, and takes time in proportion to that of the function (Z17).
// RUN: ad-opt %s --ad-differentiate | FileCheck %s
// RUN: ad-opt run %s --entry=derivatives --input=2.0 --input=2 | FileCheck %s --check-prefix=VALUES
// RUN: ad-opt run %s --entry=derivatives --input=2.0 --input=2 --target=gpu-emulate | FileCheck %s --check-prefix=VALUES
// RUN: ad-opt run %s --entry=derivatives --input=2.0 --input=0 | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %s --entry=seeds --input=3.0 --input=2 | FileCheck %s --check-prefix=SEEDS
// RUN: ad-opt check %s --entry=slope --input=1.1 --input=3
// RUN: ad-opt check %s --entry=curvature --input=1.1 --input=2
// RUN: ad-opt check %s --entry=hessian_times --input=1.1 --input=2 --input=0.7
// RUN: ad-opt check %s --entry=scaled --input=1.1 --input=2 --input=0.3
// RUN: ad-opt check %s --entry=tree_gradient --input=0.7 --input=4
// RUN: ad-opt check %s --entry=ruled_gradient --input=0.7 --input=3

// CHECK-NOT: func.func private @power.vjp_0.whole
// CHECK: func.func private @power.vjp_0.jvp_0
// CHECK-NOT: func.func private @power.vjp_0.whole
// CHECK: func.func private @ruled.vjp_0.whole

// Squares what is in memory n times: x^(2^n).
func.func private @squares(%m: memref<1xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %is_last = arith.cmpi eq, %n, %c0 : index
  %x = memref.load %m[%c0] : memref<1xf64>
  %r = scf.if %is_last -> f64 {
    scf.yield %x : f64
  } else {
    %square = arith.mulf %x, %x : f64
    memref.store %square, %m[%c0] : memref<1xf64>
    %rest = arith.subi %n, %c1 : index
    %y = func.call @squares(%m, %rest) : (memref<1xf64>, index) -> f64
    scf.yield %y : f64
  }
  return %r : f64
}
func.func private @power(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<1xf64>
  memref.store %x, %m[%c0] : memref<1xf64>
  %y = func.call @squares(%m, %n) : (memref<1xf64>, index) -> f64
  memref.dealloc %m : memref<1xf64>
  return %y : f64
}
func.func @slope(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @power(%x, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %x_bar : f64
}
func.func @curvature(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %slope, %moved = ad.jvp @slope(%x, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %moved : f64
}
// 4 x^3, 12 x^2 and 24 x of x = 2.
// VALUES: 32.0
// VALUES-NEXT: 48.0
// VALUES-NEXT: 48.0
// NONE: 1.0
// NONE-NEXT: 0.0
// NONE-NEXT: 0.0
func.func @derivatives(%x: f64, %n: index) -> (f64, f64, f64) {
  %one = arith.constant 1.0 : f64
  %first = func.call @slope(%x, %n) : (f64, index) -> f64
  %second, %third = ad.jvp @curvature(%x, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %first, %second, %third : f64, f64, f64
}

// Reverse mode over reverse mode.
func.func @hessian_times(%x: f64, %n: index, %v: f64) -> f64 {
  %slope, %product = ad.vjp @slope(%x, %n) seed(%v) : (f64, index), (f64) -> (f64, f64)
  return %product : f64
}

// The tangent of a seed alone, and the value's own: x^4 and 4 x^3 times 2 of x = 3, moved by a seed of 2 + e and by x + e.
// SEEDS: 216.0
// SEEDS-NEXT: 108.0
// SEEDS-NEXT: 81.0
// SEEDS-NEXT: 108.0
// SEEDS-NEXT: 324.0
func.func @scaled(%x: f64, %n: index, %seed: f64) -> (f64, f64) {
  %y, %x_bar = ad.vjp @power(%x, %n) seed(%seed) : (f64, index), (f64) -> (f64, f64)
  return %y, %x_bar : f64, f64
}
func.func @seeds(%x: f64, %n: index) -> (f64, f64, f64, f64, f64) {
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %y, %bar, %y_still, %bar_by_seed = ad.jvp @scaled(%x, %n, %two) seed(%one) {wrt = array<i64: 2>}
      : (f64, index, f64), (f64) -> (f64, f64, f64, f64)
  %z, %bar1, %z_moved, %bar_by_both = ad.jvp @scaled(%x, %n, %two) seed(%one, %one) {wrt = array<i64: 0, 2>}
      : (f64, index, f64), (f64, f64) -> (f64, f64, f64, f64)
  return %bar, %bar_by_seed, %y, %z_moved, %bar_by_both : f64, f64, f64, f64, f64
}

// Two calls each, without memory: also reverse mode over reverse mode.
func.func private @tree(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant 0.5 : f64
  %is_last = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %is_last -> f64 {
    scf.yield %x : f64
  } else {
    %rest = arith.subi %n, %c1 : index
    %sine = math.sin %x : f64
    %part = arith.mulf %x, %half : f64
    %left = func.call @tree(%sine, %rest) : (f64, index) -> f64
    %right = func.call @tree(%part, %rest) : (f64, index) -> f64
    %product = arith.mulf %left, %right : f64
    %sum = arith.addf %product, %x : f64
    scf.yield %sum : f64
  }
  return %r : f64
}
func.func @tree_gradient(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @tree(%x, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %x_bar : f64
}

// A rule says what the derivative is, also that of the derivative: derivatives do not change places then.
func.func private @bump(%x: f64) -> f64 attributes {custom_vjp = @bump_vjp} {
  %y = math.exp %x : f64
  return %y : f64
}
func.func private @bump_vjp(%x: f64, %y_bar: f64) -> (f64, f64) {
  %y = math.exp %x : f64
  %x_bar = arith.mulf %y, %y_bar : f64
  return %y, %x_bar : f64, f64
}
func.func private @ruled(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %is_last = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %is_last -> f64 {
    scf.yield %x : f64
  } else {
    %rest = arith.subi %n, %c1 : index
    %b = func.call @bump(%x) : (f64) -> f64
    %t = math.tanh %b : f64
    %y = func.call @ruled(%t, %rest) : (f64, index) -> f64
    scf.yield %y : f64
  }
  return %r : f64
}
func.func @ruled_gradient(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @ruled(%x, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %x_bar : f64
}
func.func @ruled_curvature(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %slope, %moved = ad.jvp @ruled_gradient(%x, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %moved : f64
}
