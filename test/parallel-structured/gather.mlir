// Sums whose iterations share elements of the result become sums by element: of an input between zeros, with the others
// backwards.
// RUN: ad-opt %s --split-input-file --ad-parallel-structured | FileCheck %s

// The derivative of a convolution: `y` moves, which comes last, `w` is read backwards.
// CHECK: #[[$SUM:.*]] = affine_map<(d0, d1, d2, d3) -> (d0 + d1, d3)>
// CHECK-LABEL: func.func @windows(
// CHECK-SAME: %[[W:.*]]: tensor<?x?x?xf64>, %[[Y:.*]]: tensor<?x?xf64>, %[[X:.*]]: tensor<?x?xf64>)
// CHECK: %[[BACKWARDS:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel"]
// CHECK:   %[[A:.*]] = linalg.index 0
// CHECK:   %[[AT:.*]] = arith.subi %{{.*}}, %[[A]]
// CHECK:   %[[C:.*]] = linalg.index 1
// CHECK:   %[[F:.*]] = linalg.index 2
// CHECK:   tensor.extract %[[W]][%[[AT]], %[[C]], %[[F]]]
// CHECK: %[[BETWEEN:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK:   %[[U:.*]] = linalg.index 0
// CHECK:   %[[BEHIND:.*]] = arith.subi %[[U]], %[[LOW:.*]]
// CHECK:   %[[IS_THERE:.*]] = arith.cmpi ult, %[[BEHIND]],
// CHECK:   scf.if %[[IS_THERE]]
// CHECK:     tensor.extract %[[Y]][%[[BEHIND]],
// CHECK:   else
// CHECK:     scf.yield %{{.*}}
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[$SUM]], #{{.*}}], iterator_types = ["parallel", "reduction", "parallel", "reduction"]}
// CHECK-SAME: ins(%[[BACKWARDS]], %[[BETWEEN]] : tensor<?x?x?xf64>, tensor<?x?xf64>) outs(%[[X]]
func.func @windows(%w: tensor<?x?x?xf64>, %y: tensor<?x?xf64>, %x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, a, c, f) -> (a, c, f)>, affine_map<(i, a, c, f) -> (i, f)>, affine_map<(i, a, c, f) -> (i + a, c)>],
      iterator_types = ["reduction", "reduction", "parallel", "reduction"]}
      ins(%w, %y : tensor<?x?x?xf64>, tensor<?x?xf64>) outs(%x : tensor<?x?xf64>) {
    ^bb0(%w_a: f64, %y_i: f64, %sum: f64):
      %p = arith.mulf %y_i, %w_a : f64
      %n = arith.addf %sum, %p : f64
      linalg.yield %n : f64
  } -> tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}

// -----

// Of loops of known lengths the longer one moves, here that of the first input; between its elements are zeros. The index
// begins at 5. As this is no product of matrices, it becomes maps and reductions.
// CHECK-LABEL: func.func @stride(
// CHECK-SAME: %[[Y:.*]]: tensor<40xf32>
// CHECK: %[[LOW:.*]] = arith.addi %{{.*}}, %c5
// CHECK: linalg.generic
// CHECK:   %[[BEHIND:.*]] = arith.subi %{{.*}}, %[[LOW]]
// CHECK:   arith.divui %[[BEHIND]], %c2
// CHECK:   %[[REST:.*]] = arith.remui %[[BEHIND]], %c2
// CHECK:   arith.cmpi eq, %[[REST]], %c0
// CHECK:   tensor.extract %[[Y]][
// CHECK: soac.map
// CHECK:   %[[THREE_TIMES:.*]] = arith.muli %{{.*}}, %c3
// CHECK:   %[[J:.*]] = arith.addi %{{.*}}, %[[THREE_TIMES]]
// CHECK:   tensor.extract %{{.*}}[%[[J]]]
// CHECK:   soac.reduce
func.func @stride(%y: tensor<40xf32>, %w: tensor<4xf32>, %x: tensor<99xf32>) -> tensor<99xf32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, a) -> (i)>, affine_map<(i, a) -> (a)>, affine_map<(i, a) -> (i * 2 + a * 3 + 5)>],
      iterator_types = ["reduction", "reduction"]}
      ins(%y, %w : tensor<40xf32>, tensor<4xf32>) outs(%x : tensor<99xf32>) {
    ^bb0(%y_i: f32, %w_a: f32, %sum: f32):
      %p = arith.mulf %y_i, %w_a : f32
      %n = arith.addf %sum, %p : f32
      linalg.yield %n : f32
  } -> tensor<99xf32>
  return %r : tensor<99xf32>
}

// -----

// A loop of unknown length moves, and not one of 3 iterations, whichever comes first.
// CHECK-LABEL: func.func @unknown(
// CHECK-SAME: %[[Y:.*]]: tensor<?xf64>, %[[W:.*]]: tensor<3xf64>
// CHECK: %[[BETWEEN:.*]] = linalg.generic
// CHECK: tensor.extract %[[Y]][
// CHECK: %[[BACKWARDS:.*]] = linalg.generic
// CHECK: arith.subi %{{.*}}, %{{.*}}
// CHECK-NEXT: tensor.extract %[[W]][
func.func @unknown(%y: tensor<?xf64>, %w: tensor<3xf64>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, a) -> (i)>, affine_map<(i, a) -> (a)>, affine_map<(i, a) -> (i + a)>],
      iterator_types = ["reduction", "reduction"]}
      ins(%y, %w : tensor<?xf64>, tensor<3xf64>) outs(%x : tensor<?xf64>) {
    ^bb0(%y_i: f64, %w_a: f64, %sum: f64):
      %p = arith.mulf %y_i, %w_a : f64
      %n = arith.addf %sum, %p : f64
      linalg.yield %n : f64
  } -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// -----

// What is added need not be zero where an input is, or the number of a loop is asked for: these stay.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-2: iterator_types = ["reduction", "reduction"]
// CHECK-NOT: linalg.generic
func.func @others(%y: tensor<?xf64>, %w: tensor<?xf64>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, a) -> (i)>, affine_map<(i, a) -> (a)>, affine_map<(i, a) -> (i + a)>],
      iterator_types = ["reduction", "reduction"]}
      ins(%y, %w : tensor<?xf64>, tensor<?xf64>) outs(%x : tensor<?xf64>) {
    ^bb0(%y_i: f64, %w_a: f64, %sum: f64):
      %p = arith.addf %y_i, %w_a : f64
      %e = math.exp %p : f64
      %n = arith.addf %sum, %e : f64
      linalg.yield %n : f64
  } -> tensor<?xf64>
  %q = linalg.generic {
      indexing_maps = [affine_map<(i, a) -> (i)>, affine_map<(i, a) -> (a)>, affine_map<(i, a) -> (i + a)>],
      iterator_types = ["reduction", "reduction"]}
      ins(%y, %w : tensor<?xf64>, tensor<?xf64>) outs(%r : tensor<?xf64>) {
    ^bb0(%y_i: f64, %w_a: f64, %sum: f64):
      %i = linalg.index 0 : index
      %i_i = arith.index_cast %i : index to i64
      %i_f = arith.sitofp %i_i : i64 to f64
      %p = arith.mulf %y_i, %w_a : f64
      %s = arith.mulf %p, %i_f : f64
      %n = arith.addf %sum, %s : f64
      linalg.yield %n : f64
  } -> tensor<?xf64>
  return %q : tensor<?xf64>
}
