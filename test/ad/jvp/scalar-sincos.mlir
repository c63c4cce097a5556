// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse | FileCheck %s

// The operation with two results.

func.func private @sincos(%x: f64) -> (f64, f64) {
  %r:2 = math.sincos %x : f64
  return %r#0, %r#1 : f64, f64
}
// CHECK-LABEL: func.func @sincos_jvp
// CHECK-SAME: (%[[X:.+]]: f64, %[[X_DOT:.+]]: f64)
// CHECK-NEXT: %[[SIN:.+]], %[[COS:.+]] = math.sincos %[[X]] : f64
// CHECK-NEXT: %[[V0:.+]] = arith.mulf %[[X_DOT]], %[[COS]] : f64
// CHECK-NEXT: %[[V1:.+]] = arith.negf %[[SIN]] : f64
// CHECK-NEXT: %[[V2:.+]] = arith.mulf %[[X_DOT]], %[[V1]] : f64
// CHECK-NEXT: return %[[V0]], %[[V2]] : f64, f64
func.func @sincos_jvp(%x: f64, %x_dot: f64) -> (f64, f64) {
  %p0, %p1, %d0, %d1 = ad.jvp @sincos(%x) seed(%x_dot) {wrt = array<i64: 0>}
      : (f64), (f64) -> (f64, f64, f64, f64)
  return %d0, %d1 : f64, f64
}

func.func private @sine(%x: f64) -> f64 {
  %r:2 = math.sincos %x : f64
  return %r#0 : f64
}
// CHECK-LABEL: func.func @sine_jvp
// CHECK-SAME: (%[[X:.+]]: f64, %[[X_DOT:.+]]: f64)
// CHECK-NEXT: %[[SIN:.+]], %[[COS:.+]] = math.sincos %[[X]] : f64
// CHECK-NEXT: %[[V0:.+]] = arith.mulf %[[X_DOT]], %[[COS]] : f64
// CHECK-NEXT: return %[[V0]] : f64
func.func @sine_jvp(%x: f64, %x_dot: f64) -> f64 {
  %p, %d = ad.jvp @sine(%x) seed(%x_dot) {wrt = array<i64: 0>}
      : (f64), (f64) -> (f64, f64)
  return %d : f64
}
