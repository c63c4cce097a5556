// What calls itself, directly or through others, is not inlined; what it is called from is (M18).
// RUN: ad-opt %s --ad-bound-inlining | FileCheck %s
// RUN: ad-opt %s --ad-optimize | FileCheck %s --check-prefix=OPTIMIZED

// CHECK: func.func @plain(
// CHECK-NOT: no_inline
// CHECK: func.func @power(
// CHECK-SAME: no_inline
// CHECK: func.func @even(
// CHECK-SAME: no_inline
// CHECK: func.func @odd(
// CHECK-SAME: no_inline

// Two calls of itself are two calls, also in the derivative.
// OPTIMIZED-LABEL: func.func @fibonacci_gradient(
// OPTIMIZED: call @fibonacci.forward_0
// OPTIMIZED: call @fibonacci.pullback_0
// OPTIMIZED-NOT: call @
// OPTIMIZED: func.func private @fibonacci.forward_0
// OPTIMIZED-COUNT-2: call @fibonacci.forward_0
// OPTIMIZED-NOT: call @
// OPTIMIZED: func.func private @fibonacci.pullback_0
// OPTIMIZED-COUNT-2: call @fibonacci.pullback_0
// OPTIMIZED-NOT: call @

func.func @plain(%x: f64, %n: index) -> f64 {
  %y = func.call @power(%x, %n) : (f64, index) -> f64
  return %y : f64
}

func.func @power(%x: f64, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %is_done = arith.cmpi eq, %n, %zero : index
  %y = scf.if %is_done -> f64 {
    %r = arith.constant 1.0 : f64
    scf.yield %r : f64
  } else {
    %less = arith.subi %n, %one : index
    %r = func.call @power(%x, %less) : (f64, index) -> f64
    %p = arith.mulf %r, %x : f64
    scf.yield %p : f64
  }
  return %y : f64
}

func.func @even(%n: index) -> i1 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %is_done = arith.cmpi eq, %n, %zero : index
  %y = scf.if %is_done -> i1 {
    %r = arith.constant true
    scf.yield %r : i1
  } else {
    %less = arith.subi %n, %one : index
    %r = func.call @odd(%less) : (index) -> i1
    scf.yield %r : i1
  }
  return %y : i1
}

func.func @odd(%n: index) -> i1 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %is_done = arith.cmpi eq, %n, %zero : index
  %y = scf.if %is_done -> i1 {
    %r = arith.constant false
    scf.yield %r : i1
  } else {
    %less = arith.subi %n, %one : index
    %r = func.call @even(%less) : (index) -> i1
    scf.yield %r : i1
  }
  return %y : i1
}

func.func private @fibonacci(%x: f64, %n: index) -> f64 {
  %two = arith.constant 2 : index
  %one = arith.constant 1 : index
  %is_small = arith.cmpi ult, %n, %two : index
  cf.cond_br %is_small, ^done(%x : f64), ^more
^more:
  %n1 = arith.subi %n, %one : index
  %n2 = arith.subi %n, %two : index
  %a = func.call @fibonacci(%x, %n1) : (f64, index) -> f64
  %b = func.call @fibonacci(%x, %n2) : (f64, index) -> f64
  %c = arith.mulf %a, %b : f64
  cf.br ^done(%c : f64)
^done(%y: f64):
  return %y : f64
}

func.func @fibonacci_gradient(%x: f64, %n: index) -> f64 {
  %seed = arith.constant 1.0 : f64
  %y, %bar = ad.vjp @fibonacci(%x, %n) seed(%seed) : (f64, index), (f64) -> (f64, f64)
  return %bar : f64
}
