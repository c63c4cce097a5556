// tensor.scatter: the adjoint of what was written is gathered, and the target's is
// cleared there, in one loop over the updates.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --ad-simplify --canonicalize --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

func.func private @write(%v: tensor<?xf64>, %x: tensor<?xf64>, %is: tensor<?x1xindex>) -> tensor<?xf64> {
  %s = tensor.scatter %v into %x[%is] scatter_dims([0]) unique
      : (tensor<?xf64>, tensor<?xf64>, tensor<?x1xindex>) -> tensor<?xf64>
  return %s : tensor<?xf64>
}
// CHECK-LABEL: func.func @write_vjp(
// CHECK-SAME: %[[V:[a-z0-9_]+]]: tensor<?xf64>, %[[X:[a-z0-9_]+]]: tensor<?xf64>, %[[IS:[a-z0-9_]+]]: tensor<?x1xindex>, %[[Y_BAR:[a-z0-9_]+]]: tensor<?xf64>)
// CHECK-DAG: %[[CST:.+]] = arith.constant 0.000000e+00 : f64
// CHECK: %[[EMPTY:.+]] = tensor.empty(
// CHECK: %[[FILL:.+]] = linalg.fill ins(%[[CST]] : f64) outs(%[[EMPTY]] : tensor<?xf64>) -> tensor<?xf64>
// CHECK: %[[FOR:.+]]:2 = scf.for %{{.+}} = {{.+}} iter_args(%[[A2:.+]] = %[[Y_BAR]], %[[A3:.+]] = %[[FILL]])
// CHECK: %[[EXTRACT:.+]] = tensor.extract %[[IS]][%[[K:.+]], %
// CHECK: %[[EXTRACT2:.+]] = tensor.extract %[[A2]][%[[EXTRACT]]] : tensor<?xf64>
// CHECK: %[[INSERT:.+]] = tensor.insert %[[CST]] into %[[A2]][%[[EXTRACT]]] : tensor<?xf64>
// CHECK: %[[EXTRACT3:.+]] = tensor.extract %[[A3]][%[[K]]] : tensor<?xf64>
// CHECK: %[[ADDF:.+]] = arith.addf %[[EXTRACT3]], %[[EXTRACT2]] : f64
// CHECK: %[[INSERT2:.+]] = tensor.insert %[[ADDF]] into %[[A3]][%[[K]]] : tensor<?xf64>
// CHECK: scf.yield %[[INSERT]], %[[INSERT2]] : tensor<?xf64>, tensor<?xf64>
// CHECK: return %[[FOR]]#1, %[[FOR]]#0 : tensor<?xf64>, tensor<?xf64>
func.func @write_vjp(%v: tensor<?xf64>, %x: tensor<?xf64>, %is: tensor<?x1xindex>, %y_bar: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:3 = ad.vjp @write(%v, %x, %is) seed(%y_bar)
      : (tensor<?xf64>, tensor<?xf64>, tensor<?x1xindex>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %r#1, %r#2 : tensor<?xf64>, tensor<?xf64>
}
