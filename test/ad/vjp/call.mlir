// func.call: the derivative of a callee is generated once and shared [Z01].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.' --implicit-check-not='call'

func.func private @helper(%a: f64, %n: index, %b: f64) -> (f64, f64) {
  %p = arith.mulf %a, %b : f64
  %e = math.exp %a : f64
  return %p, %e : f64, f64
}

// Both results, both arguments.
func.func private @both(%x: f64, %y: f64, %n: index) -> f64 {
  %r:2 = func.call @helper(%x, %n, %y) : (f64, index, f64) -> (f64, f64)
  %s = arith.addf %r#0, %r#1 : f64
  return %s : f64
}
// CHECK-LABEL: func.func @both_vjp(
// CHECK-SAME: %[[X:[a-z0-9]+]]: f64, %[[Y:[a-z0-9]+]]: f64, %[[N:[a-z0-9]+]]: index, %[[Y_BAR:[a-z0-9]+]]: f64)
// CHECK: %[[EXP:.*]] = math.exp %[[X]]
// CHECK: %[[MULF:.*]] = arith.mulf %[[Y_BAR]], %[[EXP]]
// CHECK: %[[MULF2:.*]] = arith.mulf %[[Y_BAR]], %[[Y]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[MULF]], %[[MULF2]]
// CHECK: %[[MULF3:.*]] = arith.mulf %[[Y_BAR]], %[[X]]
// CHECK: return %[[ADDF]], %[[MULF3]]
func.func @both_vjp(%x: f64, %y: f64, %n: index, %y_bar: f64) -> (f64, f64) {
  %r:3 = ad.vjp @both(%x, %y, %n) seed(%y_bar)
      : (f64, f64, index), (f64) -> (f64, f64, f64)
  return %r#1, %r#2 : f64, f64
}
