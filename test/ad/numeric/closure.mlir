// Derivatives through functions that are values: of what is captured and of what is handed over. The interpreter, with
// which the derivatives are compared, runs them as they are written.
// RUN: %python %S/../../driver/Inputs/npy.py %t.x3.npy '<f8' '(3,)' 0.5 -1.2 2.0
// RUN: %python %S/../../driver/Inputs/npy.py %t.x1.npy '<f8' '(1,)' 1.5
// RUN: ad-opt check %s --entry=captured --input=0.7 --input=1.3
// RUN: ad-opt check %s --entry=captured --input=0.7 --input=1.3 --engine=interpreter
// RUN: ad-opt check %s --entry=mapped --input=0.7 --input=%t.x3.npy
// RUN: ad-opt check %s --entry=nested --input=0.7 --input=1.3
// RUN: ad-opt check %s --entry=carried --input=0.7 --input=4 --input=0.9
// RUN: ad-opt check %s --entry=table --input=0 --input=0.7 --input=0.4
// RUN: ad-opt check %s --entry=table --input=1 --input=0.7 --input=0.4
// RUN: ad-opt check %s --entry=table --input=2 --input=0.7 --input=0.4
// RUN: ad-opt check %s --entry=table_in_loop --input=5 --input=0.7 --input=0.4
// RUN: ad-opt check %s --entry=arrays --input=1 --input=%t.x3.npy --input=%t.x1.npy
// RUN: ad-opt check %s --entry=arrays --input=0 --input=%t.x3.npy --input=%t.x1.npy
// RUN: ad-opt check %s --entry=blocks --input=3 --input=0.7 --input=0.4
// RUN: ad-opt check %s --entry=returned --input=0.7 --input=0.4
// RUN: ad-opt check %s --entry=recursive --input=0.7 --input=3 --input=0.4
// RUN: ad-opt run %s --entry=captured_gradient --input=0.5 --input=2.0 | FileCheck %s --check-prefix=CAPTURED
// RUN: ad-opt run %s --entry=shared_gradient --input=2.0 --input=3.0 | FileCheck %s --check-prefix=SHARED
// RUN: ad-opt run %s --entry=mixed_second --input=3.0 --input=2.0 | FileCheck %s --check-prefix=SECOND
// RUN: ad-opt run %s --entry=hidden --input=2.0 --input=5.0 | FileCheck %s --check-prefix=HIDDEN

!f = !ad.closure<(f64) -> f64>

func.func private @scale(%a: f64, %x: f64) -> f64 {
  %y = arith.mulf %a, %x : f64
  return %y : f64
}
func.func private @sine(%x: f64) -> f64 {
  %y = math.sin %x : f64
  return %y : f64
}
func.func private @twice(%f: !f, %x: f64) -> f64 {
  %y = ad.call %f(%x) : !f
  %z = ad.call %f(%y) : !f
  return %z : f64
}

// The captured number has a gradient: of a * sin(a * sin x) [Z25].
func.func @captured(%a: f64, %x: f64) -> f64 {
  %f = ad.lambda (%u: f64) -> f64 {
    %s = math.sin %u : f64
    %v = arith.mulf %a, %s : f64
    ad.yield %v : f64
  }
  %y = call @twice(%f, %x) : (!f, f64) -> f64
  return %y : f64
}

// Of a^2 x the derivatives are 2 a x and a^2.
func.func @squared(%a: f64, %x: f64) -> f64 {
  %f = ad.closure @scale(%a) : (f64) -> !f
  %y = call @twice(%f, %x) : (!f, f64) -> f64
  return %y : f64
}
// CAPTURED: 2.0
// CAPTURED: 0.25
func.func @captured_gradient(%a: f64, %x: f64) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %r:3 = ad.vjp @squared(%a, %x) seed(%one) : (f64, f64), (f64) -> (f64, f64, f64)
  return %r#1, %r#2 : f64, f64
}

// Two closures capture one variable, which is used beside them, too: its contributions are added [M12].
// (a x) + (x + a b) + a: the derivatives are x + b + 1 = 3 + 7 + 1 for a, with b = 7 - not differentiated - and a + 1 for x.
func.func @shared(%a: f64, %x: f64) -> f64 {
  %b = arith.constant 7.0 : f64
  %f = ad.closure @scale(%a) : (f64) -> !f
  %g = ad.lambda (%u: f64) -> f64 {
    %p = arith.mulf %a, %b : f64
    %v = arith.addf %u, %p : f64
    ad.yield %v : f64
  }
  %y = ad.call %f(%x) : !f
  %z = ad.call %g(%x) : !f
  %s = arith.addf %y, %z : f64
  %t = arith.addf %s, %a : f64
  return %t : f64
}
// SHARED: 11.0
// SHARED: 3.0
func.func @shared_gradient(%a: f64, %x: f64) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %r:3 = ad.vjp @shared(%a, %x) seed(%one) : (f64, f64), (f64) -> (f64, f64, f64)
  return %r#1, %r#2 : f64, f64
}

// A function of the language of maps that takes a function [Z26].
func.func private @apply_all(%f: !f, %xs: tensor<?xf64>) -> tensor<?xf64> {
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = ad.call %f(%x) : !f
    soac.yield %y : f64
  }
  return %ys : tensor<?xf64>
}
func.func @mapped(%a: f64, %xs: tensor<?xf64>) -> tensor<?xf64> {
  %f = ad.lambda (%u: f64) -> f64 {
    %p = arith.mulf %a, %u : f64
    %s = math.sin %p : f64
    ad.yield %s : f64
  }
  %ys = call @apply_all(%f, %xs) : (!f, tensor<?xf64>) -> tensor<?xf64>
  return %ys : tensor<?xf64>
}

// Closures that capture closures [M13].
func.func private @compose(%f: !f, %g: !f) -> !f {
  %h = ad.lambda (%x: f64) -> f64 {
    %y = ad.call %g(%x) : !f
    %z = ad.call %f(%y) : !f
    ad.yield %z : f64
  }
  return %h : !f
}
func.func @nested(%a: f64, %x: f64) -> f64 {
  %f = ad.closure @scale(%a) : (f64) -> !f
  %g = ad.closure @sine() : () -> !f
  %h = call @compose(%f, %g) : (!f, !f) -> !f
  %y = call @twice(%h, %x) : (!f, f64) -> f64
  return %y : f64
}

// A closure that every iteration makes anew of what the one before gave.
func.func @carried(%a: f64, %n: index, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = ad.closure @scale(%a) : (f64) -> !f
  %g = scf.for %i = %c0 to %n step %c1 iter_args(%h = %f) -> !f {
    %v = ad.call %h(%x) : !f
    %w = math.sin %v : f64
    %k = ad.closure @scale(%w) : (f64) -> !f
    scf.yield %k : !f
  }
  %y = ad.call %g(%x) : !f
  return %y : f64
}

// The function is known when the program runs [Z29].
func.func private @cosine(%x: f64) -> f64 {
  %y = math.cos %x : f64
  return %y : f64
}
func.func private @choose(%k: index, %a: f64) -> !f {
  %f = scf.index_switch %k -> !f
  case 0 {
    %s = ad.closure @sine() : () -> !f
    scf.yield %s : !f
  }
  case 1 {
    %s = ad.closure @scale(%a) : (f64) -> !f
    scf.yield %s : !f
  }
  default {
    %s = ad.lambda (%u: f64) -> f64 {
      %p = arith.mulf %u, %a : f64
      %q = math.exp %p : f64
      ad.yield %q : f64
    }
    scf.yield %s : !f
  }
  return %f : !f
}
func.func @table(%k: index, %a: f64, %x: f64) -> f64 {
  %f = call @choose(%k, %a) : (index, f64) -> !f
  %y = call @twice(%f, %x) : (!f, f64) -> f64
  return %y : f64
}
func.func @table_in_loop(%n: index, %a: f64, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> f64 {
    %k = arith.remui %i, %c2 : index
    %odd = arith.cmpi eq, %k, %c1 : index
    %s = func.constant @sine : (f64) -> f64
    %c = func.constant @cosine : (f64) -> f64
    %f = arith.select %odd, %s, %c : (f64) -> f64
    %z = func.call_indirect %f(%y) : (f64) -> f64
    %g = func.call @choose(%k, %a) : (index, f64) -> !f
    %w = ad.call %g(%z) : !f
    scf.yield %w : f64
  }
  return %r : f64
}

// Arrays of different sizes are captured.
func.func private @sum(%xs: tensor<?xf64>, %x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %s = soac.reduce ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  %y = arith.mulf %s, %x : f64
  %z = math.sin %y : f64
  return %z : f64
}
func.func @arrays(%k: index, %xs: tensor<?xf64>, %ys: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %first = arith.cmpi eq, %k, %c0 : index
  %f = ad.closure @sum(%xs) : (tensor<?xf64>) -> !f
  %g = ad.closure @sum(%ys) : (tensor<?xf64>) -> !f
  %h = arith.select %first, %f, %g : !f
  %x = tensor.extract %ys[%c0] : tensor<?xf64>
  %y = ad.call %h(%x) : !f
  return %y : f64
}

// Between blocks.
func.func @blocks(%n: index, %a: f64, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = ad.closure @scale(%a) : (f64) -> !f
  cf.br ^header(%n, %f, %x : index, !f, f64)
^header(%k: index, %g: !f, %y: f64):
  %more = arith.cmpi ne, %k, %c0 : index
  cf.cond_br %more, ^body, ^exit
^body:
  %z = ad.call %g(%y) : !f
  %l = arith.subi %k, %c1 : index
  %s = ad.closure @sine() : () -> !f
  %t = ad.closure @scale(%z) : (f64) -> !f
  %bit = arith.andi %k, %c1 : index
  %odd = arith.cmpi ne, %bit, %c0 : index
  %h = arith.select %odd, %s, %t : !f
  cf.br ^header(%l, %h, %z : index, !f, f64)
^exit:
  %r = ad.call %g(%y) : !f
  return %r : f64
}

// A function that returns a function [M04].
func.func private @adder(%a: f64) -> !f {
  %p = math.exp %a : f64
  %f = ad.lambda (%x: f64) -> f64 {
    %y = arith.addf %x, %p : f64
    %z = arith.mulf %y, %a : f64
    ad.yield %z : f64
  }
  return %f : !f
}
func.func @returned(%a: f64, %x: f64) -> f64 {
  %f = call @adder(%a) : (f64) -> !f
  %g = call @adder(%x) : (f64) -> !f
  %y = ad.call %f(%x) : !f
  %z = ad.call %g(%y) : !f
  return %z : f64
}

// Recursion that hands its function on [M10].
func.func private @times(%f: !f, %n: index, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %done = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %done -> f64 {
    scf.yield %x : f64
  } else {
    %m = arith.subi %n, %c1 : index
    %y = ad.call %f(%x) : !f
    %z = func.call @times(%f, %m, %y) : (!f, index, f64) -> f64
    scf.yield %z : f64
  }
  return %r : f64
}
func.func @recursive(%a: f64, %n: index, %x: f64) -> f64 {
  %f = ad.lambda (%u: f64) -> f64 {
    %p = arith.mulf %u, %a : f64
    %s = math.sin %p : f64
    ad.yield %s : f64
  }
  %y = call @times(%f, %n, %x) : (!f, index, f64) -> f64
  return %y : f64
}

// A library function that differentiates the function that it is given, within a function that is differentiated
// [Z41, M14]: for a x^3 the slope is 3 a x^2, and the derivative of that by a is 3 x^2 = 12.
func.func private @call(%f: !f, %x: f64) -> f64 {
  %y = ad.call %f(%x) : !f
  return %y : f64
}
func.func private @slope(%f: !f, %x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @call(%f, %x) seed(%one) : (!f, f64), (f64) -> (f64, f64)
  return %r#1 : f64
}
func.func @cubic_slope(%a: f64, %x: f64) -> f64 {
  %f = ad.lambda (%u: f64) -> f64 {
    %p = arith.mulf %u, %u : f64
    %q = arith.mulf %p, %u : f64
    %r = arith.mulf %a, %q : f64
    ad.yield %r : f64
  }
  %y = call @slope(%f, %x) : (!f, f64) -> f64
  return %y : f64
}
// SECOND: 12.0
// SECOND: 36.0
func.func @mixed_second(%a: f64, %x: f64) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %r:3 = ad.vjp @cubic_slope(%a, %x) seed(%one) : (f64, f64), (f64) -> (f64, f64, f64)
  return %r#1, %r#2 : f64, f64
}

// One step of Newton's method on u^2 - a from x, which hides that it differentiates: x - (x^2 - a) / (2 x), whose
// derivative by a is 1 / (2 x).
func.func private @newton(%f: !f, %x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @call(%f, %x) seed(%one) : (!f, f64), (f64) -> (f64, f64)
  %q = arith.divf %r#0, %r#1 : f64
  %y = arith.subf %x, %q : f64
  return %y : f64
}
func.func @root(%a: f64, %x: f64) -> f64 {
  %f = ad.lambda (%u: f64) -> f64 {
    %p = arith.mulf %u, %u : f64
    %r = arith.subf %p, %a : f64
    ad.yield %r : f64
  }
  %y = call @newton(%f, %x) : (!f, f64) -> f64
  return %y : f64
}
// HIDDEN: 0.1
func.func @hidden(%a: f64, %x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @root(%a, %x) seed(%one) {wrt = array<i64: 0>} : (f64, f64), (f64) -> (f64, f64)
  return %r#1 : f64
}
