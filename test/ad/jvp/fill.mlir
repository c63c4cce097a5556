// linalg.fill, forward mode: the tangent goes through the operation itself [F01].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

func.func private @fill(%v: f64, %init: tensor<?xf64>) -> tensor<?xf64> {
  %r = linalg.fill ins(%v : f64) outs(%init : tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}
// CHECK-LABEL: func.func @fill_jvp(
// CHECK-SAME: %[[V:[a-z0-9]+]]: f64, %[[INIT:[a-z0-9]+]]: tensor<?xf64>, %[[V_DOT:[a-z0-9]+]]: f64, %[[INIT_DOT:[a-z0-9]+]]: tensor<?xf64>)
// CHECK: %[[FILL:.*]] = linalg.fill ins(%[[V]] : f64) outs(%[[INIT]]
// CHECK: %[[FILL2:.*]] = linalg.fill ins(%[[V_DOT]] : f64) outs(%[[INIT]]
// CHECK: return %[[FILL]], %[[FILL2]]
func.func @fill_jvp(%v: f64, %init: tensor<?xf64>, %v_dot: f64, %init_dot: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:2 = ad.jvp @fill(%v, %init) seed(%v_dot, %init_dot)
      : (f64, tensor<?xf64>), (f64, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}

func.func private @matrix(%v: f64, %init: tensor<2x?xf64>) -> tensor<2x?xf64> {
  %r = linalg.fill ins(%v : f64) outs(%init : tensor<2x?xf64>) -> tensor<2x?xf64>
  return %r : tensor<2x?xf64>
}
// CHECK-LABEL: func.func @matrix_jvp(
// CHECK-SAME: %[[V:[a-z0-9]+]]: f64, %[[INIT:[a-z0-9]+]]: tensor<2x?xf64>, %[[V_DOT:[a-z0-9]+]]: f64, %[[INIT_DOT:[a-z0-9]+]]: tensor<2x?xf64>)
// CHECK: %[[FILL:.*]] = linalg.fill ins(%[[V]] : f64) outs(%[[INIT]]
// CHECK: %[[FILL2:.*]] = linalg.fill ins(%[[V_DOT]] : f64) outs(%[[INIT]]
// CHECK: return %[[FILL]], %[[FILL2]]
func.func @matrix_jvp(%v: f64, %init: tensor<2x?xf64>, %v_dot: f64, %init_dot: tensor<2x?xf64>) -> (tensor<2x?xf64>, tensor<2x?xf64>) {
  %r:2 = ad.jvp @matrix(%v, %init) seed(%v_dot, %init_dot)
      : (f64, tensor<2x?xf64>), (f64, tensor<2x?xf64>) -> (tensor<2x?xf64>, tensor<2x?xf64>)
  return %r#0, %r#1 : tensor<2x?xf64>, tensor<2x?xf64>
}
