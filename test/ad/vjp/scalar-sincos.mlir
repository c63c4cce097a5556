// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse | FileCheck %s

// The operation with two results.

func.func private @sincos(%x: f64) -> (f64, f64) {
  %r:2 = math.sincos %x : f64
  return %r#0, %r#1 : f64, f64
}
// CHECK-LABEL: func.func @sincos_vjp
// CHECK-SAME: (%[[X:.+]]: f64, %[[S0:.+]]: f64, %[[S1:.+]]: f64)
// CHECK-NEXT: %[[SIN:.+]], %[[COS:.+]] = math.sincos %[[X]] : f64
// CHECK-NEXT: %[[V0:.+]] = arith.mulf %[[S0]], %[[COS]] : f64
// CHECK-NEXT: %[[V1:.+]] = arith.negf %[[SIN]] : f64
// CHECK-NEXT: %[[V2:.+]] = arith.mulf %[[S1]], %[[V1]] : f64
// CHECK-NEXT: %[[V3:.+]] = arith.addf %[[V0]], %[[V2]] : f64
// CHECK-NEXT: return %[[V3]] : f64
func.func @sincos_vjp(%x: f64, %s0: f64, %s1: f64) -> f64 {
  %p0, %p1, %b = ad.vjp @sincos(%x) seed(%s0, %s1) {wrt = array<i64: 0>}
      : (f64), (f64, f64) -> (f64, f64, f64)
  return %b : f64
}

func.func private @sine(%x: f64) -> f64 {
  %r:2 = math.sincos %x : f64
  return %r#0 : f64
}
// CHECK-LABEL: func.func @sine_vjp
// CHECK-SAME: (%[[X:.+]]: f64, %[[S:.+]]: f64)
// CHECK-NEXT: %[[SIN:.+]], %[[COS:.+]] = math.sincos %[[X]] : f64
// CHECK-NEXT: %[[V0:.+]] = arith.mulf %[[S]], %[[COS]] : f64
// CHECK-NEXT: return %[[V0]] : f64
func.func @sine_vjp(%x: f64, %s: f64) -> f64 {
  %p, %b = ad.vjp @sine(%x) seed(%s) {wrt = array<i64: 0>}
      : (f64), (f64) -> (f64, f64)
  return %b : f64
}
