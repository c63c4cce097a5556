// Elementwise linalg operations: one operation over primals and tangents.
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
// CHECK-LABEL: func.func @scaled_exp_jvp(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x4xf64>, %[[B:[a-z0-9]+]]: tensor<?xf64>, %[[S:[a-z0-9]+]]: f64, %[[A_DOT:[a-z0-9]+]]: tensor<?x4xf64>, %[[S_DOT:[a-z0-9]+]]: f64)
// CHECK: %[[Y:.*]]:2 = linalg.generic {{.*}} ins(%[[A]], %[[B]], %[[A_DOT]] : {{.*}}) outs(%[[A]], %{{.*}} : tensor<?x4xf64>, tensor<?x4xf64>)
// CHECK: math.exp
// CHECK-NOT: math.exp
// CHECK: linalg.yield %{{.*}}, %{{.*}} : f64, f64
// CHECK: return %[[Y]]#0, %[[Y]]#1
func.func @scaled_exp_jvp(%a: tensor<?x4xf64>, %b: tensor<?xf64>, %s: f64, %a_dot: tensor<?x4xf64>, %s_dot: f64) -> (tensor<?x4xf64>, tensor<?x4xf64>) {
  %r:2 = ad.jvp @scaled_exp(%a, %b, %s) seed(%a_dot, %s_dot) {wrt = array<i64: 0, 2>}
      : (tensor<?x4xf64>, tensor<?xf64>, f64), (tensor<?x4xf64>, f64) -> (tensor<?x4xf64>, tensor<?x4xf64>)
  return %r#0, %r#1 : tensor<?x4xf64>, tensor<?x4xf64>
}

// What only rearranges is executed once more, on the tangent.
func.func private @broadcast(%v: tensor<2xf64>) -> tensor<2x3xf64> {
  %e = tensor.empty() : tensor<2x3xf64>
  %0 = linalg.broadcast ins(%v : tensor<2xf64>) outs(%e : tensor<2x3xf64>) dimensions = [1]
  return %0 : tensor<2x3xf64>
}
// CHECK-LABEL: func.func @broadcast_jvp(
// CHECK-SAME: %{{.*}}: tensor<2xf64>, %[[V_DOT:[a-z0-9]+]]: tensor<2xf64>)
// CHECK: %[[Y_DOT:.*]] = linalg.broadcast ins(%[[V_DOT]] :
// CHECK: return %[[Y_DOT]]
func.func @broadcast_jvp(%v: tensor<2xf64>, %v_dot: tensor<2xf64>) -> tensor<2x3xf64> {
  %r:2 = ad.jvp @broadcast(%v) seed(%v_dot) : (tensor<2xf64>), (tensor<2xf64>) -> (tensor<2x3xf64>, tensor<2x3xf64>)
  return %r#1 : tensor<2x3xf64>
}
