// tensor.pad: the source's adjoint is a slice; that of an active padding value is the sum
// of what lies around it.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --ad-simplify --canonicalize --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.' --implicit-check-not=tensor.pad

func.func private @constant(%x: tensor<?xf64>, %l: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %p = tensor.pad %x low[%l] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f64
  } : tensor<?xf64> to tensor<?xf64>
  return %p : tensor<?xf64>
}
// CHECK-LABEL: func.func @constant_vjp(
// CHECK-SAME: %[[X:[a-z0-9_]+]]: tensor<?xf64>, %[[L:[a-z0-9_]+]]: index, %[[Y_BAR:[a-z0-9_]+]]: tensor<?xf64>)
// CHECK-DAG: %[[CST:.+]] = arith.constant 0 : index
// CHECK: %[[DIM:.+]] = tensor.dim %[[X]], %[[CST]] : tensor<?xf64>
// CHECK: %[[EXTRACT_SLICE:.+]] = tensor.extract_slice %[[Y_BAR]][%[[L]]] [%[[DIM]]] [1] : tensor<?xf64> to tensor<?xf64>
// CHECK: return %[[EXTRACT_SLICE]] : tensor<?xf64>
func.func @constant_vjp(%x: tensor<?xf64>, %l: index, %y_bar: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = ad.vjp @constant(%x, %l) seed(%y_bar)
      : (tensor<?xf64>, index), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

func.func private @active(%x: tensor<2xf64>, %v: f64) -> tensor<5xf64> {
  %p = tensor.pad %x low[2] high[1] {
  ^bb0(%i: index):
    tensor.yield %v : f64
  } : tensor<2xf64> to tensor<5xf64>
  return %p : tensor<5xf64>
}
// CHECK-LABEL: func.func @active_vjp(
// CHECK-SAME: %[[X:[a-z0-9_]+]]: tensor<2xf64>, %[[V:[a-z0-9_]+]]: f64, %[[Y_BAR:[a-z0-9_]+]]: tensor<5xf64>)
// CHECK-DAG: %[[CST:.+]] = arith.constant 0.000000e+00 : f64
// CHECK: %[[EXTRACT_SLICE:.+]] = tensor.extract_slice %[[Y_BAR]][2] [2] [1] : tensor<5xf64> to tensor<2xf64>
// CHECK: %[[EMPTY:.+]] = tensor.empty() : tensor<2xf64>
// CHECK: %[[FILL:.+]] = linalg.fill ins(%[[CST]] : f64) outs(%[[EMPTY]] : tensor<2xf64>) -> tensor<2xf64>
// CHECK: %[[INSERT_SLICE:.+]] = tensor.insert_slice %[[FILL]] into %[[Y_BAR]][2] [2] [1] : tensor<2xf64> into tensor<5xf64>
// CHECK: %[[REDUCE:.+]] = soac.reduce ins(%[[INSERT_SLICE]] : tensor<5xf64>) neutral(%[[CST]] : f64) (%[[A:.+]]: f64, %[[A2:.+]]: f64) {
// CHECK: %[[ADDF:.+]] = arith.addf %[[A]], %[[A2]] : f64
// CHECK: soac.yield %[[ADDF]] : f64
// CHECK: }
// CHECK: return %[[EXTRACT_SLICE]], %[[REDUCE]] : tensor<2xf64>, f64
func.func @active_vjp(%x: tensor<2xf64>, %v: f64, %y_bar: tensor<5xf64>) -> (tensor<2xf64>, f64) {
  %r:3 = ad.vjp @active(%x, %v) seed(%y_bar)
      : (tensor<2xf64>, f64), (tensor<5xf64>) -> (tensor<5xf64>, tensor<2xf64>, f64)
  return %r#1, %r#2 : tensor<2xf64>, f64
}
