// soac.replicate, forward mode: the tangent goes through the operation itself [F01].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

func.func private @scalar(%v: f64, %n: index) -> tensor<?xf64> {
  %r = soac.replicate %v, %n : f64 -> tensor<?xf64>
  return %r : tensor<?xf64>
}
// CHECK-LABEL: func.func @scalar_jvp(
// CHECK-SAME: %[[V:[a-z0-9]+]]: f64, %[[N:[a-z0-9]+]]: index, %[[V_DOT:[a-z0-9]+]]: f64)
// CHECK: %[[REPLICATE:.*]] = soac.replicate %[[V]], %[[N]] : f64 -> tensor<?xf64>
// CHECK: %[[REPLICATE2:.*]] = soac.replicate %[[V_DOT]], %[[N]] : f64 -> tensor<?xf64>
// CHECK: return %[[REPLICATE]], %[[REPLICATE2]]
func.func @scalar_jvp(%v: f64, %n: index, %v_dot: f64) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:2 = ad.jvp @scalar(%v, %n) seed(%v_dot)
      : (f64, index), (f64) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}

func.func private @row(%v: tensor<3xf64>) -> tensor<4x3xf64> {
  %r = soac.replicate %v : tensor<3xf64> -> tensor<4x3xf64>
  return %r : tensor<4x3xf64>
}
// CHECK-LABEL: func.func @row_jvp(
// CHECK-SAME: %[[V:[a-z0-9]+]]: tensor<3xf64>, %[[V_DOT:[a-z0-9]+]]: tensor<3xf64>)
// CHECK: %[[REPLICATE:.*]] = soac.replicate %[[V]] : tensor<3xf64> -> tensor<4x3xf64>
// CHECK: %[[REPLICATE2:.*]] = soac.replicate %[[V_DOT]] : tensor<3xf64> -> tensor<4x3xf64>
// CHECK: return %[[REPLICATE]], %[[REPLICATE2]]
func.func @row_jvp(%v: tensor<3xf64>, %v_dot: tensor<3xf64>) -> (tensor<4x3xf64>, tensor<4x3xf64>) {
  %r:2 = ad.jvp @row(%v) seed(%v_dot)
      : (tensor<3xf64>), (tensor<3xf64>) -> (tensor<4x3xf64>, tensor<4x3xf64>)
  return %r#0, %r#1 : tensor<4x3xf64>, tensor<4x3xf64>
}
