// scf.for, forward mode: one loop that carries tangents beside primals [F01, F09].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

func.func private @taken_over(%n: index, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = math.sin %x : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %s) -> f64 {
    %q = arith.addf %p, %x : f64
    scf.yield %q : f64
  }
  %y = arith.mulf %r, %x : f64
  return %y : f64
}
// CHECK-LABEL: func.func @taken_over_jvp(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index, %[[X:[a-z0-9]+]]: f64, %[[X_DOT:[a-z0-9]+]]: f64)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[CONST2:.*]] = arith.constant 1 : index
// CHECK: %[[SIN:.*]] = math.sin %[[X]]
// CHECK: %[[COS:.*]] = math.cos %[[X]]
// CHECK: %[[MULF:.*]] = arith.mulf %[[X_DOT]], %[[COS]]
// CHECK: %[[LOOP:.*]]:2 = scf.for %[[I:[a-z0-9]+]] = %[[CONST]] to %[[N]] step %[[CONST2]] iter_args(%[[CARRIED:[a-z0-9]+]] = %[[SIN]], %[[CARRIED2:[a-z0-9]+]] = %[[MULF]]) -> (f64, f64) {
// CHECK: %[[ADDF:.*]] = arith.addf %[[CARRIED]], %[[X]]
// CHECK: %[[ADDF2:.*]] = arith.addf %[[CARRIED2]], %[[X_DOT]]
// CHECK: scf.yield %[[ADDF]], %[[ADDF2]]
// CHECK: %[[MULF2:.*]] = arith.mulf %[[LOOP]]#0, %[[X]]
// CHECK: %[[MULF3:.*]] = arith.mulf %[[LOOP]]#1, %[[X]]
// CHECK: %[[MULF4:.*]] = arith.mulf %[[X_DOT]], %[[LOOP]]#0
// CHECK: %[[ADDF3:.*]] = arith.addf %[[MULF3]], %[[MULF4]]
// CHECK: return %[[MULF2]], %[[ADDF3]]
func.func @taken_over_jvp(%n: index, %x: f64, %x_dot: f64) -> (f64, f64) {
  %r:2 = ad.jvp @taken_over(%n, %x) seed(%x_dot)
      : (index, f64), (f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}

func.func private @power(%n: index, %x: f64, %y: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %y) -> f64 {
    %q = arith.mulf %p, %x : f64
    scf.yield %q : f64
  }
  return %r : f64
}
// CHECK-LABEL: func.func @power_jvp(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index, %[[X:[a-z0-9]+]]: f64, %[[Y:[a-z0-9]+]]: f64, %[[X_DOT:[a-z0-9]+]]: f64, %[[Y_DOT:[a-z0-9]+]]: f64)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[CONST2:.*]] = arith.constant 1 : index
// CHECK: %[[LOOP:.*]]:2 = scf.for %[[I:[a-z0-9]+]] = %[[CONST]] to %[[N]] step %[[CONST2]] iter_args(%[[CARRIED:[a-z0-9]+]] = %[[Y]], %[[CARRIED2:[a-z0-9]+]] = %[[Y_DOT]]) -> (f64, f64) {
// CHECK: %[[MULF:.*]] = arith.mulf %[[CARRIED]], %[[X]]
// CHECK: %[[MULF2:.*]] = arith.mulf %[[CARRIED2]], %[[X]]
// CHECK: %[[MULF3:.*]] = arith.mulf %[[X_DOT]], %[[CARRIED]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[MULF2]], %[[MULF3]]
// CHECK: scf.yield %[[MULF]], %[[ADDF]]
// CHECK: return %[[LOOP]]#0, %[[LOOP]]#1
func.func @power_jvp(%n: index, %x: f64, %y: f64, %x_dot: f64, %y_dot: f64) -> (f64, f64) {
  %r:2 = ad.jvp @power(%n, %x, %y) seed(%x_dot, %y_dot)
      : (index, f64, f64), (f64, f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}

func.func private @sum(%xs: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %t = arith.addf %s, %x : f64
    scf.yield %t : f64
  }
  return %r : f64
}
// CHECK-LABEL: func.func @sum_jvp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[XS_DOT:[a-z0-9]+]]: tensor<?xf64>)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[CONST2:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[CONST3:.*]] = arith.constant 0.000000e+00 : f64
// CHECK: %[[DIM:.*]] = tensor.dim %[[XS]], %[[CONST]]
// CHECK: %[[LOOP:.*]]:2 = scf.for %[[I:[a-z0-9]+]] = %[[CONST]] to %[[DIM]] step %[[CONST2]] iter_args(%[[CARRIED:[a-z0-9]+]] = %[[CONST3]], %[[CARRIED2:[a-z0-9]+]] = %[[CONST3]]) -> (f64, f64) {
// CHECK: %[[EXTRACT:.*]] = tensor.extract %[[XS]][%[[I]]]
// CHECK: %[[EXTRACT2:.*]] = tensor.extract %[[XS_DOT]][%[[I]]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[CARRIED]], %[[EXTRACT]]
// CHECK: %[[ADDF2:.*]] = arith.addf %[[CARRIED2]], %[[EXTRACT2]]
// CHECK: scf.yield %[[ADDF]], %[[ADDF2]]
// CHECK: return %[[LOOP]]#0, %[[LOOP]]#1
func.func @sum_jvp(%xs: tensor<?xf64>, %xs_dot: tensor<?xf64>) -> (f64, f64) {
  %r:2 = ad.jvp @sum(%xs) seed(%xs_dot)
      : (tensor<?xf64>), (tensor<?xf64>) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}

func.func private @swap(%lb: index, %ub: index, %step: index, %x: f64, %y: f64) -> (f64, f64) {
  %r:2 = scf.for %i = %lb to %ub step %step iter_args(%a = %x, %b = %y) -> (f64, f64) {
    %p = arith.mulf %a, %b : f64
    scf.yield %b, %p : f64, f64
  }
  return %r#0, %r#1 : f64, f64
}
// CHECK-LABEL: func.func @swap_jvp(
// CHECK-SAME: %[[LB:[a-z0-9]+]]: index, %[[UB:[a-z0-9]+]]: index, %[[STEP:[a-z0-9]+]]: index, %[[X:[a-z0-9]+]]: f64, %[[Y:[a-z0-9]+]]: f64, %[[X_DOT:[a-z0-9]+]]: f64, %[[Y_DOT:[a-z0-9]+]]: f64)
// CHECK: %[[LOOP:.*]]:4 = scf.for %[[I:[a-z0-9]+]] = %[[LB]] to %[[UB]] step %[[STEP]] iter_args(%[[CARRIED:[a-z0-9]+]] = %[[X]], %[[CARRIED2:[a-z0-9]+]] = %[[Y]], %[[CARRIED3:[a-z0-9]+]] = %[[X_DOT]], %[[CARRIED4:[a-z0-9]+]] = %[[Y_DOT]]) -> (f64, f64, f64, f64) {
// CHECK: %[[MULF:.*]] = arith.mulf %[[CARRIED]], %[[CARRIED2]]
// CHECK: %[[MULF2:.*]] = arith.mulf %[[CARRIED3]], %[[CARRIED2]]
// CHECK: %[[MULF3:.*]] = arith.mulf %[[CARRIED4]], %[[CARRIED]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[MULF2]], %[[MULF3]]
// CHECK: scf.yield %[[CARRIED2]], %[[MULF]], %[[CARRIED4]], %[[ADDF]]
// CHECK: return %[[LOOP]]#0, %[[LOOP]]#1, %[[LOOP]]#2, %[[LOOP]]#3
func.func @swap_jvp(%lb: index, %ub: index, %step: index, %x: f64, %y: f64, %x_dot: f64, %y_dot: f64) -> (f64, f64, f64, f64) {
  %r:4 = ad.jvp @swap(%lb, %ub, %step, %x, %y) seed(%x_dot, %y_dot)
      : (index, index, index, f64, f64), (f64, f64) -> (f64, f64, f64, f64)
  return %r#0, %r#1, %r#2, %r#3 : f64, f64, f64, f64
}
