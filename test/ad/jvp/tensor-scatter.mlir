// tensor.scatter: tangents are written where the values are.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --ad-simplify --canonicalize --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

func.func private @write(%v: tensor<?xf64>, %x: tensor<?xf64>, %is: tensor<?x1xindex>) -> tensor<?xf64> {
  %s = tensor.scatter %v into %x[%is] scatter_dims([0]) unique
      : (tensor<?xf64>, tensor<?xf64>, tensor<?x1xindex>) -> tensor<?xf64>
  return %s : tensor<?xf64>
}
// CHECK-LABEL: func.func @write_jvp(
// CHECK-SAME: %[[V:[a-z0-9_]+]]: tensor<?xf64>, %[[X:[a-z0-9_]+]]: tensor<?xf64>, %[[IS:[a-z0-9_]+]]: tensor<?x1xindex>, %[[V_DOT:[a-z0-9_]+]]: tensor<?xf64>, %[[X_DOT:[a-z0-9_]+]]: tensor<?xf64>)
// CHECK-DAG: %[[CST:.+]] = arith.constant 1 : index
// CHECK-DAG: %[[CST2:.+]] = arith.constant 0 : index
// CHECK: %[[DIM:.+]] = tensor.dim %[[V]], %[[CST2]] : tensor<?xf64>
// CHECK: %[[FOR:.+]] = scf.for %[[A:.+]] = %[[CST2]] to %[[DIM]] step %[[CST]] iter_args(%[[A2:.+]] = %[[X_DOT]]) -> (tensor<?xf64>) {
// CHECK: %[[EXTRACT:.+]] = tensor.extract %[[V_DOT]][%[[A]]] : tensor<?xf64>
// CHECK: %[[EXTRACT2:.+]] = tensor.extract %[[IS]][%[[A]], %[[CST2]]] : tensor<?x1xindex>
// CHECK: %[[INSERT:.+]] = tensor.insert %[[EXTRACT]] into %[[A2]][%[[EXTRACT2]]] : tensor<?xf64>
// CHECK: scf.yield %[[INSERT]] : tensor<?xf64>
// CHECK: }
// CHECK: return %[[FOR]] : tensor<?xf64>
func.func @write_jvp(%v: tensor<?xf64>, %x: tensor<?xf64>, %is: tensor<?x1xindex>, %v_dot: tensor<?xf64>, %x_dot: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = ad.jvp @write(%v, %x, %is) seed(%v_dot, %x_dot)
      : (tensor<?xf64>, tensor<?xf64>, tensor<?x1xindex>), (tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
