// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse | FileCheck %s

// Derived operations inherit fast-math flags, except those about NaN and infinity.

func.func private @fast(%x: f64) -> f64 {
  %r = math.sin %x fastmath<fast> : f64
  return %r : f64
}
// CHECK-LABEL: func.func @fast_vjp
// CHECK-SAME: (%[[X:.+]]: f64, %[[S:.+]]: f64)
// CHECK-NEXT: %[[V0:.+]] = math.cos %[[X]] fastmath<reassoc,nsz,arcp,contract,afn> : f64
// CHECK-NEXT: %[[V1:.+]] = arith.mulf %[[S]], %[[V0]] fastmath<reassoc,nsz,arcp,contract,afn> : f64
// CHECK-NEXT: return %[[V1]] : f64
func.func @fast_vjp(%x: f64, %s: f64) -> f64 {
  %p, %b = ad.vjp @fast(%x) seed(%s) {wrt = array<i64: 0>}
      : (f64), (f64) -> (f64, f64)
  return %b : f64
}

func.func private @contract(%x: f64, %y: f64) -> f64 {
  %r = arith.mulf %x, %y fastmath<nnan,contract> : f64
  return %r : f64
}
// CHECK-LABEL: func.func @contract_vjp
// CHECK-SAME: (%[[X:.+]]: f64, %[[Y:.+]]: f64, %[[S:.+]]: f64)
// CHECK-NEXT: %[[V0:.+]] = arith.mulf %[[S]], %[[Y]] fastmath<contract> : f64
// CHECK-NEXT: %[[V1:.+]] = arith.mulf %[[S]], %[[X]] fastmath<contract> : f64
// CHECK-NEXT: return %[[V0]], %[[V1]] : f64, f64
func.func @contract_vjp(%x: f64, %y: f64, %s: f64) -> (f64, f64) {
  %p, %b0, %b1 = ad.vjp @contract(%x, %y) seed(%s) {wrt = array<i64: 0, 1>}
      : (f64, f64), (f64) -> (f64, f64, f64)
  return %b0, %b1 : f64, f64
}
