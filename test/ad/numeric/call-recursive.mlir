// Recursion, which the paper leaves out (F63): a derivative function calls itself, in both modes and
// twice over. x^n by squaring: the slope of x^5 at 2 is 80, and of that 160.
// RUN: ad-opt check %s --entry=power --input=0.9 --input=5
// RUN: ad-opt check %s --entry=slope --input=0.9 --input=5
// RUN: ad-opt run %s --entry=slope --input=2.0 --input=5 | FileCheck %s --check-prefix=SLOPE
// RUN: ad-opt run %s --entry=curvature --input=2.0 --input=5 | FileCheck %s --check-prefix=CURVATURE
// RUN: ad-opt run %s --entry=slope --input=2.0 --input=0 | FileCheck %s --check-prefix=NONE

func.func @power(%x: f64, %n: i64) -> f64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %done = arith.cmpi sle, %n, %c0 : i64
  %y = scf.if %done -> f64 {
    %one = arith.constant 1.0 : f64
    scf.yield %one : f64
  } else {
    %odd = arith.remsi %n, %c2 : i64
    %is_odd = arith.cmpi eq, %odd, %c1 : i64
    %z = scf.if %is_odd -> f64 {
      %m = arith.subi %n, %c1 : i64
      %p = func.call @power(%x, %m) : (f64, i64) -> f64
      %q = arith.mulf %x, %p : f64
      scf.yield %q : f64
    } else {
      %m = arith.divsi %n, %c2 : i64
      %p = func.call @power(%x, %m) : (f64, i64) -> f64
      %q = arith.mulf %p, %p : f64
      scf.yield %q : f64
    }
    scf.yield %z : f64
  }
  return %y : f64
}
// SLOPE: 80.0
// NONE: 0.0
func.func @slope(%x: f64, %n: i64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @power(%x, %n) seed(%one) : (f64, i64), (f64) -> (f64, f64)
  return %x_bar : f64
}
// CURVATURE: 160.0
func.func @curvature(%x: f64, %n: i64) -> f64 {
  %one = arith.constant 1.0 : f64
  %s, %s_dot = ad.jvp @slope(%x, %n) seed(%one) : (f64, i64), (f64) -> (f64, f64)
  return %s_dot : f64
}
