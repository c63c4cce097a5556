// The program of FUT Figure 1, both modes statement by statement [F01, F02, F13], forward
// mode: the tangent goes through the operation itself [F01].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

func.func private @figure1(%x0: f64, %x1: f64) -> (f64, f64) {
  %v0 = math.sin %x0 : f64
  %v1 = arith.mulf %x1, %v0 : f64
  %v2 = arith.mulf %x0, %x1 : f64
  return %v1, %v2 : f64, f64
}
// CHECK-LABEL: func.func @figure1_jvp(
// CHECK-SAME: %[[X0:[a-z0-9]+]]: f64, %[[X1:[a-z0-9]+]]: f64, %[[X0_DOT:[a-z0-9]+]]: f64, %[[X1_DOT:[a-z0-9]+]]: f64)
// CHECK: %[[SIN:.*]] = math.sin %[[X0]]
// CHECK: %[[COS:.*]] = math.cos %[[X0]]
// CHECK: %[[MULF:.*]] = arith.mulf %[[X0_DOT]], %[[COS]]
// CHECK: %[[MULF2:.*]] = arith.mulf %[[X1]], %[[SIN]]
// CHECK: %[[MULF3:.*]] = arith.mulf %[[X1_DOT]], %[[SIN]]
// CHECK: %[[MULF4:.*]] = arith.mulf %[[MULF]], %[[X1]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[MULF3]], %[[MULF4]]
// CHECK: %[[MULF5:.*]] = arith.mulf %[[X0]], %[[X1]]
// CHECK: %[[MULF6:.*]] = arith.mulf %[[X0_DOT]], %[[X1]]
// CHECK: %[[MULF7:.*]] = arith.mulf %[[X1_DOT]], %[[X0]]
// CHECK: %[[ADDF2:.*]] = arith.addf %[[MULF6]], %[[MULF7]]
// CHECK: return %[[MULF2]], %[[MULF5]], %[[ADDF]], %[[ADDF2]]
func.func @figure1_jvp(%x0: f64, %x1: f64, %x0_dot: f64, %x1_dot: f64) -> (f64, f64, f64, f64) {
  %r:4 = ad.jvp @figure1(%x0, %x1) seed(%x0_dot, %x1_dot)
      : (f64, f64), (f64, f64) -> (f64, f64, f64, f64)
  return %r#0, %r#1, %r#2, %r#3 : f64, f64, f64, f64
}
