// scf.while in forward mode: values and tangents are bundled, the condition is the primal's.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

func.func private @decay(%x: f64, %w: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %r = scf.while (%p = %x) : (f64) -> f64 {
    %c = arith.cmpf ogt, %p, %one : f64
    scf.condition(%c) %p : f64
  } do {
  ^bb0(%p: f64):
    %q = arith.mulf %p, %w : f64
    scf.yield %q : f64
  } attributes {ad.bound = 50 : i64}
  return %r : f64
}
// CHECK-LABEL: func.func @decay_jvp(
// CHECK-SAME: %[[X:[a-z0-9]+]]: f64, %[[W:[a-z0-9]+]]: f64, %[[X_DOT:[a-z0-9]+]]: f64)
// CHECK: %[[R:.*]]:2 = scf.while (%[[P:.*]] = %[[X]], %[[P_DOT:.*]] = %[[X_DOT]]) : (f64, f64) -> (f64, f64) {
// CHECK: %[[C:.*]] = arith.cmpf ogt, %[[P]]
// CHECK: scf.condition(%[[C]]) %[[P]], %[[P_DOT]]
// CHECK: arith.mulf
// CHECK: arith.mulf
// CHECK: } attributes {ad.bound = 50 : i64}
// CHECK: return %[[R]]#1
func.func @decay_jvp(%x: f64, %w: f64, %x_dot: f64) -> f64 {
  %r:2 = ad.jvp @decay(%x, %w) seed(%x_dot) {wrt = array<i64: 0>} : (f64, f64), (f64) -> (f64, f64)
  return %r#1 : f64
}
