// tensor.generate: a map over indices.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

// A free scalar and a free array [F42, F43].
func.func private @generate(%xs: tensor<?xf64>, %c: f64, %n: index) -> tensor<?xf64> {
  %r = tensor.generate %n {
  ^bb0(%i: index):
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %p = arith.mulf %x, %c : f64
    tensor.yield %p : f64
  } : tensor<?xf64>
  return %r : tensor<?xf64>
}
// CHECK-LABEL: func.func @generate_vjp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[C:[a-z0-9]+]]: f64, %[[N:[a-z0-9]+]]: index, %[[Y_BAR:[a-z0-9]+]]: tensor<?xf64>)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-DAG: %[[CONST2:.*]] = arith.constant 0 : index
// CHECK: %[[DIM:.*]] = tensor.dim %[[Y_BAR]], %[[CONST2]]
// CHECK: %[[IOTA:.*]] = soac.iota %[[DIM]] : tensor<?xindex>
// CHECK: %[[DIM2:.*]] = tensor.dim %[[XS]], %[[CONST2]]
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[DIM2]]) : tensor<?xf64>
// CHECK: %[[FILL:.*]] = linalg.fill ins(%[[CONST]] : f64) outs(%[[EMPTY]]
// CHECK: %[[WITH_ACC:.*]]:2 = soac.with_acc ins(%[[FILL]] : tensor<?xf64>) (%[[ACC:[a-z0-9]+]]: !soac.acc<tensor<?xf64>>) -> (tensor<?xf64>, tensor<?xf64>) {
// CHECK: %[[MAP:.*]]:2 = soac.map ins(%[[IOTA]] : tensor<?xindex>) accs(%[[ACC]] : !soac.acc<tensor<?xf64>>) (%[[E:[a-z0-9]+]]: index, %[[ACC2:[a-z0-9]+]]: !soac.acc<tensor<?xf64>>) -> (tensor<?xf64>, !soac.acc<tensor<?xf64>>) {
// CHECK: %[[EXTRACT:.*]] = tensor.extract %[[Y_BAR]][%[[E]]]
// CHECK: %[[EXTRACT2:.*]] = tensor.extract %[[XS]][%[[E]]]
// CHECK: %[[MULF:.*]] = arith.mulf %[[EXTRACT]], %[[C]]
// CHECK: %[[MULF2:.*]] = arith.mulf %[[EXTRACT]], %[[EXTRACT2]]
// CHECK: %[[UPDATE_ACC:.*]] = soac.update_acc %[[ACC2]][%[[E]]], %[[MULF]]
// CHECK: soac.yield %[[MULF2]], %[[UPDATE_ACC]]
// CHECK: soac.yield %[[MAP]]#1, %[[MAP]]#0
// CHECK: %[[REDUCE:.*]] = soac.reduce ins(%[[WITH_ACC]]#1 : tensor<?xf64>) neutral(%[[CONST]] : f64) (%[[E2:[a-z0-9]+]]: f64, %[[E3:[a-z0-9]+]]: f64) {
// CHECK: %[[ADDF:.*]] = arith.addf %[[E2]], %[[E3]]
// CHECK: soac.yield %[[ADDF]]
// CHECK: return %[[WITH_ACC]]#0, %[[REDUCE]]
func.func @generate_vjp(%xs: tensor<?xf64>, %c: f64, %n: index, %y_bar: tensor<?xf64>) -> (tensor<?xf64>, f64) {
  %r:3 = ad.vjp @generate(%xs, %c, %n) seed(%y_bar)
      : (tensor<?xf64>, f64, index), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, f64)
  return %r#1, %r#2 : tensor<?xf64>, f64
}
