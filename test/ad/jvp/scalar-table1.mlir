// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse | FileCheck %s

// CHECKLIST Z02: the pullbacks of Table 1 of "Don't Unroll Adjoint"; exp reuses its result.
// CHECKLIST F14: both operands of a product get a contribution.

func.func private @add(%x: f64, %y: f64) -> f64 {
  %r = arith.addf %x, %y : f64
  return %r : f64
}
// CHECK-LABEL: func.func @add_jvp
// CHECK-SAME: (%{{.*}}: f64, %{{.*}}: f64, %[[X_DOT:.+]]: f64, %[[Y_DOT:.+]]: f64)
// CHECK-NEXT: %[[V0:.+]] = arith.addf %[[X_DOT]], %[[Y_DOT]] : f64
// CHECK-NEXT: return %[[V0]] : f64
func.func @add_jvp(%x: f64, %y: f64, %x_dot: f64, %y_dot: f64) -> f64 {
  %p, %d = ad.jvp @add(%x, %y) seed(%x_dot, %y_dot) {wrt = array<i64: 0, 1>}
      : (f64, f64), (f64, f64) -> (f64, f64)
  return %d : f64
}

func.func private @mul(%x: f64, %y: f64) -> f64 {
  %r = arith.mulf %x, %y : f64
  return %r : f64
}
// CHECK-LABEL: func.func @mul_jvp
// CHECK-SAME: (%[[X:.+]]: f64, %[[Y:.+]]: f64, %[[X_DOT:.+]]: f64, %[[Y_DOT:.+]]: f64)
// CHECK-NEXT: %[[V0:.+]] = arith.mulf %[[X_DOT]], %[[Y]] : f64
// CHECK-NEXT: %[[V1:.+]] = arith.mulf %[[Y_DOT]], %[[X]] : f64
// CHECK-NEXT: %[[V2:.+]] = arith.addf %[[V0]], %[[V1]] : f64
// CHECK-NEXT: return %[[V2]] : f64
func.func @mul_jvp(%x: f64, %y: f64, %x_dot: f64, %y_dot: f64) -> f64 {
  %p, %d = ad.jvp @mul(%x, %y) seed(%x_dot, %y_dot) {wrt = array<i64: 0, 1>}
      : (f64, f64), (f64, f64) -> (f64, f64)
  return %d : f64
}

func.func private @sin(%x: f64) -> f64 {
  %r = math.sin %x : f64
  return %r : f64
}
// CHECK-LABEL: func.func @sin_jvp
// CHECK-SAME: (%[[X:.+]]: f64, %[[X_DOT:.+]]: f64)
// CHECK-NEXT: %[[V0:.+]] = math.cos %[[X]] : f64
// CHECK-NEXT: %[[V1:.+]] = arith.mulf %[[X_DOT]], %[[V0]] : f64
// CHECK-NEXT: return %[[V1]] : f64
func.func @sin_jvp(%x: f64, %x_dot: f64) -> f64 {
  %p, %d = ad.jvp @sin(%x) seed(%x_dot) {wrt = array<i64: 0>}
      : (f64), (f64) -> (f64, f64)
  return %d : f64
}

func.func private @exp(%x: f64) -> f64 {
  %r = math.exp %x : f64
  return %r : f64
}
// CHECK-LABEL: func.func @exp_jvp
// CHECK-SAME: (%[[X:.+]]: f64, %[[X_DOT:.+]]: f64)
// CHECK-NEXT: %[[V0:.+]] = math.exp %[[X]] : f64
// CHECK-NEXT: %[[V1:.+]] = arith.mulf %[[X_DOT]], %[[V0]] : f64
// CHECK-NEXT: return %[[V1]] : f64
func.func @exp_jvp(%x: f64, %x_dot: f64) -> f64 {
  %p, %d = ad.jvp @exp(%x) seed(%x_dot) {wrt = array<i64: 0>}
      : (f64), (f64) -> (f64, f64)
  return %d : f64
}

func.func private @log(%x: f64) -> f64 {
  %r = math.log %x : f64
  return %r : f64
}
// CHECK-LABEL: func.func @log_jvp
// CHECK-SAME: (%[[X:.+]]: f64, %[[X_DOT:.+]]: f64)
// CHECK-NEXT: %[[V0:.+]] = arith.divf %[[X_DOT]], %[[X]] : f64
// CHECK-NEXT: return %[[V0]] : f64
func.func @log_jvp(%x: f64, %x_dot: f64) -> f64 {
  %p, %d = ad.jvp @log(%x) seed(%x_dot) {wrt = array<i64: 0>}
      : (f64), (f64) -> (f64, f64)
  return %d : f64
}
