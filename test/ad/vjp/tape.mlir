// Reverse mode pops where the program pushes, and pushes where it pops, on a tape of cotangents [Z24].
// RUN: ad-opt %s --ad-differentiate | FileCheck %s

// CHECK-LABEL: func.func private @twice.vjp_0_2(
// CHECK-SAME: %[[X:[a-z0-9]+]]: f64, %[[I:[a-z0-9]+]]: index, %[[Y:[a-z0-9]+]]: f64, %[[BAR:[a-z0-9]+]]: f64)
// CHECK: %[[T:.*]] = ad.tape_create : !ad.tape<f64, index>
// CHECK: ad.tape_push %[[T]]
// CHECK: ad.tape_push %[[T]]
// CHECK: ad.tape_pop %[[T]]
// CHECK: ad.tape_pop %[[T]]
// CHECK: ad.tape_free %[[T]]
// CHECK: %[[B:.*]] = ad.tape_create : !ad.tape<f64>
// CHECK: ad.tape_push %[[B]], %[[FIRST:.*]] : !ad.tape<f64>
// CHECK: ad.tape_push %[[B]], %[[SECOND:.*]] : !ad.tape<f64>
// CHECK: ad.tape_pop %[[B]] : !ad.tape<f64>
// CHECK: ad.tape_pop %[[B]] : !ad.tape<f64>
// CHECK: ad.tape_free %[[B]] : !ad.tape<f64>
// CHECK: return
func.func private @twice(%x: f64, %i: index, %y: f64) -> f64 {
  %t = ad.tape_create : !ad.tape<f64, index>
  ad.tape_push %t, %x, %i : !ad.tape<f64, index>
  ad.tape_push %t, %y, %i : !ad.tape<f64, index>
  %a, %j = ad.tape_pop %t : !ad.tape<f64, index>
  %b, %k = ad.tape_pop %t : !ad.tape<f64, index>
  ad.tape_free %t : !ad.tape<f64, index>
  %p = arith.mulf %a, %b : f64
  %q = arith.mulf %p, %a : f64
  return %q : f64
}
func.func @twice_vjp(%x: f64, %i: index, %y: f64, %bar: f64) -> (f64, f64) {
  %r:3 = ad.vjp @twice(%x, %i, %y) seed(%bar) : (f64, index, f64), (f64) -> (f64, f64, f64)
  return %r#1, %r#2 : f64, f64
}
