// linalg.fill: the cotangent of the value is the sum of that of the array.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

// One dimension.
func.func private @fill(%v: f64, %init: tensor<?xf64>) -> tensor<?xf64> {
  %r = linalg.fill ins(%v : f64) outs(%init : tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}
// CHECK-LABEL: func.func @fill_vjp(
// CHECK-SAME: %[[V:[a-z0-9]+]]: f64, %[[INIT:[a-z0-9]+]]: tensor<?xf64>, %[[Y_BAR:[a-z0-9]+]]: tensor<?xf64>)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[CONST2:.*]] = arith.constant 0.000000e+00 : f64
// CHECK: %[[REDUCE:.*]] = soac.reduce ins(%[[Y_BAR]] : tensor<?xf64>) neutral(%[[CONST2]] : f64) (%[[E:[a-z0-9]+]]: f64, %[[E2:[a-z0-9]+]]: f64) {
// CHECK: %[[ADDF:.*]] = arith.addf %[[E]], %[[E2]]
// CHECK: soac.yield %[[ADDF]]
// CHECK: %[[DIM:.*]] = tensor.dim %[[INIT]], %[[CONST]]
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[DIM]]) : tensor<?xf64>
// CHECK: %[[FILL:.*]] = linalg.fill ins(%[[CONST2]] : f64) outs(%[[EMPTY]]
// CHECK: return %[[REDUCE]], %[[FILL]]
func.func @fill_vjp(%v: f64, %init: tensor<?xf64>, %y_bar: tensor<?xf64>) -> (f64, tensor<?xf64>) {
  %r:3 = ad.vjp @fill(%v, %init) seed(%y_bar)
      : (f64, tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, f64, tensor<?xf64>)
  return %r#1, %r#2 : f64, tensor<?xf64>
}

// Two dimensions.
func.func private @matrix(%v: f64, %init: tensor<2x?xf64>) -> tensor<2x?xf64> {
  %r = linalg.fill ins(%v : f64) outs(%init : tensor<2x?xf64>) -> tensor<2x?xf64>
  return %r : tensor<2x?xf64>
}
// CHECK-LABEL: func.func @matrix_vjp(
// CHECK-SAME: %[[V:[a-z0-9]+]]: f64, %[[INIT:[a-z0-9]+]]: tensor<2x?xf64>, %[[Y_BAR:[a-z0-9]+]]: tensor<2x?xf64>)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[CONST2:.*]] = arith.constant 0.000000e+00 : f64
// CHECK: %[[MAP:.*]] = soac.map ins(%[[Y_BAR]] : tensor<2x?xf64>) (%[[E:[a-z0-9]+]]: tensor<?xf64>) -> tensor<2xf64> {
// CHECK: %[[REDUCE:.*]] = soac.reduce ins(%[[E]] : tensor<?xf64>) neutral(%[[CONST2]] : f64) (%[[E2:[a-z0-9]+]]: f64, %[[E3:[a-z0-9]+]]: f64) {
// CHECK: %[[ADDF:.*]] = arith.addf %[[E2]], %[[E3]]
// CHECK: soac.yield %[[ADDF]]
// CHECK: soac.yield %[[REDUCE]]
// CHECK: %[[REDUCE2:.*]] = soac.reduce ins(%[[MAP]] : tensor<2xf64>) neutral(%[[CONST2]] : f64) (%[[E4:[a-z0-9]+]]: f64, %[[E5:[a-z0-9]+]]: f64) {
// CHECK: %[[ADDF2:.*]] = arith.addf %[[E4]], %[[E5]]
// CHECK: soac.yield %[[ADDF2]]
// CHECK: %[[DIM:.*]] = tensor.dim %[[INIT]], %[[CONST]]
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[DIM]]) : tensor<2x?xf64>
// CHECK: %[[FILL:.*]] = linalg.fill ins(%[[CONST2]] : f64) outs(%[[EMPTY]]
// CHECK: return %[[REDUCE2]], %[[FILL]]
func.func @matrix_vjp(%v: f64, %init: tensor<2x?xf64>, %y_bar: tensor<2x?xf64>) -> (f64, tensor<2x?xf64>) {
  %r:3 = ad.vjp @matrix(%v, %init) seed(%y_bar)
      : (f64, tensor<2x?xf64>), (tensor<2x?xf64>) -> (tensor<2x?xf64>, f64, tensor<2x?xf64>)
  return %r#1, %r#2 : f64, tensor<2x?xf64>
}
