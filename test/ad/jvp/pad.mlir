// tensor.pad: the tangent is padded with the tangent of the padding value.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --ad-simplify --canonicalize --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.' --implicit-check-not=tensor.pad

func.func private @active(%x: tensor<2xf64>, %v: f64) -> tensor<5xf64> {
  %p = tensor.pad %x low[2] high[1] {
  ^bb0(%i: index):
    tensor.yield %v : f64
  } : tensor<2xf64> to tensor<5xf64>
  return %p : tensor<5xf64>
}
// CHECK-LABEL: func.func @active_jvp(
// CHECK-SAME: %[[X:[a-z0-9_]+]]: tensor<2xf64>, %[[V:[a-z0-9_]+]]: f64, %[[X_DOT:[a-z0-9_]+]]: tensor<2xf64>, %[[V_DOT:[a-z0-9_]+]]: f64)
// CHECK: %[[EMPTY:.+]] = tensor.empty() : tensor<5xf64>
// CHECK: %[[FILL:.+]] = linalg.fill ins(%[[V_DOT]] : f64) outs(%[[EMPTY]] : tensor<5xf64>) -> tensor<5xf64>
// CHECK: %[[INSERT_SLICE:.+]] = tensor.insert_slice %[[X_DOT]] into %[[FILL]][2] [2] [1] : tensor<2xf64> into tensor<5xf64>
// CHECK: return %[[INSERT_SLICE]] : tensor<5xf64>
func.func @active_jvp(%x: tensor<2xf64>, %v: f64, %x_dot: tensor<2xf64>, %v_dot: f64) -> tensor<5xf64> {
  %r:2 = ad.jvp @active(%x, %v) seed(%x_dot, %v_dot)
      : (tensor<2xf64>, f64), (tensor<2xf64>, f64) -> (tensor<5xf64>, tensor<5xf64>)
  return %r#1 : tensor<5xf64>
}
