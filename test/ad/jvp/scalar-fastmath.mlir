// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse | FileCheck %s

// Derived operations inherit fast-math flags, except those about NaN and infinity.

func.func private @fast(%x: f64) -> f64 {
  %r = math.sin %x fastmath<fast> : f64
  return %r : f64
}
// CHECK-LABEL: func.func @fast_jvp
// CHECK-SAME: (%[[X:.+]]: f64, %[[X_DOT:.+]]: f64)
// CHECK-NEXT: %[[V0:.+]] = math.cos %[[X]] fastmath<reassoc,nsz,arcp,contract,afn> : f64
// CHECK-NEXT: %[[V1:.+]] = arith.mulf %[[X_DOT]], %[[V0]] fastmath<reassoc,nsz,arcp,contract,afn> : f64
// CHECK-NEXT: return %[[V1]] : f64
func.func @fast_jvp(%x: f64, %x_dot: f64) -> f64 {
  %p, %d = ad.jvp @fast(%x) seed(%x_dot) {wrt = array<i64: 0>}
      : (f64), (f64) -> (f64, f64)
  return %d : f64
}

func.func private @contract(%x: f64, %y: f64) -> f64 {
  %r = arith.mulf %x, %y fastmath<nnan,contract> : f64
  return %r : f64
}
// CHECK-LABEL: func.func @contract_jvp
// CHECK-SAME: (%[[X:.+]]: f64, %[[Y:.+]]: f64, %[[X_DOT:.+]]: f64, %[[Y_DOT:.+]]: f64)
// CHECK-NEXT: %[[V0:.+]] = arith.mulf %[[X_DOT]], %[[Y]] fastmath<contract> : f64
// CHECK-NEXT: %[[V1:.+]] = arith.mulf %[[Y_DOT]], %[[X]] fastmath<contract> : f64
// CHECK-NEXT: %[[V2:.+]] = arith.addf %[[V0]], %[[V1]] fastmath<contract> : f64
// CHECK-NEXT: return %[[V2]] : f64
func.func @contract_jvp(%x: f64, %y: f64, %x_dot: f64, %y_dot: f64) -> f64 {
  %p, %d = ad.jvp @contract(%x, %y) seed(%x_dot, %y_dot) {wrt = array<i64: 0, 1>}
      : (f64, f64), (f64, f64) -> (f64, f64)
  return %d : f64
}
