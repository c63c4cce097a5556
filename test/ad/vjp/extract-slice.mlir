// tensor.extract_slice: the adjoint is added into the slice [F19].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

// With dynamic offset and size, and a stride.
func.func private @slice(%xs: tensor<?xf64>, %o: index, %n: index) -> tensor<?xf64> {
  %y = tensor.extract_slice %xs[%o] [%n] [2] : tensor<?xf64> to tensor<?xf64>
  return %y : tensor<?xf64>
}
// CHECK-LABEL: func.func @slice_vjp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[O:[a-z0-9]+]]: index, %[[N:[a-z0-9]+]]: index, %[[Y_BAR:[a-z0-9]+]]: tensor<?xf64>)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-DAG: %[[CONST2:.*]] = arith.constant 0 : index
// CHECK: %[[DIM:.*]] = tensor.dim %[[XS]], %[[CONST2]]
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[DIM]]) : tensor<?xf64>
// CHECK: %[[FILL:.*]] = linalg.fill ins(%[[CONST]] : f64) outs(%[[EMPTY]]
// CHECK: %[[INSERT_SLICE:.*]] = tensor.insert_slice %[[Y_BAR]] into %[[FILL]][%[[O]]] [%[[N]]] [2] : tensor<?xf64> into tensor<?xf64>
// CHECK: return %[[INSERT_SLICE]]
func.func @slice_vjp(%xs: tensor<?xf64>, %o: index, %n: index, %y_bar: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = ad.vjp @slice(%xs, %o, %n) seed(%y_bar)
      : (tensor<?xf64>, index, index), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

// A row, rank-reduced, read twice.
func.func private @row(%m: tensor<4x3xf64>, %i: index) -> (tensor<3xf64>, tensor<3xf64>) {
  %y = tensor.extract_slice %m[%i, 0] [1, 3] [1, 1] : tensor<4x3xf64> to tensor<3xf64>
  %z = tensor.extract_slice %m[1, 0] [1, 3] [1, 1] : tensor<4x3xf64> to tensor<3xf64>
  return %y, %z : tensor<3xf64>, tensor<3xf64>
}
// CHECK-LABEL: func.func @row_vjp(
// CHECK-SAME: %[[M:[a-z0-9]+]]: tensor<4x3xf64>, %[[I:[a-z0-9]+]]: index, %[[Y0_BAR:[a-z0-9]+]]: tensor<3xf64>, %[[Y1_BAR:[a-z0-9]+]]: tensor<3xf64>)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0.000000e+00 : f64
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<4x3xf64>
// CHECK: %[[FILL:.*]] = linalg.fill ins(%[[CONST]] : f64) outs(%[[EMPTY]]
// CHECK: %[[INSERT_SLICE:.*]] = tensor.insert_slice %[[Y1_BAR]] into %[[FILL]][1, 0] [1, 3] [1, 1] : tensor<3xf64> into tensor<4x3xf64>
// CHECK: %[[EXTRACT_SLICE:.*]] = tensor.extract_slice %[[INSERT_SLICE]][%[[I]], 0] [1, 3] [1, 1] : tensor<4x3xf64> to tensor<3xf64>
// CHECK: %[[ADDF:.*]] = arith.addf %[[EXTRACT_SLICE]], %[[Y0_BAR]] : tensor<3xf64>
// CHECK: %[[INSERT_SLICE2:.*]] = tensor.insert_slice %[[ADDF]] into %[[INSERT_SLICE]][%[[I]], 0] [1, 3] [1, 1] : tensor<3xf64> into tensor<4x3xf64>
// CHECK: return %[[INSERT_SLICE2]]
func.func @row_vjp(%m: tensor<4x3xf64>, %i: index, %y0_bar: tensor<3xf64>, %y1_bar: tensor<3xf64>) -> tensor<4x3xf64> {
  %r:3 = ad.vjp @row(%m, %i) seed(%y0_bar, %y1_bar)
      : (tensor<4x3xf64>, index), (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>, tensor<4x3xf64>)
  return %r#2 : tensor<4x3xf64>
}
