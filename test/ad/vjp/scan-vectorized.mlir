// soac.scan of an operator that combines rows element by element: a map of scans over the
// columns between two transposes, and the rules for scalars apply to each column [F36].
// RUN: ad-opt %s --raise-to-soac --canonicalize --cse | FileCheck %s --check-prefix=RAISED
// RUN: ad-opt %s --ad-optimize | FileCheck %s --implicit-check-not='= ad.' \
// RUN:   --implicit-check-not=scf.for

// RAISED-LABEL: func.func private @products(
// RAISED-SAME:    %[[X:.*]]: tensor<?x?xf64>, %[[E:.*]]: tensor<?xf64>)
// RAISED:         %[[XT:.*]] = soac.map {{.*}} (%[[J:.*]]: index) -> tensor<?x?xf64> {
// RAISED-NEXT:      soac.map {{.*}} (%[[I:.*]]: index) -> tensor<?xf64> {
// RAISED-NEXT:        tensor.extract %[[X]][%[[I]], %[[J]]]
// RAISED:         %[[YT:.*]] = soac.map ins(%[[XT]], %[[E]] : tensor<?x?xf64>, tensor<?xf64>) (%[[A:.*]]: tensor<?xf64>, %[[Z:.*]]: f64)
// RAISED-NEXT:      soac.scan ins(%[[A]] : tensor<?xf64>) neutral(%[[Z]] : f64) {{.*}} attributes {exclusive} {
// RAISED-NEXT:        arith.mulf {{.*}} : f64
// RAISED:         %[[Y:.*]] = soac.map
// RAISED:             tensor.extract %[[YT]]
// RAISED:         return %[[Y]]
func.func private @products(%xs: tensor<?x?xf64>, %e: tensor<?xf64>) -> tensor<?x?xf64> {
  %ys = soac.scan ins(%xs : tensor<?x?xf64>) neutral(%e : tensor<?xf64>)
      (%l: tensor<?xf64>, %r: tensor<?xf64>) attributes {exclusive} {
    %t = soac.map ins(%l, %r : tensor<?xf64>, tensor<?xf64>) (%u: f64, %v: f64) -> tensor<?xf64> {
      %0 = arith.mulf %u, %v : f64
      soac.yield %0 : f64
    }
    soac.yield %t : tensor<?xf64>
  }
  return %ys : tensor<?x?xf64>
}

// One map over the columns, which reads its columns of both arrays itself; the transpose of its
// result follows.
// CHECK-LABEL: func.func @vjp_of_products(
// CHECK-SAME:    %[[X:.*]]: tensor<?x?xf64>, %[[E:.*]]: tensor<?xf64>, %[[Y_BAR:.*]]: tensor<?x?xf64>)
// CHECK:         %[[XT_BAR:.*]] = soac.map ins(%{{.*}}, %[[E]] : tensor<?xindex>, tensor<?xf64>) (%[[J:.*]]: index, %[[Z:.*]]: f64) -> tensor<?x?xf64> {
// CHECK-NEXT:      %[[B:.*]] = soac.map ins(%[[Y_BAR]] : tensor<?x?xf64>) (%[[ROW:.*]]: tensor<?xf64>) -> tensor<?xf64> {
// CHECK-NEXT:        tensor.extract %[[ROW]][%[[J]]]
// CHECK:           %[[A:.*]] = soac.map {{.*}} (%[[I:.*]]: index) -> tensor<?xf64> {
// CHECK-NEXT:        tensor.extract %[[X]][%[[I]], %[[J]]]
// CHECK:           %[[Y:.*]] = soac.scan ins(%[[A]] : tensor<?xf64>) neutral(%[[Z]] : f64) {{.*}} attributes {exclusive} {
// CHECK:           %[[T:.*]]:2 = soac.scan ins(%[[B]], %[[A]] : tensor<?xf64>, tensor<?xf64>) {{.*}} attributes {exclusive, reverse} {
// CHECK:           %[[A_BAR:.*]] = soac.map ins(%[[Y]], %[[T]]#0 : tensor<?xf64>, tensor<?xf64>)
// CHECK:           soac.yield %[[A_BAR]] : tensor<?xf64>
// CHECK:         %[[X_BAR:.*]] = soac.map {{.*}} (%[[K:.*]]: index) -> tensor<?x?xf64> {
// CHECK-NEXT:      soac.map ins(%[[XT_BAR]] : tensor<?x?xf64>) (%[[COLUMN:.*]]: tensor<?xf64>) -> tensor<?xf64> {
// CHECK-NEXT:        tensor.extract %[[COLUMN]][%[[K]]]
// CHECK-NOT:     soac.scan
// CHECK:         return %[[X_BAR]]
func.func @vjp_of_products(%x: tensor<?x?xf64>, %e: tensor<?xf64>, %y_bar: tensor<?x?xf64>)
    -> tensor<?x?xf64> {
  %y:2 = ad.vjp @products(%x, %e) seed(%y_bar) {wrt = array<i64: 0>}
      : (tensor<?x?xf64>, tensor<?xf64>), (tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>)
  return %y#1 : tensor<?x?xf64>
}

// A factor for all columns and a vector, as whole tensors: the factor is free in the map.
// RAISED-LABEL: func.func private @states(
// RAISED-SAME:    %[[A:.*]]: tensor<?xf64>, %[[B:.*]]: tensor<?x4xf64>)
// RAISED:         soac.map ins(%{{.*}}, %{{.*}} : tensor<4x?xf64>, tensor<4xf64>) (%[[COLUMN:.*]]: tensor<?xf64>
// RAISED-NEXT:      soac.scan ins(%[[A]], %[[COLUMN]] : tensor<?xf64>, tensor<?xf64>)
func.func private @states(%a: tensor<?xf64>, %b: tensor<?x4xf64>) -> tensor<?x4xf64> {
  %one = arith.constant 1.0 : f64
  %zero = arith.constant dense<0.0> : tensor<4xf64>
  %ys:2 = soac.scan ins(%a, %b : tensor<?xf64>, tensor<?x4xf64>) neutral(%one, %zero : f64, tensor<4xf64>)
      (%a1: f64, %b1: tensor<4xf64>, %a2: f64, %b2: tensor<4xf64>) {
    %0 = arith.mulf %a1, %a2 : f64
    %s = tensor.splat %a2 : tensor<4xf64>
    %1 = arith.mulf %b1, %s : tensor<4xf64>
    %2 = arith.addf %1, %b2 : tensor<4xf64>
    soac.yield %0, %2 : f64, tensor<4xf64>
  }
  return %ys#1 : tensor<?x4xf64>
}

// Rows that the operator mixes stay.
// RAISED-LABEL: func.func private @mixed(
// RAISED:         soac.scan ins(%{{.*}} : tensor<?x?xf64>)
func.func private @mixed(%xs: tensor<?x?xf64>, %e: tensor<?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %ys = soac.scan ins(%xs : tensor<?x?xf64>) neutral(%e : tensor<?xf64>)
      (%l: tensor<?xf64>, %r: tensor<?xf64>) {
    %t = soac.map ins(%l, %r : tensor<?xf64>, tensor<?xf64>) (%u: f64, %v: f64) -> tensor<?xf64> {
      %f = tensor.extract %r[%c0] : tensor<?xf64>
      %0 = arith.mulf %u, %f : f64
      %1 = arith.addf %0, %v : f64
      soac.yield %1 : f64
    }
    soac.yield %t : tensor<?xf64>
  }
  return %ys : tensor<?x?xf64>
}
