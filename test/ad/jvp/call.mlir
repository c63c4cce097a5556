// func.call, forward mode: the jvp of the callee is called [Z01].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.' --implicit-check-not='call'

func.func private @helper(%a: f64, %n: index, %b: f64) -> (f64, f64) {
  %p = arith.mulf %a, %b : f64
  %e = math.exp %a : f64
  return %p, %e : f64, f64
}

func.func private @both(%x: f64, %y: f64, %n: index) -> f64 {
  %r:2 = func.call @helper(%x, %n, %y) : (f64, index, f64) -> (f64, f64)
  %s = arith.addf %r#0, %r#1 : f64
  return %s : f64
}
// CHECK-LABEL: func.func @both_jvp(
// CHECK-SAME: %[[X:[a-z0-9]+]]: f64, %[[Y:[a-z0-9]+]]: f64, %[[N:[a-z0-9]+]]: index, %[[X_DOT:[a-z0-9]+]]: f64, %[[Y_DOT:[a-z0-9]+]]: f64)
// CHECK: %[[MULF:.*]] = arith.mulf %[[X]], %[[Y]]
// CHECK: %[[MULF2:.*]] = arith.mulf %[[X_DOT]], %[[Y]]
// CHECK: %[[MULF3:.*]] = arith.mulf %[[Y_DOT]], %[[X]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[MULF2]], %[[MULF3]]
// CHECK: %[[EXP:.*]] = math.exp %[[X]]
// CHECK: %[[MULF4:.*]] = arith.mulf %[[X_DOT]], %[[EXP]]
// CHECK: %[[ADDF2:.*]] = arith.addf %[[MULF]], %[[EXP]]
// CHECK: %[[ADDF3:.*]] = arith.addf %[[ADDF]], %[[MULF4]]
// CHECK: return %[[ADDF2]], %[[ADDF3]]
func.func @both_jvp(%x: f64, %y: f64, %n: index, %x_dot: f64, %y_dot: f64) -> (f64, f64) {
  %r:2 = ad.jvp @both(%x, %y, %n) seed(%x_dot, %y_dot)
      : (f64, f64, index), (f64, f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
