// tensor.extract: the adjoint is accumulated into the element, in place; no zero array per
// use [F19].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.' --implicit-check-not='linalg.fill' --implicit-check-not='tensor.empty'

// Three reads, one zero array.
func.func private @reads(%xs: tensor<?xf64>, %i: index, %j: index) -> f64 {
  %a = tensor.extract %xs[%i] : tensor<?xf64>
  %b = tensor.extract %xs[%j] : tensor<?xf64>
  %p = arith.mulf %a, %b : f64
  return %p : f64
}
// CHECK-LABEL: func.func @reads_vjp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[I:[a-z0-9]+]]: index, %[[J:[a-z0-9]+]]: index, %[[Y_BAR:[a-z0-9]+]]: f64)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-DAG: %[[CONST2:.*]] = arith.constant 0 : index
// CHECK: %[[EXTRACT:.*]] = tensor.extract %[[XS]][%[[I]]]
// CHECK: %[[EXTRACT2:.*]] = tensor.extract %[[XS]][%[[J]]]
// CHECK: %[[MULF:.*]] = arith.mulf %[[Y_BAR]], %[[EXTRACT2]]
// CHECK: %[[MULF2:.*]] = arith.mulf %[[Y_BAR]], %[[EXTRACT]]
// CHECK: %[[DIM:.*]] = tensor.dim %[[XS]], %[[CONST2]]
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[DIM]]) : tensor<?xf64>
// CHECK: %[[FILL:.*]] = linalg.fill ins(%[[CONST]] : f64) outs(%[[EMPTY]]
// CHECK: %[[INSERT:.*]] = tensor.insert %[[MULF2]] into %[[FILL]][%[[J]]]
// CHECK: %[[EXTRACT3:.*]] = tensor.extract %[[INSERT]][%[[I]]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[EXTRACT3]], %[[MULF]]
// CHECK: %[[INSERT2:.*]] = tensor.insert %[[ADDF]] into %[[INSERT]][%[[I]]]
// CHECK: return %[[INSERT2]]
func.func @reads_vjp(%xs: tensor<?xf64>, %i: index, %j: index, %y_bar: f64) -> tensor<?xf64> {
  %r:2 = ad.vjp @reads(%xs, %i, %j) seed(%y_bar)
      : (tensor<?xf64>, index, index), (f64) -> (f64, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

// Inside a loop: the one array is carried [F19].
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
// CHECK-LABEL: func.func @in_loop_vjp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?x?xf64>, %[[N:[a-z0-9]+]]: index, %[[J:[a-z0-9]+]]: index, %[[Y_BAR:[a-z0-9]+]]: f64)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[CONST2:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[CONST3:.*]] = arith.constant 0.000000e+00 : f64
// CHECK: %[[DIM:.*]] = tensor.dim %[[XS]], %[[CONST]]
// CHECK: %[[DIM2:.*]] = tensor.dim %[[XS]], %[[CONST2]]
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[DIM]], %[[DIM2]]) : tensor<?x?xf64>
// CHECK: %[[FILL:.*]] = linalg.fill ins(%[[CONST3]] : f64) outs(%[[EMPTY]]
// CHECK: %[[MAXSI:.*]] = arith.maxsi %[[N]], %[[CONST]]
// CHECK: %[[LOOP:.*]] = scf.for %[[I:[a-z0-9]+]] = %[[CONST]] to %[[MAXSI]] step %[[CONST2]] iter_args(%[[CARRIED:[a-z0-9]+]] = %[[FILL]]) -> (tensor<?x?xf64>) {
// CHECK: %[[SUBI:.*]] = arith.subi %[[MAXSI]], %[[CONST2]]
// CHECK: %[[SUBI2:.*]] = arith.subi %[[SUBI]], %[[I]]
// CHECK: %[[EXTRACT:.*]] = tensor.extract %[[CARRIED]][%[[SUBI2]], %[[J]]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[EXTRACT]], %[[Y_BAR]]
// CHECK: %[[INSERT:.*]] = tensor.insert %[[ADDF]] into %[[CARRIED]][%[[SUBI2]], %[[J]]]
// CHECK: scf.yield %[[INSERT]]
// CHECK: return %[[LOOP]]
func.func @in_loop_vjp(%xs: tensor<?x?xf64>, %n: index, %j: index, %y_bar: f64) -> tensor<?x?xf64> {
  %r:2 = ad.vjp @in_loop(%xs, %n, %j) seed(%y_bar)
      : (tensor<?x?xf64>, index, index), (f64) -> (f64, tensor<?x?xf64>)
  return %r#1 : tensor<?x?xf64>
}
