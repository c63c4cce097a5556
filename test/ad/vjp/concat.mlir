// tensor.concat: the adjoint of each part is a slice; a part that is there twice receives
// two. CHECKLIST FP10.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --ad-simplify --canonicalize --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.' --implicit-check-not=linalg.fill

func.func private @join(%a: tensor<2xf64>, %b: tensor<?xf64>) -> tensor<?xf64> {
  %c = tensor.concat dim(0) %a, %b, %a : (tensor<2xf64>, tensor<?xf64>, tensor<2xf64>) -> tensor<?xf64>
  return %c : tensor<?xf64>
}
// CHECK-LABEL: func.func @join_vjp(
// CHECK-SAME: %[[A:[a-z0-9_]+]]: tensor<2xf64>, %[[B:[a-z0-9_]+]]: tensor<?xf64>, %[[Y_BAR:[a-z0-9_]+]]: tensor<?xf64>)
// CHECK-DAG: %[[CST:.+]] = arith.constant 2 : index
// CHECK-DAG: %[[CST2:.+]] = arith.constant 0 : index
// CHECK: %[[DIM:.+]] = tensor.dim %[[B]], %[[CST2]] : tensor<?xf64>
// CHECK: %[[ADDI:.+]] = arith.addi %[[DIM]], %[[CST]] : index
// CHECK: %[[EXTRACT_SLICE:.+]] = tensor.extract_slice %[[Y_BAR]][0] [2] [1] : tensor<?xf64> to tensor<2xf64>
// CHECK: %[[EXTRACT_SLICE2:.+]] = tensor.extract_slice %[[Y_BAR]][2] [%[[DIM]]] [1] : tensor<?xf64> to tensor<?xf64>
// CHECK: %[[EXTRACT_SLICE3:.+]] = tensor.extract_slice %[[Y_BAR]][%[[ADDI]]] [2] [1] : tensor<?xf64> to tensor<2xf64>
// CHECK: %[[ADDF:.+]] = arith.addf %[[EXTRACT_SLICE]], %[[EXTRACT_SLICE3]] : tensor<2xf64>
// CHECK: return %[[ADDF]], %[[EXTRACT_SLICE2]] : tensor<2xf64>, tensor<?xf64>
func.func @join_vjp(%a: tensor<2xf64>, %b: tensor<?xf64>, %y_bar: tensor<?xf64>) -> (tensor<2xf64>, tensor<?xf64>) {
  %r:3 = ad.vjp @join(%a, %b) seed(%y_bar)
      : (tensor<2xf64>, tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<2xf64>, tensor<?xf64>)
  return %r#1, %r#2 : tensor<2xf64>, tensor<?xf64>
}
