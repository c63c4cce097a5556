// scf.for: loop-carried values are saved at the entry of each iteration; the reversed loop
// reinstalls them and runs the body again [F15, F09].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

// A free variable of the loop, also used before it: its adjoint is taken over [F17].
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
// CHECK-LABEL: func.func @taken_over_vjp(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index, %[[X:[a-z0-9]+]]: f64, %[[Y_BAR:[a-z0-9]+]]: f64)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[CONST2:.*]] = arith.constant 1 : index
// CHECK: %[[SIN:.*]] = math.sin %[[X]]
// CHECK: %[[LOOP:.*]] = scf.for %[[I:[a-z0-9]+]] = %[[CONST]] to %[[N]] step %[[CONST2]] iter_args(%[[CARRIED:[a-z0-9]+]] = %[[SIN]]) -> (f64) {
// CHECK: %[[ADDF:.*]] = arith.addf %[[CARRIED]], %[[X]]
// CHECK: scf.yield %[[ADDF]]
// CHECK: %[[MULF:.*]] = arith.mulf %[[Y_BAR]], %[[X]]
// CHECK: %[[MULF2:.*]] = arith.mulf %[[Y_BAR]], %[[LOOP]]
// CHECK: %[[MAXSI:.*]] = arith.maxsi %[[N]], %[[CONST]]
// CHECK: %[[LOOP2:.*]] = scf.for %[[I2:[a-z0-9]+]] = %[[CONST]] to %[[MAXSI]] step %[[CONST2]] iter_args(%[[CARRIED2:[a-z0-9]+]] = %[[MULF2]]) -> (f64) {
// CHECK: %[[ADDF2:.*]] = arith.addf %[[CARRIED2]], %[[MULF]]
// CHECK: scf.yield %[[ADDF2]]
// CHECK: %[[COS:.*]] = math.cos %[[X]]
// CHECK: %[[MULF3:.*]] = arith.mulf %[[MULF]], %[[COS]]
// CHECK: %[[ADDF3:.*]] = arith.addf %[[LOOP2]], %[[MULF3]]
// CHECK: return %[[ADDF3]]
func.func @taken_over_vjp(%n: index, %x: f64, %y_bar: f64) -> f64 {
  %r:2 = ad.vjp @taken_over(%n, %x) seed(%y_bar)
      : (index, f64), (f64) -> (f64, f64)
  return %r#1 : f64
}

// One tape: only x is read by the return sweep.
func.func private @power(%n: index, %x: f64, %y: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %y) -> f64 {
    %q = arith.mulf %p, %x : f64
    scf.yield %q : f64
  }
  return %r : f64
}
// CHECK-LABEL: func.func @power_vjp(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index, %[[X:[a-z0-9]+]]: f64, %[[Y:[a-z0-9]+]]: f64, %[[Y_BAR:[a-z0-9]+]]: f64)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-DAG: %[[CONST2:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[CONST3:.*]] = arith.constant 1 : index
// CHECK: %[[MAXSI:.*]] = arith.maxsi %[[N]], %[[CONST2]]
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[MAXSI]]) : tensor<?xf64>
// CHECK: %[[LOOP:.*]]:2 = scf.for %[[I:[a-z0-9]+]] = %[[CONST2]] to %[[N]] step %[[CONST3]] iter_args(%[[CARRIED:[a-z0-9]+]] = %[[Y]], %[[CARRIED2:[a-z0-9]+]] = %[[EMPTY]]) -> (f64, tensor<?xf64>) {
// CHECK: %[[INSERT:.*]] = tensor.insert %[[CARRIED]] into %[[CARRIED2]][%[[I]]]
// CHECK: %[[MULF:.*]] = arith.mulf %[[CARRIED]], %[[X]]
// CHECK: scf.yield %[[MULF]], %[[INSERT]]
// CHECK: %[[LOOP2:.*]]:2 = scf.for %[[I2:[a-z0-9]+]] = %[[CONST2]] to %[[MAXSI]] step %[[CONST3]] iter_args(%[[CARRIED3:[a-z0-9]+]] = %[[Y_BAR]], %[[CARRIED4:[a-z0-9]+]] = %[[CONST]]) -> (f64, f64) {
// CHECK: %[[SUBI:.*]] = arith.subi %[[MAXSI]], %[[CONST3]]
// CHECK: %[[SUBI2:.*]] = arith.subi %[[SUBI]], %[[I2]]
// CHECK: %[[EXTRACT:.*]] = tensor.extract %[[LOOP]]#1[%[[SUBI2]]]
// CHECK: %[[MULF2:.*]] = arith.mulf %[[CARRIED3]], %[[X]]
// CHECK: %[[MULF3:.*]] = arith.mulf %[[CARRIED3]], %[[EXTRACT]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[CARRIED4]], %[[MULF3]]
// CHECK: scf.yield %[[MULF2]], %[[ADDF]]
// CHECK: return %[[LOOP2]]#1, %[[LOOP2]]#0
func.func @power_vjp(%n: index, %x: f64, %y: f64, %y_bar: f64) -> (f64, f64) {
  %r:3 = ad.vjp @power(%n, %x, %y) seed(%y_bar)
      : (index, f64, f64), (f64) -> (f64, f64, f64)
  return %r#1, %r#2 : f64, f64
}

// A linear loop reads no carried value: no tape at all.
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
// CHECK-LABEL: func.func @sum_vjp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[Y_BAR:[a-z0-9]+]]: f64)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[CONST2:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[CONST3:.*]] = arith.constant 0.000000e+00 : f64
// CHECK: %[[DIM:.*]] = tensor.dim %[[XS]], %[[CONST]]
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[DIM]]) : tensor<?xf64>
// CHECK: %[[FILL:.*]] = linalg.fill ins(%[[CONST3]] : f64) outs(%[[EMPTY]]
// CHECK: %[[LOOP:.*]] = scf.for %[[I:[a-z0-9]+]] = %[[CONST]] to %[[DIM]] step %[[CONST2]] iter_args(%[[CARRIED:[a-z0-9]+]] = %[[FILL]]) -> (tensor<?xf64>) {
// CHECK: %[[SUBI:.*]] = arith.subi %[[DIM]], %[[CONST2]]
// CHECK: %[[SUBI2:.*]] = arith.subi %[[SUBI]], %[[I]]
// CHECK: %[[EXTRACT:.*]] = tensor.extract %[[CARRIED]][%[[SUBI2]]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[EXTRACT]], %[[Y_BAR]]
// CHECK: %[[INSERT:.*]] = tensor.insert %[[ADDF]] into %[[CARRIED]][%[[SUBI2]]]
// CHECK: scf.yield %[[INSERT]]
// CHECK: return %[[LOOP]]
func.func @sum_vjp(%xs: tensor<?xf64>, %y_bar: f64) -> tensor<?xf64> {
  %r:2 = ad.vjp @sum(%xs) seed(%y_bar)
      : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

// Two carried values that swap, and bounds that are not 0, n, 1 [F09].
func.func private @swap(%lb: index, %ub: index, %step: index, %x: f64, %y: f64) -> (f64, f64) {
  %r:2 = scf.for %i = %lb to %ub step %step iter_args(%a = %x, %b = %y) -> (f64, f64) {
    %p = arith.mulf %a, %b : f64
    scf.yield %b, %p : f64, f64
  }
  return %r#0, %r#1 : f64, f64
}
// CHECK-LABEL: func.func @swap_vjp(
// CHECK-SAME: %[[LB:[a-z0-9]+]]: index, %[[UB:[a-z0-9]+]]: index, %[[STEP:[a-z0-9]+]]: index, %[[X:[a-z0-9]+]]: f64, %[[Y:[a-z0-9]+]]: f64, %[[Y0_BAR:[a-z0-9]+]]: f64, %[[Y1_BAR:[a-z0-9]+]]: f64)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[CONST2:.*]] = arith.constant 0 : index
// CHECK: %[[SUBI:.*]] = arith.subi %[[UB]], %[[LB]]
// CHECK: %[[CEILDIVSI:.*]] = arith.ceildivsi %[[SUBI]], %[[STEP]]
// CHECK: %[[MAXSI:.*]] = arith.maxsi %[[CEILDIVSI]], %[[CONST2]]
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[MAXSI]]) : tensor<?xf64>
// CHECK: %[[LOOP:.*]]:4 = scf.for %[[I:[a-z0-9]+]] = %[[LB]] to %[[UB]] step %[[STEP]] iter_args(%[[CARRIED:[a-z0-9]+]] = %[[X]], %[[CARRIED2:[a-z0-9]+]] = %[[Y]], %[[CARRIED3:[a-z0-9]+]] = %[[EMPTY]], %[[CARRIED4:[a-z0-9]+]] = %[[EMPTY]]) -> (f64, f64, tensor<?xf64>, tensor<?xf64>) {
// CHECK: %[[SUBI2:.*]] = arith.subi %[[I]], %[[LB]]
// CHECK: %[[DIVUI:.*]] = arith.divui %[[SUBI2]], %[[STEP]]
// CHECK: %[[INSERT:.*]] = tensor.insert %[[CARRIED]] into %[[CARRIED3]][%[[DIVUI]]]
// CHECK: %[[INSERT2:.*]] = tensor.insert %[[CARRIED2]] into %[[CARRIED4]][%[[DIVUI]]]
// CHECK: %[[MULF:.*]] = arith.mulf %[[CARRIED]], %[[CARRIED2]]
// CHECK: scf.yield %[[CARRIED2]], %[[MULF]], %[[INSERT]], %[[INSERT2]]
// CHECK: %[[LOOP2:.*]]:2 = scf.for %[[I2:[a-z0-9]+]] = %[[CONST2]] to %[[MAXSI]] step %[[CONST]] iter_args(%[[CARRIED5:[a-z0-9]+]] = %[[Y0_BAR]], %[[CARRIED6:[a-z0-9]+]] = %[[Y1_BAR]]) -> (f64, f64) {
// CHECK: %[[SUBI3:.*]] = arith.subi %[[MAXSI]], %[[CONST]]
// CHECK: %[[SUBI4:.*]] = arith.subi %[[SUBI3]], %[[I2]]
// CHECK: %[[EXTRACT:.*]] = tensor.extract %[[LOOP]]#2[%[[SUBI4]]]
// CHECK: %[[EXTRACT2:.*]] = tensor.extract %[[LOOP]]#3[%[[SUBI4]]]
// CHECK: %[[MULF2:.*]] = arith.mulf %[[CARRIED6]], %[[EXTRACT2]]
// CHECK: %[[MULF3:.*]] = arith.mulf %[[CARRIED6]], %[[EXTRACT]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[CARRIED5]], %[[MULF3]]
// CHECK: scf.yield %[[MULF2]], %[[ADDF]]
// CHECK: return %[[LOOP2]]#0, %[[LOOP2]]#1
func.func @swap_vjp(%lb: index, %ub: index, %step: index, %x: f64, %y: f64, %y0_bar: f64, %y1_bar: f64) -> (f64, f64) {
  %r:4 = ad.vjp @swap(%lb, %ub, %step, %x, %y) seed(%y0_bar, %y1_bar)
      : (index, index, index, f64, f64), (f64, f64) -> (f64, f64, f64, f64)
  return %r#2, %r#3 : f64, f64
}
