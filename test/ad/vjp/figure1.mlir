// The program of FUT Figure 1, both modes statement by statement [F01, F02, F13]: forward
// statements, then reverse statements in the opposite order; x1 receives two
// contributions.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

func.func private @figure1(%x0: f64, %x1: f64) -> (f64, f64) {
  %v0 = math.sin %x0 : f64
  %v1 = arith.mulf %x1, %v0 : f64
  %v2 = arith.mulf %x0, %x1 : f64
  return %v1, %v2 : f64, f64
}
// CHECK-LABEL: func.func @figure1_vjp(
// CHECK-SAME: %[[X0:[a-z0-9]+]]: f64, %[[X1:[a-z0-9]+]]: f64, %[[Y0_BAR:[a-z0-9]+]]: f64, %[[Y1_BAR:[a-z0-9]+]]: f64)
// CHECK: %[[SIN:.*]] = math.sin %[[X0]]
// CHECK: %[[MULF:.*]] = arith.mulf %[[Y1_BAR]], %[[X1]]
// CHECK: %[[MULF2:.*]] = arith.mulf %[[Y1_BAR]], %[[X0]]
// CHECK: %[[MULF3:.*]] = arith.mulf %[[Y0_BAR]], %[[SIN]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[MULF2]], %[[MULF3]]
// CHECK: %[[MULF4:.*]] = arith.mulf %[[Y0_BAR]], %[[X1]]
// CHECK: %[[COS:.*]] = math.cos %[[X0]]
// CHECK: %[[MULF5:.*]] = arith.mulf %[[MULF4]], %[[COS]]
// CHECK: %[[ADDF2:.*]] = arith.addf %[[MULF]], %[[MULF5]]
// CHECK: return %[[ADDF2]], %[[ADDF]]
func.func @figure1_vjp(%x0: f64, %x1: f64, %y0_bar: f64, %y1_bar: f64) -> (f64, f64) {
  %r:4 = ad.vjp @figure1(%x0, %x1) seed(%y0_bar, %y1_bar)
      : (f64, f64), (f64, f64) -> (f64, f64, f64, f64)
  return %r#2, %r#3 : f64, f64
}
