// scf.index_switch: only the case that ran is differentiated.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

func.func private @f(%i: index, %x: f64) -> f64 {
  %r = scf.index_switch %i -> f64
  case 2 {
    %s = math.sqrt %x : f64
    scf.yield %s : f64
  }
  case 5 {
    %p = arith.mulf %x, %x : f64
    scf.yield %p : f64
  }
  default {
    scf.yield %x : f64
  }
  return %r : f64
}
// CHECK-LABEL: func.func @f_vjp(
// CHECK-SAME: %[[I:[a-z0-9_]+]]: index, %[[X:[a-z0-9_]+]]: f64, %[[Y_BAR:[a-z0-9_]+]]: f64)
// CHECK-DAG: %[[CST:.+]] = arith.constant 5.000000e-01 : f64
// CHECK-DAG: %[[ONE:.+]] = arith.constant 1.000000e+00 : f64
// CHECK-DAG: %[[CST2:.+]] = arith.constant 5 : index
// CHECK-DAG: %[[CST3:.+]] = arith.constant 2 : index
// CHECK: %[[CMPI:.+]] = arith.cmpi eq, %[[I]], %[[CST3]] : index
// CHECK: %[[IF:.+]] = scf.if %[[CMPI]] -> (f64) {
// CHECK: %[[SQRT:.+]] = math.sqrt %[[X]] : f64
// CHECK: %[[DIVF:.+]] = arith.divf %[[ONE]], %[[SQRT]] : f64
// CHECK: %[[SLOPE:.+]] = arith.mulf %[[DIVF]], %[[CST]] : f64
// CHECK: %[[X_BAR:.+]] = arith.mulf %[[Y_BAR]], %[[SLOPE]] : f64
// CHECK: scf.yield %[[X_BAR]] : f64
// CHECK: } else {
// CHECK: %[[CMPI2:.+]] = arith.cmpi eq, %[[I]], %[[CST2]] : index
// CHECK: %[[IF2:.+]] = scf.if %[[CMPI2]] -> (f64) {
// CHECK: %[[MULF:.+]] = arith.mulf %[[Y_BAR]], %[[X]] : f64
// CHECK: %[[ADDF:.+]] = arith.addf %[[MULF]], %[[MULF]] : f64
// CHECK: scf.yield %[[ADDF]] : f64
// CHECK: } else {
// CHECK: scf.yield %[[Y_BAR]] : f64
// CHECK: }
// CHECK: scf.yield %[[IF2]] : f64
// CHECK: }
// CHECK: return %[[IF]] : f64
func.func @f_vjp(%i: index, %x: f64, %y_bar: f64) -> f64 {
  %r:2 = ad.vjp @f(%i, %x) seed(%y_bar) : (index, f64), (f64) -> (f64, f64)
  return %r#1 : f64
}
