// tensor.gather: the adjoint is accumulated at what was read. CHECKLIST FP10.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --ad-simplify --canonicalize --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

func.func private @rows(%m: tensor<?xf64>, %is: tensor<?x1xindex>) -> tensor<?xf64> {
  %g = tensor.gather %m[%is] gather_dims([0]) : (tensor<?xf64>, tensor<?x1xindex>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
// CHECK-LABEL: func.func @rows_vjp(
// CHECK-SAME: %[[M:[a-z0-9_]+]]: tensor<?xf64>, %[[IS:[a-z0-9_]+]]: tensor<?x1xindex>, %[[Y_BAR:[a-z0-9_]+]]: tensor<?xf64>)
// CHECK-DAG: %[[CST:.+]] = arith.constant 0.000000e+00 : f64
// CHECK-DAG: %[[CST2:.+]] = arith.constant 0 : index
// CHECK: %[[DIM:.+]] = tensor.dim %[[Y_BAR]], %[[CST2]] : tensor<?xf64>
// CHECK: %[[IOTA:.+]] = soac.iota %[[DIM]] : tensor<?xindex>
// CHECK: %[[DIM2:.+]] = tensor.dim %[[M]], %[[CST2]] : tensor<?xf64>
// CHECK: %[[EMPTY:.+]] = tensor.empty(%[[DIM2]]) : tensor<?xf64>
// CHECK: %[[FILL:.+]] = linalg.fill ins(%[[CST]] : f64) outs(%[[EMPTY]] : tensor<?xf64>) -> tensor<?xf64>
// CHECK: %[[WITH_ACC:.+]] = soac.with_acc ins(%[[FILL]] : tensor<?xf64>) (%[[A:.+]]: !soac.acc<tensor<?xf64>>) -> tensor<?xf64> {
// CHECK: %[[MAP:.+]] = soac.map ins(%[[IOTA]] : tensor<?xindex>) accs(%[[A]] : !soac.acc<tensor<?xf64>>) (%[[A2:.+]]: index, %[[A3:.+]]: !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>> {
// CHECK: %[[EXTRACT:.+]] = tensor.extract %[[Y_BAR]][%[[A2]]] : tensor<?xf64>
// CHECK: %[[EXTRACT2:.+]] = tensor.extract %[[IS]][%[[A2]], %[[CST2]]] : tensor<?x1xindex>
// CHECK: %[[UPDATE_ACC:.+]] = soac.update_acc %[[A3]][%[[EXTRACT2]]], %[[EXTRACT]] : !soac.acc<tensor<?xf64>>, f64
// CHECK: soac.yield %[[UPDATE_ACC]] : !soac.acc<tensor<?xf64>>
// CHECK: }
// CHECK: soac.yield %[[MAP]] : !soac.acc<tensor<?xf64>>
// CHECK: }
// CHECK: return %[[WITH_ACC]] : tensor<?xf64>
func.func @rows_vjp(%m: tensor<?xf64>, %is: tensor<?x1xindex>, %y_bar: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = ad.vjp @rows(%m, %is) seed(%y_bar)
      : (tensor<?xf64>, tensor<?x1xindex>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
