// scf.for in scf.for: every loop saves its own values only [F16, Z08].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

// The inner loop is executed again, not saved by the outer one: tapes have rank one [F16, Z08].
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
// CHECK-LABEL: func.func @nested_vjp(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index, %[[X:[a-z0-9]+]]: f64, %[[Y_BAR:[a-z0-9]+]]: f64)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[CONST2:.*]] = arith.constant 1 : index
// CHECK: %[[MAXSI:.*]] = arith.maxsi %[[N]], %[[CONST]]
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[MAXSI]]) : tensor<?xf64>
// CHECK: %[[LOOP:.*]]:2 = scf.for %[[I:[a-z0-9]+]] = %[[CONST]] to %[[N]] step %[[CONST2]] iter_args(%[[CARRIED:[a-z0-9]+]] = %[[X]], %[[CARRIED2:[a-z0-9]+]] = %[[EMPTY]]) -> (f64, tensor<?xf64>) {
// CHECK: %[[INSERT:.*]] = tensor.insert %[[CARRIED]] into %[[CARRIED2]][%[[I]]]
// CHECK: %[[LOOP2:.*]] = scf.for %[[I2:[a-z0-9]+]] = %[[CONST]] to %[[N]] step %[[CONST2]] iter_args(%[[CARRIED3:[a-z0-9]+]] = %[[CARRIED]]) -> (f64) {
// CHECK: %[[SIN:.*]] = math.sin %[[CARRIED3]]
// CHECK: scf.yield %[[SIN]]
// CHECK: scf.yield %[[LOOP2]], %[[INSERT]]
// CHECK: %[[LOOP3:.*]] = scf.for %[[I3:[a-z0-9]+]] = %[[CONST]] to %[[MAXSI]] step %[[CONST2]] iter_args(%[[CARRIED4:[a-z0-9]+]] = %[[Y_BAR]]) -> (f64) {
// CHECK: %[[SUBI:.*]] = arith.subi %[[MAXSI]], %[[CONST2]]
// CHECK: %[[SUBI2:.*]] = arith.subi %[[SUBI]], %[[I3]]
// CHECK: %[[EXTRACT:.*]] = tensor.extract %[[LOOP]]#1[%[[SUBI2]]]
// CHECK: %[[LOOP4:.*]]:2 = scf.for %[[I4:[a-z0-9]+]] = %[[CONST]] to %[[N]] step %[[CONST2]] iter_args(%[[CARRIED5:[a-z0-9]+]] = %[[EXTRACT]], %[[CARRIED6:[a-z0-9]+]] = %[[EMPTY]]) -> (f64, tensor<?xf64>) {
// CHECK: %[[INSERT2:.*]] = tensor.insert %[[CARRIED5]] into %[[CARRIED6]][%[[I4]]]
// CHECK: %[[SIN2:.*]] = math.sin %[[CARRIED5]]
// CHECK: scf.yield %[[SIN2]], %[[INSERT2]]
// CHECK: %[[LOOP5:.*]] = scf.for %[[I5:[a-z0-9]+]] = %[[CONST]] to %[[MAXSI]] step %[[CONST2]] iter_args(%[[CARRIED7:[a-z0-9]+]] = %[[CARRIED4]]) -> (f64) {
// CHECK: %[[SUBI3:.*]] = arith.subi %[[SUBI]], %[[I5]]
// CHECK: %[[EXTRACT2:.*]] = tensor.extract %[[LOOP4]]#1[%[[SUBI3]]]
// CHECK: %[[COS:.*]] = math.cos %[[EXTRACT2]]
// CHECK: %[[MULF:.*]] = arith.mulf %[[CARRIED7]], %[[COS]]
// CHECK: scf.yield %[[MULF]]
// CHECK: scf.yield %[[LOOP5]]
// CHECK: return %[[LOOP3]]
func.func @nested_vjp(%n: index, %x: f64, %y_bar: f64) -> f64 {
  %r:2 = ad.vjp @nested(%n, %x) seed(%y_bar)
      : (index, f64), (f64) -> (f64, f64)
  return %r#1 : f64
}
