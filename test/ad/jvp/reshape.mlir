// tensor.collapse_shape and tensor.expand_shape, forward mode: the tangent goes through
// the operation itself [F01].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

func.func private @collapse(%x: tensor<?x3xf64>) -> tensor<?xf64> {
  %r = tensor.collapse_shape %x [[0, 1]] : tensor<?x3xf64> into tensor<?xf64>
  return %r : tensor<?xf64>
}
// CHECK-LABEL: func.func @collapse_jvp(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x3xf64>, %[[X_DOT:[a-z0-9]+]]: tensor<?x3xf64>)
// CHECK: %[[COLLAPSE_SHAPE:.*]] = tensor.collapse_shape %[[X]] {{.}}[0, 1]] : tensor<?x3xf64> into tensor<?xf64>
// CHECK: %[[COLLAPSE_SHAPE2:.*]] = tensor.collapse_shape %[[X_DOT]] {{.}}[0, 1]] : tensor<?x3xf64> into tensor<?xf64>
// CHECK: return %[[COLLAPSE_SHAPE]], %[[COLLAPSE_SHAPE2]]
func.func @collapse_jvp(%x: tensor<?x3xf64>, %x_dot: tensor<?x3xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:2 = ad.jvp @collapse(%x) seed(%x_dot)
      : (tensor<?x3xf64>), (tensor<?x3xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}

func.func private @expand(%x: tensor<?xf64>, %n: index) -> tensor<?x3xf64> {
  %r = tensor.expand_shape %x [[0, 1]] output_shape [%n, 3] : tensor<?xf64> into tensor<?x3xf64>
  return %r : tensor<?x3xf64>
}
// CHECK-LABEL: func.func @expand_jvp(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf64>, %[[N:[a-z0-9]+]]: index, %[[X_DOT:[a-z0-9]+]]: tensor<?xf64>)
// CHECK: %[[EXPAND_SHAPE:.*]] = tensor.expand_shape %[[X]] {{.}}[0, 1]] output_shape [%[[N]], 3] : tensor<?xf64> into tensor<?x3xf64>
// CHECK: %[[EXPAND_SHAPE2:.*]] = tensor.expand_shape %[[X_DOT]] {{.}}[0, 1]] output_shape [%[[N]], 3] : tensor<?xf64> into tensor<?x3xf64>
// CHECK: return %[[EXPAND_SHAPE]], %[[EXPAND_SHAPE2]]
func.func @expand_jvp(%x: tensor<?xf64>, %n: index, %x_dot: tensor<?xf64>) -> (tensor<?x3xf64>, tensor<?x3xf64>) {
  %r:2 = ad.jvp @expand(%x, %n) seed(%x_dot)
      : (tensor<?xf64>, index), (tensor<?xf64>) -> (tensor<?x3xf64>, tensor<?x3xf64>)
  return %r#0, %r#1 : tensor<?x3xf64>, tensor<?x3xf64>
}
