// tensor.insert: a functional in-place update [F08]; the overwritten element has no
// derivative.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.' --implicit-check-not='linalg.fill' --implicit-check-not='tensor.empty'

// The cotangent of the value is read, then its element is cleared.
func.func private @update(%xs: tensor<?xf64>, %i: index, %v: f64) -> tensor<?xf64> {
  %r = tensor.insert %v into %xs[%i] : tensor<?xf64>
  return %r : tensor<?xf64>
}
// CHECK-LABEL: func.func @update_vjp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[I:[a-z0-9]+]]: index, %[[V:[a-z0-9]+]]: f64, %[[Y_BAR:[a-z0-9]+]]: tensor<?xf64>)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0.000000e+00 : f64
// CHECK: %[[EXTRACT:.*]] = tensor.extract %[[Y_BAR]][%[[I]]]
// CHECK: %[[INSERT:.*]] = tensor.insert %[[CONST]] into %[[Y_BAR]][%[[I]]]
// CHECK: return %[[INSERT]], %[[EXTRACT]]
func.func @update_vjp(%xs: tensor<?xf64>, %i: index, %v: f64, %y_bar: tensor<?xf64>) -> (tensor<?xf64>, f64) {
  %r:3 = ad.vjp @update(%xs, %i, %v) seed(%y_bar)
      : (tensor<?xf64>, index, f64), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, f64)
  return %r#1, %r#2 : tensor<?xf64>, f64
}

// In a loop that updates in place, an element from the one before.
func.func private @recurrence(%xs: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%a = %xs) -> tensor<?xf64> {
    %k = arith.subi %i, %c1 : index
    %x = tensor.extract %a[%k] : tensor<?xf64>
    %y = arith.addf %x, %x : f64
    %b = tensor.insert %y into %a[%i] : tensor<?xf64>
    scf.yield %b : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}
// CHECK-LABEL: func.func @recurrence_vjp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[N:[a-z0-9]+]]: index, %[[Y_BAR:[a-z0-9]+]]: tensor<?xf64>)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-DAG: %[[CONST2:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[CONST3:.*]] = arith.constant 1 : index
// CHECK: %[[SUBI:.*]] = arith.subi %[[N]], %[[CONST3]]
// CHECK: %[[MAXSI:.*]] = arith.maxsi %[[SUBI]], %[[CONST2]]
// CHECK: %[[LOOP:.*]] = scf.for %[[I:[a-z0-9]+]] = %[[CONST2]] to %[[MAXSI]] step %[[CONST3]] iter_args(%[[CARRIED:[a-z0-9]+]] = %[[Y_BAR]]) -> (tensor<?xf64>) {
// CHECK: %[[SUBI2:.*]] = arith.subi %[[MAXSI]], %[[CONST3]]
// CHECK: %[[SUBI3:.*]] = arith.subi %[[SUBI2]], %[[I]]
// CHECK: %[[ADDI:.*]] = arith.addi %[[SUBI3]], %[[CONST3]]
// CHECK: %[[EXTRACT:.*]] = tensor.extract %[[CARRIED]][%[[ADDI]]]
// CHECK: %[[INSERT:.*]] = tensor.insert %[[CONST]] into %[[CARRIED]][%[[ADDI]]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[EXTRACT]], %[[EXTRACT]]
// CHECK: %[[EXTRACT2:.*]] = tensor.extract %[[INSERT]][%[[SUBI3]]]
// CHECK: %[[ADDF2:.*]] = arith.addf %[[EXTRACT2]], %[[ADDF]]
// CHECK: %[[INSERT2:.*]] = tensor.insert %[[ADDF2]] into %[[INSERT]][%[[SUBI3]]]
// CHECK: scf.yield %[[INSERT2]]
// CHECK: return %[[LOOP]]
func.func @recurrence_vjp(%xs: tensor<?xf64>, %n: index, %y_bar: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = ad.vjp @recurrence(%xs, %n) seed(%y_bar)
      : (tensor<?xf64>, index), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
