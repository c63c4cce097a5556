// tensor.insert, forward mode: the tangent goes through the operation itself [F01].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.' --implicit-check-not='linalg.fill' --implicit-check-not='tensor.empty'

func.func private @update(%xs: tensor<?xf64>, %i: index, %v: f64) -> tensor<?xf64> {
  %r = tensor.insert %v into %xs[%i] : tensor<?xf64>
  return %r : tensor<?xf64>
}
// CHECK-LABEL: func.func @update_jvp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[I:[a-z0-9]+]]: index, %[[V:[a-z0-9]+]]: f64, %[[XS_DOT:[a-z0-9]+]]: tensor<?xf64>, %[[V_DOT:[a-z0-9]+]]: f64)
// CHECK: %[[INSERT:.*]] = tensor.insert %[[V]] into %[[XS]][%[[I]]]
// CHECK: %[[INSERT2:.*]] = tensor.insert %[[V_DOT]] into %[[XS_DOT]][%[[I]]]
// CHECK: return %[[INSERT]], %[[INSERT2]]
func.func @update_jvp(%xs: tensor<?xf64>, %i: index, %v: f64, %xs_dot: tensor<?xf64>, %v_dot: f64) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:2 = ad.jvp @update(%xs, %i, %v) seed(%xs_dot, %v_dot)
      : (tensor<?xf64>, index, f64), (tensor<?xf64>, f64) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}

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
// CHECK-LABEL: func.func @recurrence_jvp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[N:[a-z0-9]+]]: index, %[[XS_DOT:[a-z0-9]+]]: tensor<?xf64>)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 1 : index
// CHECK: %[[LOOP:.*]]:2 = scf.for %[[I:[a-z0-9]+]] = %[[CONST]] to %[[N]] step %[[CONST]] iter_args(%[[CARRIED:[a-z0-9]+]] = %[[XS]], %[[CARRIED2:[a-z0-9]+]] = %[[XS_DOT]]) -> (tensor<?xf64>, tensor<?xf64>) {
// CHECK: %[[SUBI:.*]] = arith.subi %[[I]], %[[CONST]]
// CHECK: %[[EXTRACT:.*]] = tensor.extract %[[CARRIED]][%[[SUBI]]]
// CHECK: %[[EXTRACT2:.*]] = tensor.extract %[[CARRIED2]][%[[SUBI]]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[EXTRACT]], %[[EXTRACT]]
// CHECK: %[[ADDF2:.*]] = arith.addf %[[EXTRACT2]], %[[EXTRACT2]]
// CHECK: %[[INSERT:.*]] = tensor.insert %[[ADDF]] into %[[CARRIED]][%[[I]]]
// CHECK: %[[INSERT2:.*]] = tensor.insert %[[ADDF2]] into %[[CARRIED2]][%[[I]]]
// CHECK: scf.yield %[[INSERT]], %[[INSERT2]]
// CHECK: return %[[LOOP]]#0, %[[LOOP]]#1
func.func @recurrence_jvp(%xs: tensor<?xf64>, %n: index, %xs_dot: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:2 = ad.jvp @recurrence(%xs, %n) seed(%xs_dot)
      : (tensor<?xf64>, index), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}
