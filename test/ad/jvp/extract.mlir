// tensor.extract, forward mode: the tangent goes through the operation itself [F01].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.' --implicit-check-not='linalg.fill' --implicit-check-not='tensor.empty'

func.func private @reads(%xs: tensor<?xf64>, %i: index, %j: index) -> f64 {
  %a = tensor.extract %xs[%i] : tensor<?xf64>
  %b = tensor.extract %xs[%j] : tensor<?xf64>
  %p = arith.mulf %a, %b : f64
  return %p : f64
}
// CHECK-LABEL: func.func @reads_jvp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[I:[a-z0-9]+]]: index, %[[J:[a-z0-9]+]]: index, %[[XS_DOT:[a-z0-9]+]]: tensor<?xf64>)
// CHECK: %[[EXTRACT:.*]] = tensor.extract %[[XS]][%[[I]]]
// CHECK: %[[EXTRACT2:.*]] = tensor.extract %[[XS_DOT]][%[[I]]]
// CHECK: %[[EXTRACT3:.*]] = tensor.extract %[[XS]][%[[J]]]
// CHECK: %[[EXTRACT4:.*]] = tensor.extract %[[XS_DOT]][%[[J]]]
// CHECK: %[[MULF:.*]] = arith.mulf %[[EXTRACT]], %[[EXTRACT3]]
// CHECK: %[[MULF2:.*]] = arith.mulf %[[EXTRACT2]], %[[EXTRACT3]]
// CHECK: %[[MULF3:.*]] = arith.mulf %[[EXTRACT4]], %[[EXTRACT]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[MULF2]], %[[MULF3]]
// CHECK: return %[[MULF]], %[[ADDF]]
func.func @reads_jvp(%xs: tensor<?xf64>, %i: index, %j: index, %xs_dot: tensor<?xf64>) -> (f64, f64) {
  %r:2 = ad.jvp @reads(%xs, %i, %j) seed(%xs_dot)
      : (tensor<?xf64>, index, index), (tensor<?xf64>) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}

func.func private @in_loop(%xs: tensor<?x?xf64>, %n: index, %j: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %x = tensor.extract %xs[%i, %j] : tensor<?x?xf64>
    %t = arith.addf %s, %x : f64
    scf.yield %t : f64
  }
  return %r : f64
}
// CHECK-LABEL: func.func @in_loop_jvp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?x?xf64>, %[[N:[a-z0-9]+]]: index, %[[J:[a-z0-9]+]]: index, %[[XS_DOT:[a-z0-9]+]]: tensor<?x?xf64>)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[CONST2:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[CONST3:.*]] = arith.constant 0.000000e+00 : f64
// CHECK: %[[LOOP:.*]]:2 = scf.for %[[I:[a-z0-9]+]] = %[[CONST]] to %[[N]] step %[[CONST2]] iter_args(%[[CARRIED:[a-z0-9]+]] = %[[CONST3]], %[[CARRIED2:[a-z0-9]+]] = %[[CONST3]]) -> (f64, f64) {
// CHECK: %[[EXTRACT:.*]] = tensor.extract %[[XS]][%[[I]], %[[J]]]
// CHECK: %[[EXTRACT2:.*]] = tensor.extract %[[XS_DOT]][%[[I]], %[[J]]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[CARRIED]], %[[EXTRACT]]
// CHECK: %[[ADDF2:.*]] = arith.addf %[[CARRIED2]], %[[EXTRACT2]]
// CHECK: scf.yield %[[ADDF]], %[[ADDF2]]
// CHECK: return %[[LOOP]]#0, %[[LOOP]]#1
func.func @in_loop_jvp(%xs: tensor<?x?xf64>, %n: index, %j: index, %xs_dot: tensor<?x?xf64>) -> (f64, f64) {
  %r:2 = ad.jvp @in_loop(%xs, %n, %j) seed(%xs_dot)
      : (tensor<?x?xf64>, index, index), (tensor<?x?xf64>) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
