// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse | FileCheck %s

// CHECKLIST Z02: the pullbacks of Table 1 of "Don't Unroll Adjoint"; exp reuses its result.
// CHECKLIST F14: both operands of a product get a contribution.

func.func private @add(%x: f64, %y: f64) -> f64 {
  %r = arith.addf %x, %y : f64
  return %r : f64
}
// CHECK-LABEL: func.func @add_vjp
// CHECK-SAME: (%{{.*}}: f64, %{{.*}}: f64, %[[S:.+]]: f64)
// CHECK-NEXT: return %[[S]], %[[S]] : f64, f64
func.func @add_vjp(%x: f64, %y: f64, %s: f64) -> (f64, f64) {
  %p, %b0, %b1 = ad.vjp @add(%x, %y) seed(%s) {wrt = array<i64: 0, 1>}
      : (f64, f64), (f64) -> (f64, f64, f64)
  return %b0, %b1 : f64, f64
}

func.func private @mul(%x: f64, %y: f64) -> f64 {
  %r = arith.mulf %x, %y : f64
  return %r : f64
}
// CHECK-LABEL: func.func @mul_vjp
// CHECK-SAME: (%[[X:.+]]: f64, %[[Y:.+]]: f64, %[[S:.+]]: f64)
// CHECK-NEXT: %[[V0:.+]] = arith.mulf %[[S]], %[[Y]] : f64
// CHECK-NEXT: %[[V1:.+]] = arith.mulf %[[S]], %[[X]] : f64
// CHECK-NEXT: return %[[V0]], %[[V1]] : f64, f64
func.func @mul_vjp(%x: f64, %y: f64, %s: f64) -> (f64, f64) {
  %p, %b0, %b1 = ad.vjp @mul(%x, %y) seed(%s) {wrt = array<i64: 0, 1>}
      : (f64, f64), (f64) -> (f64, f64, f64)
  return %b0, %b1 : f64, f64
}

func.func private @sin(%x: f64) -> f64 {
  %r = math.sin %x : f64
  return %r : f64
}
// CHECK-LABEL: func.func @sin_vjp
// CHECK-SAME: (%[[X:.+]]: f64, %[[S:.+]]: f64)
// CHECK-NEXT: %[[V0:.+]] = math.cos %[[X]] : f64
// CHECK-NEXT: %[[V1:.+]] = arith.mulf %[[S]], %[[V0]] : f64
// CHECK-NEXT: return %[[V1]] : f64
func.func @sin_vjp(%x: f64, %s: f64) -> f64 {
  %p, %b = ad.vjp @sin(%x) seed(%s) {wrt = array<i64: 0>}
      : (f64), (f64) -> (f64, f64)
  return %b : f64
}

func.func private @exp(%x: f64) -> f64 {
  %r = math.exp %x : f64
  return %r : f64
}
// CHECK-LABEL: func.func @exp_vjp
// CHECK-SAME: (%[[X:.+]]: f64, %[[S:.+]]: f64)
// CHECK-NEXT: %[[V0:.+]] = math.exp %[[X]] : f64
// CHECK-NEXT: %[[V1:.+]] = arith.mulf %[[S]], %[[V0]] : f64
// CHECK-NEXT: return %[[V1]] : f64
func.func @exp_vjp(%x: f64, %s: f64) -> f64 {
  %p, %b = ad.vjp @exp(%x) seed(%s) {wrt = array<i64: 0>}
      : (f64), (f64) -> (f64, f64)
  return %b : f64
}

func.func private @log(%x: f64) -> f64 {
  %r = math.log %x : f64
  return %r : f64
}
// CHECK-LABEL: func.func @log_vjp
// CHECK-SAME: (%[[X:.+]]: f64, %[[S:.+]]: f64)
// CHECK-NEXT: %[[V0:.+]] = arith.divf %[[S]], %[[X]] : f64
// CHECK-NEXT: return %[[V0]] : f64
func.func @log_vjp(%x: f64, %s: f64) -> f64 {
  %p, %b = ad.vjp @log(%x) seed(%s) {wrt = array<i64: 0>}
      : (f64), (f64) -> (f64, f64)
  return %b : f64
}
