// linalg contractions: the derivative of a matmul is two contractions, on the arrays as they are.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.' --implicit-check-not='soac' --implicit-check-not='linalg.transpose' --implicit-check-not='linalg.matmul'

func.func private @matmul(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %c: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf64>, tensor<?x?xf64>) outs(%c : tensor<?x?xf64>) -> tensor<?x?xf64>
  return %0 : tensor<?x?xf64>
}
// CHECK-DAG: #[[$MK:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$KN:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[$MN:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @matmul_vjp(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x?xf64>, %[[B:[a-z0-9]+]]: tensor<?x?xf64>, %{{.*}}: tensor<?x?xf64>, %[[C_BAR:[a-z0-9]+]]: tensor<?x?xf64>)
// CHECK: %[[ZEROS:.*]] = linalg.fill
// CHECK: %[[A_BAR:.*]] = linalg.generic {indexing_maps = [#[[$KN]], #[[$MN]], #[[$MK]]], iterator_types = ["parallel", "reduction", "parallel"]}
// CHECK-SAME: ins(%[[B]], %[[C_BAR]] : tensor<?x?xf64>, tensor<?x?xf64>) outs(%[[ZEROS]] : tensor<?x?xf64>) {
// CHECK-NEXT: ^bb0(%[[X:.*]]: f64, %[[Y:.*]]: f64, %[[SUM:.*]]: f64):
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[Y]], %[[X]]
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[SUM]], %[[P]]
// CHECK-NEXT: linalg.yield %[[S]]
// CHECK: %[[ZEROS2:.*]] = linalg.fill
// CHECK: %[[B_BAR:.*]] = linalg.generic {indexing_maps = [#[[$MK]], #[[$MN]], #[[$KN]]], iterator_types = ["reduction", "parallel", "parallel"]}
// CHECK-SAME: ins(%[[A]], %[[C_BAR]] : tensor<?x?xf64>, tensor<?x?xf64>) outs(%[[ZEROS2]] : tensor<?x?xf64>) {
// CHECK-NOT: linalg
// CHECK: linalg.yield
// CHECK-NOT: linalg
// CHECK: return %[[A_BAR]], %[[B_BAR]], %[[C_BAR]]
func.func @matmul_vjp(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %c: tensor<?x?xf64>, %c_bar: tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %r:4 = ad.vjp @matmul(%a, %b, %c) seed(%c_bar)
      : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>), (tensor<?x?xf64>)
      -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
  return %r#1, %r#2, %r#3 : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}

// One operand twice: the second contraction adds to what the first one made.
func.func private @square(%a: tensor<4x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// CHECK-LABEL: func.func @square_vjp(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x4xf32>, %{{.*}}: tensor<4x4xf32>, %[[C_BAR:[a-z0-9]+]]: tensor<4x4xf32>)
// CHECK: %[[FIRST:.*]] = linalg.generic {indexing_maps = [#[[$KN]], #[[$MN]], #[[$MK]]]
// CHECK: %[[SECOND:.*]] = linalg.generic {indexing_maps = [#[[$MK]], #[[$MN]], #[[$KN]]]
// CHECK-SAME: outs(%[[FIRST]] : tensor<4x4xf32>)
// CHECK: return %[[SECOND]]
func.func @square_vjp(%a: tensor<4x4xf32>, %c: tensor<4x4xf32>, %c_bar: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r:2 = ad.vjp @square(%a, %c) seed(%c_bar) {wrt = array<i64: 0>}
      : (tensor<4x4xf32>, tensor<4x4xf32>), (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>)
  return %r#1 : tensor<4x4xf32>
}

// A sum over all: its cotangent is broadcast by one operation.
func.func private @dot(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<f64> {
  %zero = arith.constant dense<0.0> : tensor<f64>
  %0 = linalg.dot ins(%x, %y : tensor<?xf64>, tensor<?xf64>) outs(%zero : tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}
// CHECK-LABEL: func.func @dot_vjp(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf64>, %[[Y:[a-z0-9]+]]: tensor<?xf64>, %[[BAR:[a-z0-9]+]]: tensor<f64>)
// CHECK-NOT: linalg.fill
// CHECK: %[[BARS:.*]]:2 = linalg.generic
// CHECK-SAME: iterator_types = ["parallel"]} ins(%[[X]], %[[Y]], %[[BAR]]
// CHECK: return %[[BARS]]#0, %[[BARS]]#1
func.func @dot_vjp(%x: tensor<?xf64>, %y: tensor<?xf64>, %bar: tensor<f64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:3 = ad.vjp @dot(%x, %y) seed(%bar) : (tensor<?xf64>, tensor<?xf64>), (tensor<f64>) -> (tensor<f64>, tensor<?xf64>, tensor<?xf64>)
  return %r#1, %r#2 : tensor<?xf64>, tensor<?xf64>
}
