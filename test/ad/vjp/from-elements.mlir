// tensor.from_elements: each element receives its own cotangent.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

// The same value twice adds up.
func.func private @elements(%x: f64, %y: f64) -> tensor<3xf64> {
  %r = tensor.from_elements %x, %y, %x : tensor<3xf64>
  return %r : tensor<3xf64>
}
// CHECK-LABEL: func.func @elements_vjp(
// CHECK-SAME: %[[X:[a-z0-9]+]]: f64, %[[Y:[a-z0-9]+]]: f64, %[[Y_BAR:[a-z0-9]+]]: tensor<3xf64>)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[CONST2:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[CONST3:.*]] = arith.constant 0 : index
// CHECK: %[[EXTRACT:.*]] = tensor.extract %[[Y_BAR]][%[[CONST3]]]
// CHECK: %[[EXTRACT2:.*]] = tensor.extract %[[Y_BAR]][%[[CONST2]]]
// CHECK: %[[EXTRACT3:.*]] = tensor.extract %[[Y_BAR]][%[[CONST]]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[EXTRACT]], %[[EXTRACT3]]
// CHECK: return %[[ADDF]], %[[EXTRACT2]]
func.func @elements_vjp(%x: f64, %y: f64, %y_bar: tensor<3xf64>) -> (f64, f64) {
  %r:3 = ad.vjp @elements(%x, %y) seed(%y_bar)
      : (f64, f64), (tensor<3xf64>) -> (tensor<3xf64>, f64, f64)
  return %r#1, %r#2 : f64, f64
}

// Two dimensions.
func.func private @matrix(%x: f64, %y: f64) -> tensor<1x2xf64> {
  %r = tensor.from_elements %x, %y : tensor<1x2xf64>
  return %r : tensor<1x2xf64>
}
// CHECK-LABEL: func.func @matrix_vjp(
// CHECK-SAME: %[[X:[a-z0-9]+]]: f64, %[[Y:[a-z0-9]+]]: f64, %[[Y_BAR:[a-z0-9]+]]: tensor<1x2xf64>)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[CONST2:.*]] = arith.constant 0 : index
// CHECK: %[[EXTRACT:.*]] = tensor.extract %[[Y_BAR]][%[[CONST2]], %[[CONST2]]]
// CHECK: %[[EXTRACT2:.*]] = tensor.extract %[[Y_BAR]][%[[CONST2]], %[[CONST]]]
// CHECK: return %[[EXTRACT]], %[[EXTRACT2]]
func.func @matrix_vjp(%x: f64, %y: f64, %y_bar: tensor<1x2xf64>) -> (f64, f64) {
  %r:3 = ad.vjp @matrix(%x, %y) seed(%y_bar)
      : (f64, f64), (tensor<1x2xf64>) -> (tensor<1x2xf64>, f64, f64)
  return %r#1, %r#2 : f64, f64
}
