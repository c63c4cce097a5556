// tensor.insert_slice: an in-place update of a part [F08].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

// A whole row.
func.func private @row(%m: tensor<?x3xf64>, %i: index, %v: tensor<3xf64>) -> tensor<?x3xf64> {
  %r = tensor.insert_slice %v into %m[%i, 0] [1, 3] [1, 1] : tensor<3xf64> into tensor<?x3xf64>
  return %r : tensor<?x3xf64>
}
// CHECK-LABEL: func.func @row_vjp(
// CHECK-SAME: %[[M:[a-z0-9]+]]: tensor<?x3xf64>, %[[I:[a-z0-9]+]]: index, %[[V:[a-z0-9]+]]: tensor<3xf64>, %[[Y_BAR:[a-z0-9]+]]: tensor<?x3xf64>)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0.000000e+00 : f64
// CHECK: %[[EXTRACT_SLICE:.*]] = tensor.extract_slice %[[Y_BAR]][%[[I]], 0] [1, 3] [1, 1] : tensor<?x3xf64> to tensor<3xf64>
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<3xf64>
// CHECK: %[[FILL:.*]] = linalg.fill ins(%[[CONST]] : f64) outs(%[[EMPTY]]
// CHECK: %[[INSERT_SLICE:.*]] = tensor.insert_slice %[[FILL]] into %[[Y_BAR]][%[[I]], 0] [1, 3] [1, 1] : tensor<3xf64> into tensor<?x3xf64>
// CHECK: return %[[INSERT_SLICE]], %[[EXTRACT_SLICE]]
func.func @row_vjp(%m: tensor<?x3xf64>, %i: index, %v: tensor<3xf64>, %y_bar: tensor<?x3xf64>) -> (tensor<?x3xf64>, tensor<3xf64>) {
  %r:3 = ad.vjp @row(%m, %i, %v) seed(%y_bar)
      : (tensor<?x3xf64>, index, tensor<3xf64>), (tensor<?x3xf64>) -> (tensor<?x3xf64>, tensor<?x3xf64>, tensor<3xf64>)
  return %r#1, %r#2 : tensor<?x3xf64>, tensor<3xf64>
}
