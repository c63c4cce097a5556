// scf.for in scf.for, forward mode: the tangent goes through the operation itself [F01].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

func.func private @nested(%n: index, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> f64 {
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> f64 {
      %t = math.sin %b : f64
      scf.yield %t : f64
    }
    scf.yield %s : f64
  }
  return %r : f64
}
// CHECK-LABEL: func.func @nested_jvp(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index, %[[X:[a-z0-9]+]]: f64, %[[X_DOT:[a-z0-9]+]]: f64)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[CONST2:.*]] = arith.constant 1 : index
// CHECK: %[[LOOP:.*]]:2 = scf.for %[[I:[a-z0-9]+]] = %[[CONST]] to %[[N]] step %[[CONST2]] iter_args(%[[CARRIED:[a-z0-9]+]] = %[[X]], %[[CARRIED2:[a-z0-9]+]] = %[[X_DOT]]) -> (f64, f64) {
// CHECK: %[[LOOP2:.*]]:2 = scf.for %[[I2:[a-z0-9]+]] = %[[CONST]] to %[[N]] step %[[CONST2]] iter_args(%[[CARRIED3:[a-z0-9]+]] = %[[CARRIED]], %[[CARRIED4:[a-z0-9]+]] = %[[CARRIED2]]) -> (f64, f64) {
// CHECK: %[[SIN:.*]] = math.sin %[[CARRIED3]]
// CHECK: %[[COS:.*]] = math.cos %[[CARRIED3]]
// CHECK: %[[MULF:.*]] = arith.mulf %[[CARRIED4]], %[[COS]]
// CHECK: scf.yield %[[SIN]], %[[MULF]]
// CHECK: scf.yield %[[LOOP2]]#0, %[[LOOP2]]#1
// CHECK: return %[[LOOP]]#0, %[[LOOP]]#1
func.func @nested_jvp(%n: index, %x: f64, %x_dot: f64) -> (f64, f64) {
  %r:2 = ad.jvp @nested(%n, %x) seed(%x_dot)
      : (index, f64), (f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
