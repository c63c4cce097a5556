// tensor.from_elements, forward mode: the tangent goes through the operation itself [F01].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

func.func private @elements(%x: f64, %y: f64) -> tensor<3xf64> {
  %r = tensor.from_elements %x, %y, %x : tensor<3xf64>
  return %r : tensor<3xf64>
}
// CHECK-LABEL: func.func @elements_jvp(
// CHECK-SAME: %[[X:[a-z0-9]+]]: f64, %[[Y:[a-z0-9]+]]: f64, %[[X_DOT:[a-z0-9]+]]: f64, %[[Y_DOT:[a-z0-9]+]]: f64)
// CHECK: %[[FROM_ELEMENTS:.*]] = tensor.from_elements %[[X]], %[[Y]], %[[X]]
// CHECK: %[[FROM_ELEMENTS2:.*]] = tensor.from_elements %[[X_DOT]], %[[Y_DOT]], %[[X_DOT]]
// CHECK: return %[[FROM_ELEMENTS]], %[[FROM_ELEMENTS2]]
func.func @elements_jvp(%x: f64, %y: f64, %x_dot: f64, %y_dot: f64) -> (tensor<3xf64>, tensor<3xf64>) {
  %r:2 = ad.jvp @elements(%x, %y) seed(%x_dot, %y_dot)
      : (f64, f64), (f64, f64) -> (tensor<3xf64>, tensor<3xf64>)
  return %r#0, %r#1 : tensor<3xf64>, tensor<3xf64>
}

func.func private @matrix(%x: f64, %y: f64) -> tensor<1x2xf64> {
  %r = tensor.from_elements %x, %y : tensor<1x2xf64>
  return %r : tensor<1x2xf64>
}
// CHECK-LABEL: func.func @matrix_jvp(
// CHECK-SAME: %[[X:[a-z0-9]+]]: f64, %[[Y:[a-z0-9]+]]: f64, %[[X_DOT:[a-z0-9]+]]: f64, %[[Y_DOT:[a-z0-9]+]]: f64)
// CHECK: %[[FROM_ELEMENTS:.*]] = tensor.from_elements %[[X]], %[[Y]]
// CHECK: %[[FROM_ELEMENTS2:.*]] = tensor.from_elements %[[X_DOT]], %[[Y_DOT]]
// CHECK: return %[[FROM_ELEMENTS]], %[[FROM_ELEMENTS2]]
func.func @matrix_jvp(%x: f64, %y: f64, %x_dot: f64, %y_dot: f64) -> (tensor<1x2xf64>, tensor<1x2xf64>) {
  %r:2 = ad.jvp @matrix(%x, %y) seed(%x_dot, %y_dot)
      : (f64, f64), (f64, f64) -> (tensor<1x2xf64>, tensor<1x2xf64>)
  return %r#0, %r#1 : tensor<1x2xf64>, tensor<1x2xf64>
}
