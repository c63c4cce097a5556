// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse | FileCheck %s

// Partials that reuse the primal result instead of computing it again.

func.func private @sqrt(%x: f64) -> f64 {
  %r = math.sqrt %x : f64
  return %r : f64
}
// CHECK-LABEL: func.func @sqrt_vjp
// CHECK-SAME: (%[[X:.+]]: f64, %[[S:.+]]: f64)
// CHECK-NEXT: %[[C:.+]] = arith.constant 5.000000e-01 : f64
// CHECK-NEXT: %[[ONE:.+]] = arith.constant 1.000000e+00 : f64
// CHECK-NEXT: %[[V0:.+]] = math.sqrt %[[X]] : f64
// CHECK-NEXT: %[[V1:.+]] = arith.divf %[[ONE]], %[[V0]] : f64
// CHECK-NEXT: %[[V2:.+]] = arith.mulf %[[V1]], %[[C]] : f64
// CHECK-NEXT: %[[V3:.+]] = arith.mulf %[[S]], %[[V2]] : f64
// CHECK-NEXT: return %[[V3]] : f64
func.func @sqrt_vjp(%x: f64, %s: f64) -> f64 {
  %p, %b = ad.vjp @sqrt(%x) seed(%s) {wrt = array<i64: 0>}
      : (f64), (f64) -> (f64, f64)
  return %b : f64
}

func.func private @tanh(%x: f64) -> f64 {
  %r = math.tanh %x : f64
  return %r : f64
}
// CHECK-LABEL: func.func @tanh_vjp
// CHECK-SAME: (%[[X:.+]]: f64, %[[S:.+]]: f64)
// CHECK-NEXT: %[[C:.+]] = arith.constant 1.000000e+00 : f64
// CHECK-NEXT: %[[V0:.+]] = math.tanh %[[X]] : f64
// CHECK-NEXT: %[[V1:.+]] = arith.mulf %[[V0]], %[[V0]] : f64
// CHECK-NEXT: %[[V2:.+]] = arith.subf %[[C]], %[[V1]] : f64
// CHECK-NEXT: %[[V3:.+]] = arith.mulf %[[S]], %[[V2]] : f64
// CHECK-NEXT: return %[[V3]] : f64
func.func @tanh_vjp(%x: f64, %s: f64) -> f64 {
  %p, %b = ad.vjp @tanh(%x) seed(%s) {wrt = array<i64: 0>}
      : (f64), (f64) -> (f64, f64)
  return %b : f64
}

func.func private @tan(%x: f64) -> f64 {
  %r = math.tan %x : f64
  return %r : f64
}
// CHECK-LABEL: func.func @tan_vjp
// CHECK-SAME: (%[[X:.+]]: f64, %[[S:.+]]: f64)
// CHECK-NEXT: %[[C:.+]] = arith.constant 1.000000e+00 : f64
// CHECK-NEXT: %[[V0:.+]] = math.tan %[[X]] : f64
// CHECK-NEXT: %[[V1:.+]] = arith.mulf %[[V0]], %[[V0]] : f64
// CHECK-NEXT: %[[V2:.+]] = arith.addf %[[V1]], %[[C]] : f64
// CHECK-NEXT: %[[V3:.+]] = arith.mulf %[[S]], %[[V2]] : f64
// CHECK-NEXT: return %[[V3]] : f64
func.func @tan_vjp(%x: f64, %s: f64) -> f64 {
  %p, %b = ad.vjp @tan(%x) seed(%s) {wrt = array<i64: 0>}
      : (f64), (f64) -> (f64, f64)
  return %b : f64
}

func.func private @exp2(%x: f64) -> f64 {
  %r = math.exp2 %x : f64
  return %r : f64
}
// CHECK-LABEL: func.func @exp2_vjp
// CHECK-SAME: (%[[X:.+]]: f64, %[[S:.+]]: f64)
// CHECK-NEXT: %[[C:.+]] = arith.constant 0.69314718055994529 : f64
// CHECK-NEXT: %[[V0:.+]] = math.exp2 %[[X]] : f64
// CHECK-NEXT: %[[V1:.+]] = arith.mulf %[[V0]], %[[C]] : f64
// CHECK-NEXT: %[[V2:.+]] = arith.mulf %[[S]], %[[V1]] : f64
// CHECK-NEXT: return %[[V2]] : f64
func.func @exp2_vjp(%x: f64, %s: f64) -> f64 {
  %p, %b = ad.vjp @exp2(%x) seed(%s) {wrt = array<i64: 0>}
      : (f64), (f64) -> (f64, f64)
  return %b : f64
}

func.func private @rsqrt(%x: f64) -> f64 {
  %r = math.rsqrt %x : f64
  return %r : f64
}
// CHECK-LABEL: func.func @rsqrt_vjp
// CHECK-SAME: (%[[X:.+]]: f64, %[[S:.+]]: f64)
// CHECK-NEXT: %[[C:.+]] = arith.constant -5.000000e-01 : f64
// CHECK-NEXT: %[[V0:.+]] = math.rsqrt %[[X]] : f64
// CHECK-NEXT: %[[V1:.+]] = arith.mulf %[[V0]], %[[C]] : f64
// CHECK-NEXT: %[[V2:.+]] = arith.mulf %[[V0]], %[[V0]] : f64
// CHECK-NEXT: %[[V3:.+]] = arith.mulf %[[V1]], %[[V2]] : f64
// CHECK-NEXT: %[[V4:.+]] = arith.mulf %[[S]], %[[V3]] : f64
// CHECK-NEXT: return %[[V4]] : f64
func.func @rsqrt_vjp(%x: f64, %s: f64) -> f64 {
  %p, %b = ad.vjp @rsqrt(%x) seed(%s) {wrt = array<i64: 0>}
      : (f64), (f64) -> (f64, f64)
  return %b : f64
}

func.func private @div(%x: f64, %y: f64) -> f64 {
  %r = arith.divf %x, %y : f64
  return %r : f64
}
// CHECK-LABEL: func.func @div_vjp
// CHECK-SAME: (%[[X:.+]]: f64, %[[Y:.+]]: f64, %[[S:.+]]: f64)
// CHECK-NEXT: %[[ONE:.+]] = arith.constant 1.000000e+00 : f64
// CHECK-NEXT: %[[V0:.+]] = arith.divf %[[X]], %[[Y]] : f64
// CHECK-NEXT: %[[R:.+]] = arith.divf %[[ONE]], %[[Y]] : f64
// CHECK-NEXT: %[[V1:.+]] = arith.mulf %[[S]], %[[R]] : f64
// CHECK-NEXT: %[[V2:.+]] = arith.mulf %[[V0]], %[[R]] : f64
// CHECK-NEXT: %[[V3:.+]] = arith.negf %[[V2]] : f64
// CHECK-NEXT: %[[V4:.+]] = arith.mulf %[[S]], %[[V3]] : f64
// CHECK-NEXT: return %[[V1]], %[[V4]] : f64, f64
func.func @div_vjp(%x: f64, %y: f64, %s: f64) -> (f64, f64) {
  %p, %b0, %b1 = ad.vjp @div(%x, %y) seed(%s) {wrt = array<i64: 0, 1>}
      : (f64, f64), (f64) -> (f64, f64, f64)
  return %b0, %b1 : f64, f64
}
