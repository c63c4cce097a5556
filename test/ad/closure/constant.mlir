// A function that takes a function of the module has a copy for each that it is given, and is gone then: nothing makes what it
// calls [M10, Z26].
// RUN: ad-opt %s --ad-inline | FileCheck %s
// RUN: ad-opt run %s --entry=once --input=0.5 | FileCheck %s --check-prefix=ONCE
// RUN: ad-opt run %s --entry=turns --input=0.5 --input=3 | FileCheck %s --check-prefix=TURNS
// RUN: ad-opt check %s --entry=turns --input=0.5 --input=3
// ONCE: 0.479425538604203
// The sine of 0.5 and its square and the sine of that.
// TURNS: 0.22783034839{{[0-9]+}}

// CHECK-NOT: @apply
// CHECK-LABEL: func.func @once(
// CHECK-NEXT: math.sin
// CHECK-NEXT: return
func.func private @sine(%x: f64) -> f64 {
  %y = math.sin %x : f64
  return %y : f64
}
func.func private @square(%x: f64) -> f64 {
  %y = arith.mulf %x, %x : f64
  return %y : f64
}
func.func private @apply(%f: (f64) -> f64, %x: f64) -> f64 {
  %y = func.call_indirect %f(%x) : (f64) -> f64
  return %y : f64
}
func.func @once(%x: f64) -> f64 {
  %f = func.constant @sine : (f64) -> f64
  %y = call @apply(%f, %x) : ((f64) -> f64, f64) -> f64
  return %y : f64
}

// Two functions in turns, which a loop carries.
func.func private @compose(%f: (f64) -> f64, %g: (f64) -> f64, %x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x, %p = %f, %q = %g) -> (f64, (f64) -> f64, (f64) -> f64) {
    %y = func.call_indirect %p(%v) : (f64) -> f64
    scf.yield %y, %q, %p : f64, (f64) -> f64, (f64) -> f64
  }
  return %r#0 : f64
}
func.func @turns(%x: f64, %n: index) -> f64 {
  %f = func.constant @sine : (f64) -> f64
  %g = func.constant @square : (f64) -> f64
  %y = call @compose(%f, %g, %x, %n) : ((f64) -> f64, (f64) -> f64, f64, index) -> f64
  return %y : f64
}
