// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse | FileCheck %s

// Casts between floats cast the derivative.

func.func private @narrow(%x: f64) -> f64 {
  %r = arith.truncf %x : f64 to f32
  %s = arith.extf %r : f32 to f64
  return %s : f64
}
// CHECK-LABEL: func.func @narrow_jvp
// CHECK-SAME: (%{{.*}}: f64, %[[X_DOT:.+]]: f64)
// CHECK-NEXT: %[[V0:.+]] = arith.truncf %[[X_DOT]] : f64 to f32
// CHECK-NEXT: %[[V1:.+]] = arith.extf %[[V0]] : f32 to f64
// CHECK-NEXT: return %[[V1]] : f64
func.func @narrow_jvp(%x: f64, %x_dot: f64) -> f64 {
  %p, %d = ad.jvp @narrow(%x) seed(%x_dot) {wrt = array<i64: 0>}
      : (f64), (f64) -> (f64, f64)
  return %d : f64
}
