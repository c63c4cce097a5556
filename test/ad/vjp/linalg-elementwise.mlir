// Elementwise linalg operations: one operation for all inputs with the same reductions.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.' --implicit-check-not='soac'

func.func private @scaled_exp(%a: tensor<?x4xf64>, %b: tensor<?xf64>, %s: f64) -> tensor<?x4xf64> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<?x4xf64>, tensor<?xf64>) outs(%a : tensor<?x4xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %p = math.exp %x : f64
    %q = arith.mulf %p, %y : f64
    %r = arith.mulf %q, %s : f64
    linalg.yield %r : f64
  } -> tensor<?x4xf64>
  return %0 : tensor<?x4xf64>
}
// CHECK-LABEL: func.func @scaled_exp_vjp(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x4xf64>, %[[B:[a-z0-9]+]]: tensor<?xf64>, %[[S:[a-z0-9]+]]: f64, %[[BAR:[a-z0-9]+]]: tensor<?x4xf64>)
// Nothing is filled for what is made once; the primal is not executed again.
// CHECK: %[[EMPTY:.*]] = tensor.empty
// CHECK: %[[A_BAR:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%[[A]], %[[B]], %[[BAR]] : {{.*}}) outs(%[[EMPTY]] :
// CHECK: math.exp
// CHECK-NOT: arith.addf
// CHECK: linalg.yield
// A broadcast dimension is summed.
// CHECK: %[[B_BAR:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[A]], %[[BAR]] :
// CHECK: arith.addf
// CHECK: linalg.yield
// A scalar from outside is summed over everything [F42].
// CHECK: %[[S_BAR:.*]] = linalg.generic {{.*}} iterator_types = ["reduction", "reduction"]} ins(%[[A]], %[[B]], %[[BAR]] :
// CHECK: %[[SCALAR:.*]] = tensor.extract %[[S_BAR]][]
// CHECK: return %[[A_BAR]], %[[B_BAR]], %[[SCALAR]]
func.func @scaled_exp_vjp(%a: tensor<?x4xf64>, %b: tensor<?xf64>, %s: f64, %bar: tensor<?x4xf64>) -> (tensor<?x4xf64>, tensor<?xf64>, f64) {
  %r:4 = ad.vjp @scaled_exp(%a, %b, %s) seed(%bar)
      : (tensor<?x4xf64>, tensor<?xf64>, f64), (tensor<?x4xf64>) -> (tensor<?x4xf64>, tensor<?x4xf64>, tensor<?xf64>, f64)
  return %r#1, %r#2, %r#3 : tensor<?x4xf64>, tensor<?xf64>, f64
}

func.func private @mul(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<5xf32> {
  %0 = linalg.mul ins(%a, %b : tensor<5xf32>, tensor<5xf32>) outs(%a : tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
// CHECK-LABEL: func.func @mul_vjp(
// CHECK: %[[BARS:.*]]:2 = linalg.generic
// CHECK-NOT: linalg
// CHECK: linalg.yield
// CHECK-NOT: linalg
// CHECK: return %[[BARS]]#0, %[[BARS]]#1
func.func @mul_vjp(%a: tensor<5xf32>, %b: tensor<5xf32>, %bar: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
  %r:3 = ad.vjp @mul(%a, %b) seed(%bar) : (tensor<5xf32>, tensor<5xf32>), (tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>)
  return %r#1, %r#2 : tensor<5xf32>, tensor<5xf32>
}

// What only rearranges has a derivative that only rearranges.
func.func private @transpose(%a: tensor<2x3xf64>) -> tensor<3x2xf64> {
  %e = tensor.empty() : tensor<3x2xf64>
  %0 = linalg.transpose ins(%a : tensor<2x3xf64>) outs(%e : tensor<3x2xf64>) permutation = [1, 0]
  return %0 : tensor<3x2xf64>
}
// CHECK-LABEL: func.func @transpose_vjp(
// CHECK: %[[A_BAR:.*]] = linalg.generic
// CHECK-NEXT: ^bb0(%[[X:.*]]: f64, %{{.*}}: f64):
// CHECK-NEXT: linalg.yield %[[X]]
// CHECK: return %[[A_BAR]]
func.func @transpose_vjp(%a: tensor<2x3xf64>, %bar: tensor<3x2xf64>) -> tensor<2x3xf64> {
  %r:2 = ad.vjp @transpose(%a) seed(%bar) : (tensor<2x3xf64>), (tensor<3x2xf64>) -> (tensor<3x2xf64>, tensor<2x3xf64>)
  return %r#1 : tensor<2x3xf64>
}
