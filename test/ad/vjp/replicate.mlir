// soac.replicate: the cotangent of the value is the sum of the rows.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

// A scalar.
func.func private @scalar(%v: f64, %n: index) -> tensor<?xf64> {
  %r = soac.replicate %v, %n : f64 -> tensor<?xf64>
  return %r : tensor<?xf64>
}
// CHECK-LABEL: func.func @scalar_vjp(
// CHECK-SAME: %[[V:[a-z0-9]+]]: f64, %[[N:[a-z0-9]+]]: index, %[[Y_BAR:[a-z0-9]+]]: tensor<?xf64>)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0.000000e+00 : f64
// CHECK: %[[REDUCE:.*]] = soac.reduce ins(%[[Y_BAR]] : tensor<?xf64>) neutral(%[[CONST]] : f64) (%[[E:[a-z0-9]+]]: f64, %[[E2:[a-z0-9]+]]: f64) {
// CHECK: %[[ADDF:.*]] = arith.addf %[[E]], %[[E2]]
// CHECK: soac.yield %[[ADDF]]
// CHECK: return %[[REDUCE]]
func.func @scalar_vjp(%v: f64, %n: index, %y_bar: tensor<?xf64>) -> f64 {
  %r:2 = ad.vjp @scalar(%v, %n) seed(%y_bar)
      : (f64, index), (tensor<?xf64>) -> (tensor<?xf64>, f64)
  return %r#1 : f64
}

// A row.
func.func private @row(%v: tensor<3xf64>) -> tensor<4x3xf64> {
  %r = soac.replicate %v : tensor<3xf64> -> tensor<4x3xf64>
  return %r : tensor<4x3xf64>
}
// CHECK-LABEL: func.func @row_vjp(
// CHECK-SAME: %[[V:[a-z0-9]+]]: tensor<3xf64>, %[[Y_BAR:[a-z0-9]+]]: tensor<4x3xf64>)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0.000000e+00 : f64
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<3xf64>
// CHECK: %[[FILL:.*]] = linalg.fill ins(%[[CONST]] : f64) outs(%[[EMPTY]]
// CHECK: %[[REDUCE:.*]] = soac.reduce ins(%[[Y_BAR]] : tensor<4x3xf64>) neutral(%[[FILL]] : tensor<3xf64>) (%[[E:[a-z0-9]+]]: tensor<3xf64>, %[[E2:[a-z0-9]+]]: tensor<3xf64>) {
// CHECK: %[[ADDF:.*]] = arith.addf %[[E]], %[[E2]]
// CHECK: soac.yield %[[ADDF]]
// CHECK: return %[[REDUCE]]
func.func @row_vjp(%v: tensor<3xf64>, %y_bar: tensor<4x3xf64>) -> tensor<3xf64> {
  %r:2 = ad.vjp @row(%v) seed(%y_bar)
      : (tensor<3xf64>), (tensor<4x3xf64>) -> (tensor<4x3xf64>, tensor<3xf64>)
  return %r#1 : tensor<3xf64>
}
