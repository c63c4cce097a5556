// scf.index_switch: the case that runs gives the value and the tangent.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

func.func private @f(%i: index, %x: f64) -> f64 {
  %r = scf.index_switch %i -> f64
  case 2 {
    %e = math.exp %x : f64
    scf.yield %e : f64
  }
  default {
    scf.yield %x : f64
  }
  return %r : f64
}
// CHECK-LABEL: func.func @f_jvp(
// CHECK-SAME: %[[I:[a-z0-9_]+]]: index, %[[X:[a-z0-9_]+]]: f64, %[[X_DOT:[a-z0-9_]+]]: f64)
// CHECK-DAG: %[[CST:.+]] = arith.constant 2 : index
// CHECK: %[[CMPI:.+]] = arith.cmpi eq, %[[I]], %[[CST]] : index
// CHECK: %[[IF:.+]] = scf.if %[[CMPI]] -> (f64) {
// CHECK: %[[EXP:.+]] = math.exp %[[X]] : f64
// CHECK: %[[MULF:.+]] = arith.mulf %[[X_DOT]], %[[EXP]] : f64
// CHECK: scf.yield %[[MULF]] : f64
// CHECK: } else {
// CHECK: scf.yield %[[X_DOT]] : f64
// CHECK: }
// CHECK: return %[[IF]] : f64
func.func @f_jvp(%i: index, %x: f64, %x_dot: f64) -> f64 {
  %r:2 = ad.jvp @f(%i, %x) seed(%x_dot) : (index, f64), (f64) -> (f64, f64)
  return %r#1 : f64
}
