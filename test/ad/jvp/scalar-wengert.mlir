// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse | FileCheck %s

// CHECKLIST Z05: a / (a + b^2); each use of a value adds one contribution.

func.func private @f(%x: f64, %y: f64) -> f64 {
  %0 = arith.mulf %y, %y : f64
  %1 = arith.addf %x, %0 : f64
  %r = arith.divf %x, %1 : f64
  return %r : f64
}
// CHECK-LABEL: func.func @f_jvp
// CHECK-SAME: (%[[X:.+]]: f64, %[[Y:.+]]: f64, %[[X_DOT:.+]]: f64, %[[Y_DOT:.+]]: f64)
// CHECK: %[[V0:.+]] = arith.mulf %[[Y]], %[[Y]] : f64
// CHECK: %[[V1:.+]] = arith.mulf %[[Y_DOT]], %[[Y]] : f64
// CHECK: %[[V2:.+]] = arith.addf %[[V1]], %[[V1]] : f64
// CHECK: %[[V3:.+]] = arith.addf %[[X]], %[[V0]] : f64
// CHECK: %[[V4:.+]] = arith.addf %[[X_DOT]], %[[V2]] : f64
// CHECK: %[[V5:.+]] = arith.divf %[[X]], %[[V3]] : f64
// CHECK: %[[R:.+]] = arith.divf %{{.+}}, %[[V3]] : f64
// CHECK: %[[V6:.+]] = arith.mulf %[[X_DOT]], %[[R]] : f64
// CHECK: %[[V7:.+]] = arith.mulf %[[V5]], %[[R]] : f64
// CHECK: %[[V8:.+]] = arith.negf %[[V7]] : f64
// CHECK: %[[V9:.+]] = arith.mulf %[[V4]], %[[V8]] : f64
// CHECK: %[[V10:.+]] = arith.addf %[[V6]], %[[V9]] : f64
// CHECK: return %[[V10]] : f64
func.func @f_jvp(%x: f64, %y: f64, %x_dot: f64, %y_dot: f64) -> f64 {
  %p, %d = ad.jvp @f(%x, %y) seed(%x_dot, %y_dot) {wrt = array<i64: 0, 1>}
      : (f64, f64), (f64, f64) -> (f64, f64)
  return %d : f64
}
