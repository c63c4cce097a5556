// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse | FileCheck %s

// Maxima, minima and bounds choose an operand; the first one of equals. Nothing is multiplied by 0 or 1.

func.func private @maximum(%x: f64, %y: f64) -> f64 {
  %r = arith.maximumf %x, %y : f64
  return %r : f64
}
// CHECK-LABEL: func.func @maximum_vjp
// CHECK-SAME: (%[[X:.+]]: f64, %[[Y:.+]]: f64, %[[S:.+]]: f64)
// CHECK-NEXT: %[[C:.+]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT: %[[V0:.+]] = arith.cmpf oge, %[[X]], %[[Y]] : f64
// CHECK-NEXT: %[[V1:.+]] = arith.select %[[V0]], %[[S]], %[[C]] : f64
// CHECK-NEXT: %[[V2:.+]] = arith.select %[[V0]], %[[C]], %[[S]] : f64
// CHECK-NEXT: return %[[V1]], %[[V2]] : f64, f64
func.func @maximum_vjp(%x: f64, %y: f64, %s: f64) -> (f64, f64) {
  %p, %b0, %b1 = ad.vjp @maximum(%x, %y) seed(%s) {wrt = array<i64: 0, 1>}
      : (f64, f64), (f64) -> (f64, f64, f64)
  return %b0, %b1 : f64, f64
}

func.func private @minnum(%x: f64, %y: f64) -> f64 {
  %r = arith.minnumf %x, %y : f64
  return %r : f64
}
// CHECK-LABEL: func.func @minnum_vjp
// CHECK-SAME: (%[[X:.+]]: f64, %[[Y:.+]]: f64, %[[S:.+]]: f64)
// CHECK-NEXT: %[[C:.+]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT: %[[V0:.+]] = arith.minnumf %[[X]], %[[Y]] : f64
// CHECK-NEXT: %[[V1:.+]] = arith.cmpf oeq, %[[X]], %[[V0]] : f64
// CHECK-NEXT: %[[V2:.+]] = arith.select %[[V1]], %[[S]], %[[C]] : f64
// CHECK-NEXT: %[[V3:.+]] = arith.select %[[V1]], %[[C]], %[[S]] : f64
// CHECK-NEXT: return %[[V2]], %[[V3]] : f64, f64
func.func @minnum_vjp(%x: f64, %y: f64, %s: f64) -> (f64, f64) {
  %p, %b0, %b1 = ad.vjp @minnum(%x, %y) seed(%s) {wrt = array<i64: 0, 1>}
      : (f64, f64), (f64) -> (f64, f64, f64)
  return %b0, %b1 : f64, f64
}

func.func private @clamp(%x: f64, %y: f64, %z: f64) -> f64 {
  %r = math.clampf %x to [%y, %z] : f64
  return %r : f64
}
// CHECK-LABEL: func.func @clamp_vjp
// CHECK-SAME: (%[[X:.+]]: f64, %[[Y:.+]]: f64, %[[Z:.+]]: f64, %[[S:.+]]: f64)
// CHECK: %[[C:.+]] = arith.constant 0.000000e+00 : f64
// CHECK: %[[V0:.+]] = arith.cmpf uge, %[[X]], %[[Y]] : f64
// CHECK: %[[V1:.+]] = arith.cmpf ule, %[[X]], %[[Z]] : f64
// CHECK: %[[V2:.+]] = arith.andi %[[V0]], %[[V1]] : i1
// CHECK: %[[V3:.+]] = arith.select %[[V2]], %[[S]], %[[C]] : f64
// CHECK: %[[V4:.+]] = arith.cmpf olt, %[[X]], %[[Y]] : f64
// CHECK: %[[V5:.+]] = arith.select %[[V4]], %[[S]], %[[C]] : f64
// CHECK: %[[V6:.+]] = arith.cmpf olt, %[[Z]], %[[X]] : f64
// CHECK: %[[V7:.+]] = arith.select %[[V6]], %[[S]], %[[C]] : f64
// CHECK: return %[[V3]], %[[V5]], %[[V7]] : f64, f64, f64
func.func @clamp_vjp(%x: f64, %y: f64, %z: f64, %s: f64) -> (f64, f64, f64) {
  %p, %b0, %b1, %b2 = ad.vjp @clamp(%x, %y, %z) seed(%s) {wrt = array<i64: 0, 1, 2>}
      : (f64, f64, f64), (f64) -> (f64, f64, f64, f64)
  return %b0, %b1, %b2 : f64, f64, f64
}

func.func private @abs(%x: f64) -> f64 {
  %r = math.absf %x : f64
  return %r : f64
}
// CHECK-LABEL: func.func @abs_vjp
// CHECK-SAME: (%[[X:.+]]: f64, %[[S:.+]]: f64)
// CHECK-NEXT: %[[C:.+]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT: %[[C0:.+]] = arith.constant 1.000000e+00 : f64
// CHECK-NEXT: %[[V0:.+]] = math.copysign %[[C0]], %[[X]] : f64
// CHECK-NEXT: %[[V1:.+]] = arith.mulf %[[S]], %[[V0]] : f64
// CHECK-NEXT: %[[V2:.+]] = arith.cmpf une, %[[X]], %[[C]] : f64
// CHECK-NEXT: %[[V3:.+]] = arith.select %[[V2]], %[[V1]], %[[C]] : f64
// CHECK-NEXT: return %[[V3]] : f64
func.func @abs_vjp(%x: f64, %s: f64) -> f64 {
  %p, %b = ad.vjp @abs(%x) seed(%s) {wrt = array<i64: 0>}
      : (f64), (f64) -> (f64, f64)
  return %b : f64
}
