// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse | FileCheck %s

// Partials that reuse the primal result instead of computing it again.

func.func private @sqrt(%x: f64) -> f64 {
  %r = math.sqrt %x : f64
  return %r : f64
}
// CHECK-LABEL: func.func @sqrt_jvp
// CHECK-SAME: (%[[X:.+]]: f64, %[[X_DOT:.+]]: f64)
// CHECK-NEXT: %[[C:.+]] = arith.constant 5.000000e-01 : f64
// CHECK-NEXT: %[[ONE:.+]] = arith.constant 1.000000e+00 : f64
// CHECK-NEXT: %[[V0:.+]] = math.sqrt %[[X]] : f64
// CHECK-NEXT: %[[V1:.+]] = arith.divf %[[ONE]], %[[V0]] : f64
// CHECK-NEXT: %[[V2:.+]] = arith.mulf %[[V1]], %[[C]] : f64
// CHECK-NEXT: %[[V3:.+]] = arith.mulf %[[X_DOT]], %[[V2]] : f64
// CHECK-NEXT: return %[[V3]] : f64
func.func @sqrt_jvp(%x: f64, %x_dot: f64) -> f64 {
  %p, %d = ad.jvp @sqrt(%x) seed(%x_dot) {wrt = array<i64: 0>}
      : (f64), (f64) -> (f64, f64)
  return %d : f64
}

func.func private @tanh(%x: f64) -> f64 {
  %r = math.tanh %x : f64
  return %r : f64
}
// CHECK-LABEL: func.func @tanh_jvp
// CHECK-SAME: (%[[X:.+]]: f64, %[[X_DOT:.+]]: f64)
// CHECK-NEXT: %[[C:.+]] = arith.constant 1.000000e+00 : f64
// CHECK-NEXT: %[[V0:.+]] = math.tanh %[[X]] : f64
// CHECK-NEXT: %[[V1:.+]] = arith.mulf %[[V0]], %[[V0]] : f64
// CHECK-NEXT: %[[V2:.+]] = arith.subf %[[C]], %[[V1]] : f64
// CHECK-NEXT: %[[V3:.+]] = arith.mulf %[[X_DOT]], %[[V2]] : f64
// CHECK-NEXT: return %[[V3]] : f64
func.func @tanh_jvp(%x: f64, %x_dot: f64) -> f64 {
  %p, %d = ad.jvp @tanh(%x) seed(%x_dot) {wrt = array<i64: 0>}
      : (f64), (f64) -> (f64, f64)
  return %d : f64
}

func.func private @tan(%x: f64) -> f64 {
  %r = math.tan %x : f64
  return %r : f64
}
// CHECK-LABEL: func.func @tan_jvp
// CHECK-SAME: (%[[X:.+]]: f64, %[[X_DOT:.+]]: f64)
// CHECK-NEXT: %[[C:.+]] = arith.constant 1.000000e+00 : f64
// CHECK-NEXT: %[[V0:.+]] = math.tan %[[X]] : f64
// CHECK-NEXT: %[[V1:.+]] = arith.mulf %[[V0]], %[[V0]] : f64
// CHECK-NEXT: %[[V2:.+]] = arith.addf %[[V1]], %[[C]] : f64
// CHECK-NEXT: %[[V3:.+]] = arith.mulf %[[X_DOT]], %[[V2]] : f64
// CHECK-NEXT: return %[[V3]] : f64
func.func @tan_jvp(%x: f64, %x_dot: f64) -> f64 {
  %p, %d = ad.jvp @tan(%x) seed(%x_dot) {wrt = array<i64: 0>}
      : (f64), (f64) -> (f64, f64)
  return %d : f64
}

func.func private @exp2(%x: f64) -> f64 {
  %r = math.exp2 %x : f64
  return %r : f64
}
// CHECK-LABEL: func.func @exp2_jvp
// CHECK-SAME: (%[[X:.+]]: f64, %[[X_DOT:.+]]: f64)
// CHECK-NEXT: %[[C:.+]] = arith.constant 0.69314718055994529 : f64
// CHECK-NEXT: %[[V0:.+]] = math.exp2 %[[X]] : f64
// CHECK-NEXT: %[[V1:.+]] = arith.mulf %[[V0]], %[[C]] : f64
// CHECK-NEXT: %[[V2:.+]] = arith.mulf %[[X_DOT]], %[[V1]] : f64
// CHECK-NEXT: return %[[V2]] : f64
func.func @exp2_jvp(%x: f64, %x_dot: f64) -> f64 {
  %p, %d = ad.jvp @exp2(%x) seed(%x_dot) {wrt = array<i64: 0>}
      : (f64), (f64) -> (f64, f64)
  return %d : f64
}

func.func private @rsqrt(%x: f64) -> f64 {
  %r = math.rsqrt %x : f64
  return %r : f64
}
// CHECK-LABEL: func.func @rsqrt_jvp
// CHECK-SAME: (%[[X:.+]]: f64, %[[X_DOT:.+]]: f64)
// CHECK-NEXT: %[[C:.+]] = arith.constant -5.000000e-01 : f64
// CHECK-NEXT: %[[V0:.+]] = math.rsqrt %[[X]] : f64
// CHECK-NEXT: %[[V1:.+]] = arith.mulf %[[V0]], %[[C]] : f64
// CHECK-NEXT: %[[V2:.+]] = arith.mulf %[[V0]], %[[V0]] : f64
// CHECK-NEXT: %[[V3:.+]] = arith.mulf %[[V1]], %[[V2]] : f64
// CHECK-NEXT: %[[V4:.+]] = arith.mulf %[[X_DOT]], %[[V3]] : f64
// CHECK-NEXT: return %[[V4]] : f64
func.func @rsqrt_jvp(%x: f64, %x_dot: f64) -> f64 {
  %p, %d = ad.jvp @rsqrt(%x) seed(%x_dot) {wrt = array<i64: 0>}
      : (f64), (f64) -> (f64, f64)
  return %d : f64
}

func.func private @div(%x: f64, %y: f64) -> f64 {
  %r = arith.divf %x, %y : f64
  return %r : f64
}
// CHECK-LABEL: func.func @div_jvp
// CHECK-SAME: (%[[X:.+]]: f64, %[[Y:.+]]: f64, %[[X_DOT:.+]]: f64, %[[Y_DOT:.+]]: f64)
// CHECK-NEXT: %[[ONE:.+]] = arith.constant 1.000000e+00 : f64
// CHECK-NEXT: %[[V0:.+]] = arith.divf %[[X]], %[[Y]] : f64
// CHECK-NEXT: %[[R:.+]] = arith.divf %[[ONE]], %[[Y]] : f64
// CHECK-NEXT: %[[V1:.+]] = arith.mulf %[[X_DOT]], %[[R]] : f64
// CHECK-NEXT: %[[V2:.+]] = arith.mulf %[[V0]], %[[R]] : f64
// CHECK-NEXT: %[[V3:.+]] = arith.negf %[[V2]] : f64
// CHECK-NEXT: %[[V4:.+]] = arith.mulf %[[Y_DOT]], %[[V3]] : f64
// CHECK-NEXT: %[[V5:.+]] = arith.addf %[[V1]], %[[V4]] : f64
// CHECK-NEXT: return %[[V5]] : f64
func.func @div_jvp(%x: f64, %y: f64, %x_dot: f64, %y_dot: f64) -> f64 {
  %p, %d = ad.jvp @div(%x, %y) seed(%x_dot, %y_dot) {wrt = array<i64: 0, 1>}
      : (f64, f64), (f64, f64) -> (f64, f64)
  return %d : f64
}
