// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse | FileCheck %s

// CHECKLIST Z05: a / (a + b^2); each use of a value adds one contribution.

func.func private @f(%x: f64, %y: f64) -> f64 {
  %0 = arith.mulf %y, %y : f64
  %1 = arith.addf %x, %0 : f64
  %r = arith.divf %x, %1 : f64
  return %r : f64
}
// CHECK-LABEL: func.func @f_vjp
// CHECK-SAME: (%[[X:.+]]: f64, %[[Y:.+]]: f64, %[[S:.+]]: f64)
// CHECK: %[[V0:.+]] = arith.mulf %[[Y]], %[[Y]] : f64
// CHECK: %[[V1:.+]] = arith.addf %[[X]], %[[V0]] : f64
// CHECK: %[[V2:.+]] = arith.divf %[[X]], %[[V1]] : f64
// CHECK: %[[R:.+]] = arith.divf %{{.+}}, %[[V1]] : f64
// CHECK: %[[V3:.+]] = arith.mulf %[[S]], %[[R]] : f64
// CHECK: %[[V4:.+]] = arith.mulf %[[V2]], %[[R]] : f64
// CHECK: %[[V5:.+]] = arith.negf %[[V4]] : f64
// CHECK: %[[V6:.+]] = arith.mulf %[[S]], %[[V5]] : f64
// CHECK: %[[V7:.+]] = arith.addf %[[V3]], %[[V6]] : f64
// CHECK: %[[V8:.+]] = arith.mulf %[[V6]], %[[Y]] : f64
// CHECK: %[[V9:.+]] = arith.addf %[[V8]], %[[V8]] : f64
// CHECK: return %[[V7]], %[[V9]] : f64, f64
func.func @f_vjp(%x: f64, %y: f64, %s: f64) -> (f64, f64) {
  %p, %b0, %b1 = ad.vjp @f(%x, %y) seed(%s) {wrt = array<i64: 0, 1>}
      : (f64, f64), (f64) -> (f64, f64, f64)
  return %b0, %b1 : f64, f64
}
