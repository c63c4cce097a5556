// Recursion, which the paper leaves out (F63): a derivative function calls itself, in both modes and
// twice over. x^n by squaring: the slope of x^5 at 2 is 80, and of that 160.
// RUN: %python %S/../../driver/Inputs/npy.py %t.x3.npy '<f8' '(3,)' 0.5 1.2 -0.7
// RUN: ad-opt check %s --entry=power --input=0.9 --input=5
// RUN: ad-opt check %s --entry=slope --input=0.9 --input=5
// RUN: ad-opt check %s --entry=even --input=0.9 --input=5
// RUN: ad-opt check %s --entry=even --input=0.9 --input=0 --engine=interpreter
// RUN: ad-opt check %s --entry=tree --input=0.7 --input=3
// RUN: ad-opt check %s --entry=tree --input=0.7 --input=3 --engine=interpreter
// RUN: ad-opt check %s --entry=with_loop --input=%t.x3.npy --input=3
// RUN: ad-opt check %s --entry=in_loop --input=0.7 --input=3
// RUN: ad-opt check %s --entry=in_loop --input=0.7 --input=3 --engine=interpreter
// RUN: ad-opt check %s --entry=switched --input=0.7 --input=7
// RUN: ad-opt check %s --entry=until --input=0.7 --input=3
// RUN: ad-opt check %s --entry=in_map --input=0.7 --input=3
// RUN: ad-opt check %s --entry=repeated --input=0.7 --input=3
// RUN: ad-opt run %s --entry=slope --input=2.0 --input=5 | FileCheck %s --check-prefix=SLOPE
// RUN: ad-opt run %s --entry=curvature_back --input=2.0 --input=5 | FileCheck %s --check-prefix=CURVATURE
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
func.func @curvature_back(%x: f64, %n: i64) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @slope(%x, %n) seed(%one) : (f64, i64), (f64) -> (f64, f64)
  return %r#1 : f64
}

// Two functions that call each other [Z27].
func.func @even(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %done = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %done -> f64 {
    %s = math.exp %x : f64
    scf.yield %s : f64
  } else {
    %m = arith.subi %n, %c1 : index
    %p = func.call @odd(%m, %x) : (index, f64) -> f64
    %q = arith.mulf %p, %x : f64
    scf.yield %q : f64
  }
  return %r : f64
}
func.func private @odd(%n: index, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %done = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %done -> f64 {
    scf.yield %x : f64
  } else {
    %m = arith.subi %n, %c1 : index
    %p = func.call @even(%x, %m) : (f64, index) -> f64
    %q = math.sin %p : f64
    scf.yield %q : f64
  }
  return %r : f64
}

// A function that calls itself twice, the second time with what the first call gave; each has two results.
func.func private @twig(%x: f64, %n: index) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %done = arith.cmpi eq, %n, %c0 : index
  %r:2 = scf.if %done -> (f64, f64) {
    %s = math.sin %x : f64
    scf.yield %s, %x : f64, f64
  } else {
    %m = arith.subi %n, %c1 : index
    %p:2 = func.call @twig(%x, %m) : (f64, index) -> (f64, f64)
    %u = arith.mulf %p#0, %x : f64
    %q:2 = func.call @twig(%u, %m) : (f64, index) -> (f64, f64)
    %v = arith.addf %q#0, %p#1 : f64
    scf.yield %v, %q#0 : f64, f64
  }
  return %r#0, %r#1 : f64, f64
}
func.func @tree(%x: f64, %n: index) -> f64 {
  %r:2 = call @twig(%x, %n) : (f64, index) -> (f64, f64)
  %y = arith.mulf %r#0, %r#1 : f64
  return %y : f64
}

// Arrays, and a loop beside the call.
func.func @with_loop(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %done = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %done -> tensor<?xf64> {
    scf.yield %x : tensor<?xf64>
  } else {
    %m = arith.subi %n, %c1 : index
    %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<?xf64> {
      %b = math.sin %a : tensor<?xf64>
      scf.yield %b : tensor<?xf64>
    }
    %p = func.call @with_loop(%y, %m) : (tensor<?xf64>, index) -> tensor<?xf64>
    %q = arith.mulf %p, %x : tensor<?xf64>
    scf.yield %q : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// The call is in a loop.
func.func @in_loop(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> f64 {
    %b = func.call @in_loop(%a, %i) : (f64, index) -> f64
    %s = math.sin %b : f64
    %p = arith.mulf %s, %x : f64
    scf.yield %p : f64
  }
  return %y : f64
}

// In a switch.
func.func @switched(%x: f64, %n: index) -> f64 {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %k = arith.remui %n, %c3 : index
  %r = scf.index_switch %k -> f64
  case 0 {
    scf.yield %x : f64
  }
  case 1 {
    %m = arith.subi %n, %c1 : index
    %p = func.call @switched(%x, %m) : (f64, index) -> f64
    %q = arith.mulf %p, %x : f64
    scf.yield %q : f64
  }
  default {
    %m = arith.subi %n, %c1 : index
    %s = math.sin %x : f64
    %p = func.call @switched(%s, %m) : (f64, index) -> f64
    scf.yield %p : f64
  }
  return %r : f64
}

// In a loop of which the end is found when it runs.
func.func @until(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%a = %x, %k = %n) : (f64, index) -> (f64, index) {
    %more = arith.cmpi ne, %k, %c0 : index
    scf.condition(%more) %a, %k : f64, index
  } do {
  ^bb0(%a: f64, %k: index):
    %m = arith.subi %k, %c1 : index
    %b = func.call @until(%a, %m) : (f64, index) -> f64
    %s = math.sin %b : f64
    %p = arith.mulf %s, %a : f64
    scf.yield %p, %m : f64, index
  }
  return %r#0 : f64
}

// In the body of a map, where it is run again.
func.func @in_map(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %done = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %done -> f64 {
    %s = math.sin %x : f64
    scf.yield %s : f64
  } else {
    %m = arith.subi %n, %c1 : index
    %is = tensor.from_elements %c0, %c1 : tensor<2xindex>
    %ys = soac.map ins(%is : tensor<2xindex>) (%i: index) -> tensor<2xf64> {
      %p = func.call @in_map(%x, %m) : (f64, index) -> f64
      %q = arith.mulf %p, %x : f64
      soac.yield %q : f64
    }
    %a = tensor.extract %ys[%c0] : tensor<2xf64>
    %b = tensor.extract %ys[%c1] : tensor<2xf64>
    %t = arith.addf %a, %b : f64
    scf.yield %t : f64
  }
  return %r : f64
}

// A loop that calls a recursive function runs its derivative, tapes and all, in each iteration.
func.func @repeated(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> f64 {
    %b = func.call @even(%a, %i) : (f64, index) -> f64
    %c = arith.mulf %a, %x : f64
    %d = math.sin %c : f64
    %e = arith.mulf %d, %b : f64
    scf.yield %e : f64
  }
  return %y : f64
}
