// tensor.collapse_shape and tensor.expand_shape are each other's adjoints.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

func.func private @collapse(%x: tensor<?x3xf64>) -> tensor<?xf64> {
  %r = tensor.collapse_shape %x [[0, 1]] : tensor<?x3xf64> into tensor<?xf64>
  return %r : tensor<?xf64>
}
// CHECK-LABEL: func.func @collapse_vjp(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x3xf64>, %[[Y_BAR:[a-z0-9]+]]: tensor<?xf64>)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0 : index
// CHECK: %[[DIM:.*]] = tensor.dim %[[X]], %[[CONST]]
// CHECK: %[[EXPAND_SHAPE:.*]] = tensor.expand_shape %[[Y_BAR]] {{.}}[0, 1]] output_shape [%[[DIM]], 3] : tensor<?xf64> into tensor<?x3xf64>
// CHECK: return %[[EXPAND_SHAPE]]
func.func @collapse_vjp(%x: tensor<?x3xf64>, %y_bar: tensor<?xf64>) -> tensor<?x3xf64> {
  %r:2 = ad.vjp @collapse(%x) seed(%y_bar)
      : (tensor<?x3xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?x3xf64>)
  return %r#1 : tensor<?x3xf64>
}

func.func private @expand(%x: tensor<?xf64>, %n: index) -> tensor<?x3xf64> {
  %r = tensor.expand_shape %x [[0, 1]] output_shape [%n, 3] : tensor<?xf64> into tensor<?x3xf64>
  return %r : tensor<?x3xf64>
}
// CHECK-LABEL: func.func @expand_vjp(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf64>, %[[N:[a-z0-9]+]]: index, %[[Y_BAR:[a-z0-9]+]]: tensor<?x3xf64>)
// CHECK: %[[COLLAPSE_SHAPE:.*]] = tensor.collapse_shape %[[Y_BAR]] {{.}}[0, 1]] : tensor<?x3xf64> into tensor<?xf64>
// CHECK: return %[[COLLAPSE_SHAPE]]
func.func @expand_vjp(%x: tensor<?xf64>, %n: index, %y_bar: tensor<?x3xf64>) -> tensor<?xf64> {
  %r:2 = ad.vjp @expand(%x, %n) seed(%y_bar)
      : (tensor<?xf64>, index), (tensor<?x3xf64>) -> (tensor<?x3xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
