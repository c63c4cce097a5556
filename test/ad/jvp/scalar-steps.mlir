// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse | FileCheck %s

// Steps, decisions and conversions from integers pass nothing: no code for them remains.

func.func private @steps(%x: f64) -> f64 {
  %0 = math.floor %x : f64
  %1 = arith.fptosi %x : f64 to i64
  %2 = arith.sitofp %1 : i64 to f64
  %3 = arith.addf %0, %2 : f64
  %r = arith.mulf %3, %x : f64
  return %r : f64
}
// CHECK-LABEL: func.func @steps_jvp
// CHECK-SAME: (%[[X:.+]]: f64, %[[X_DOT:.+]]: f64)
// CHECK-NEXT: %[[V0:.+]] = math.floor %[[X]] : f64
// CHECK-NEXT: %[[V1:.+]] = arith.fptosi %[[X]] : f64 to i64
// CHECK-NEXT: %[[V2:.+]] = arith.sitofp %[[V1]] : i64 to f64
// CHECK-NEXT: %[[V3:.+]] = arith.addf %[[V0]], %[[V2]] : f64
// CHECK-NEXT: %[[V4:.+]] = arith.mulf %[[X_DOT]], %[[V3]] : f64
// CHECK-NEXT: return %[[V4]] : f64
func.func @steps_jvp(%x: f64, %x_dot: f64) -> f64 {
  %p, %d = ad.jvp @steps(%x) seed(%x_dot) {wrt = array<i64: 0>}
      : (f64), (f64) -> (f64, f64)
  return %d : f64
}
