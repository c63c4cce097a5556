// RUN: ad-opt %s --ad-delay-sums --canonicalize --split-input-file | FileCheck %s

// Products that a loop adds up become one product behind it, if their factors are kept anyhow (F49, F61).

// Rows of an array from outside, from the last to the first, with rows that the loop keeps.
// CHECK-DAG: #[[$LEFT:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[$RIGHT:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$RESULT:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: func.func @weights
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<?x?x?xf64>, %[[S:[a-z0-9]+]]: tensor<?x?xf64>
// CHECK: %[[Z:.*]]:2 = scf.for {{.*}} -> (tensor<?x?xf64>, tensor<?x?x?xf64>)
// CHECK-NOT: linalg
// CHECK: scf.yield
// CHECK: %[[x:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2]] : tensor<?x?x?xf64> into tensor<?x?xf64>
// CHECK: %[[z:.*]] = tensor.collapse_shape %[[Z]]#1 {{\[\[}}0, 1], [2]]
// CHECK: %[[sum:.*]] = linalg.generic
// CHECK-SAME: indexing_maps = [#[[$LEFT]], #[[$RIGHT]], #[[$RESULT]]]
// CHECK-SAME: iterator_types = ["reduction", "parallel", "parallel"]
// CHECK-SAME: ins(%[[x]], %[[z]] : {{.*}}) outs(%[[S]]
// CHECK: return %[[sum]], %[[Z]]#1
func.func @weights(%X: tensor<?x?x?xf64>, %S: tensor<?x?xf64>, %z: tensor<?x?xf64>)
    -> (tensor<?x?xf64>, tensor<?x?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %X, %c0 : tensor<?x?x?xf64>
  %b = tensor.dim %X, %c1 : tensor<?x?x?xf64>
  %j = tensor.dim %X, %c2 : tensor<?x?x?xf64>
  %k = tensor.dim %z, %c1 : tensor<?x?xf64>
  %steps = arith.maxsi %n, %c0 : index
  %last = arith.subi %steps, %c1 : index
  %empty = tensor.empty(%n, %b, %k) : tensor<?x?x?xf64>
  %sum, %state, %all = scf.for %i = %c0 to %steps step %c1
      iter_args(%s = %S, %y = %z, %kept = %empty)
      -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?x?xf64>) {
    %t = arith.subi %last, %i : index
    %x = tensor.extract_slice %X[%t, 0, 0] [1, %b, %j] [1, 1, 1]
        : tensor<?x?x?xf64> to tensor<?x?xf64>
    %new = math.tanh %y : tensor<?x?xf64>
    %next = linalg.generic {
        indexing_maps = [affine_map<(i, j, k) -> (i, j)>, affine_map<(i, j, k) -> (i, k)>,
                         affine_map<(i, j, k) -> (j, k)>],
        iterator_types = ["reduction", "parallel", "parallel"]}
        ins(%x, %new : tensor<?x?xf64>, tensor<?x?xf64>) outs(%s : tensor<?x?xf64>) {
    ^bb0(%p: f64, %q: f64, %old: f64):
      %pq = arith.mulf %p, %q : f64
      %more = arith.addf %old, %pq : f64
      linalg.yield %more : f64
    } -> tensor<?x?xf64>
    %keep = tensor.insert_slice %new into %kept[%t, 0, 0] [1, %b, %k] [1, 1, 1]
        : tensor<?x?xf64> into tensor<?x?x?xf64>
    scf.yield %next, %new, %keep : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?x?xf64>
  }
  return %sum, %all : tensor<?x?xf64>, tensor<?x?x?xf64>
}

// -----

// A factor that is the same in all iterations, and one that is a row. The indices that are summed over are not side by
// side in the latter.
// CHECK-DAG: #[[$LEFT:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-DAG: #[[$RIGHT:.*]] = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
// CHECK-DAG: #[[$RESULT:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d2)>
// CHECK-LABEL: func.func @same
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<7x3x4xf32>, %[[W:[a-z0-9]+]]: tensor<4x5xf32>, %[[S:[a-z0-9]+]]: tensor<3x5xf32>
// CHECK-NOT: scf.for
// CHECK: linalg.generic
// CHECK-SAME: indexing_maps = [#[[$LEFT]], #[[$RIGHT]], #[[$RESULT]]]
// CHECK-SAME: iterator_types = ["reduction", "parallel", "parallel", "reduction"]
// CHECK-SAME: ins(%[[X]], %[[W]] : tensor<7x3x4xf32>, tensor<4x5xf32>) outs(%[[S]]
func.func @same(%X: tensor<7x3x4xf32>, %W: tensor<4x5xf32>, %S: tensor<3x5xf32>)
    -> tensor<3x5xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %sum = scf.for %t = %c0 to %c7 step %c1 iter_args(%s = %S) -> (tensor<3x5xf32>) {
    %x = tensor.extract_slice %X[%t, 0, 0] [1, 3, 4] [1, 1, 1] : tensor<7x3x4xf32> to tensor<3x4xf32>
    %next = linalg.matmul ins(%x, %W : tensor<3x4xf32>, tensor<4x5xf32>)
        outs(%s : tensor<3x5xf32>) -> tensor<3x5xf32>
    scf.yield %next : tensor<3x5xf32>
  }
  return %sum : tensor<3x5xf32>
}

// -----

// A product without a loop: indices that are summed over and are side by side become one.
// CHECK-LABEL: func.func @joined
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<2x?x3xf64>, %[[Y:[a-z0-9]+]]: tensor<2x?x5xf64>
// CHECK: %[[x:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2]] : tensor<2x?x3xf64> into tensor<?x3xf64>
// CHECK: %[[y:.*]] = tensor.collapse_shape %[[Y]] {{\[\[}}0, 1], [2]] : tensor<2x?x5xf64> into tensor<?x5xf64>
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["reduction", "parallel", "parallel"]
// CHECK-SAME: ins(%[[x]], %[[y]]
func.func @joined(%X: tensor<2x?x3xf64>, %Y: tensor<2x?x5xf64>, %S: tensor<3x5xf64>)
    -> tensor<3x5xf64> {
  %sum = linalg.generic {
      indexing_maps = [affine_map<(t, i, j, k) -> (t, i, j)>, affine_map<(t, i, j, k) -> (t, i, k)>,
                       affine_map<(t, i, j, k) -> (j, k)>],
      iterator_types = ["reduction", "reduction", "parallel", "parallel"]}
      ins(%X, %Y : tensor<2x?x3xf64>, tensor<2x?x5xf64>) outs(%S : tensor<3x5xf64>) {
  ^bb0(%p: f64, %q: f64, %old: f64):
    %pq = arith.mulf %p, %q : f64
    %more = arith.addf %old, %pq : f64
    linalg.yield %more : f64
  } -> tensor<3x5xf64>
  return %sum : tensor<3x5xf64>
}

// -----

// What stays: not all rows, a row of another iteration, a factor that is not kept, a sum that the loop reads, and every
// other iteration.
// CHECK-LABEL: func.func @stays
// CHECK: scf.for
// CHECK: linalg.matmul
func.func @stays(%X: tensor<8x3x4xf32>, %W: tensor<4x5xf32>, %S: tensor<3x5xf32>, %V: tensor<3x4xf32>)
    -> (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %some = scf.for %t = %c0 to %c7 step %c1 iter_args(%s = %S) -> (tensor<3x5xf32>) {
    %x = tensor.extract_slice %X[%t, 0, 0] [1, 3, 4] [1, 1, 1] : tensor<8x3x4xf32> to tensor<3x4xf32>
    %next = linalg.matmul ins(%x, %W : tensor<3x4xf32>, tensor<4x5xf32>)
        outs(%s : tensor<3x5xf32>) -> tensor<3x5xf32>
    scf.yield %next : tensor<3x5xf32>
  }
  // CHECK: scf.for
  // CHECK: linalg.matmul
  %halves = scf.for %t = %c0 to %c8 step %c1 iter_args(%s = %some) -> (tensor<3x5xf32>) {
    %at = arith.divui %t, %c2 : index
    %x = tensor.extract_slice %X[%at, 0, 0] [1, 3, 4] [1, 1, 1] : tensor<8x3x4xf32> to tensor<3x4xf32>
    %next = linalg.matmul ins(%x, %W : tensor<3x4xf32>, tensor<4x5xf32>)
        outs(%s : tensor<3x5xf32>) -> tensor<3x5xf32>
    scf.yield %next : tensor<3x5xf32>
  }
  // CHECK: scf.for
  // CHECK: linalg.matmul
  %passing, %v = scf.for %t = %c0 to %c8 step %c1 iter_args(%s = %halves, %y = %V)
      -> (tensor<3x5xf32>, tensor<3x4xf32>) {
    %x = math.tanh %y : tensor<3x4xf32>
    %next = linalg.matmul ins(%x, %W : tensor<3x4xf32>, tensor<4x5xf32>)
        outs(%s : tensor<3x5xf32>) -> tensor<3x5xf32>
    scf.yield %next, %x : tensor<3x5xf32>, tensor<3x4xf32>
  }
  // CHECK: scf.for
  // CHECK: linalg.matmul
  %read, %squares = scf.for %t = %c0 to %c8 step %c1 iter_args(%s = %passing, %y = %S)
      -> (tensor<3x5xf32>, tensor<3x5xf32>) {
    %x = tensor.extract_slice %X[%t, 0, 0] [1, 3, 4] [1, 1, 1] : tensor<8x3x4xf32> to tensor<3x4xf32>
    %next = linalg.matmul ins(%x, %W : tensor<3x4xf32>, tensor<4x5xf32>)
        outs(%s : tensor<3x5xf32>) -> tensor<3x5xf32>
    %square = arith.mulf %s, %s : tensor<3x5xf32>
    scf.yield %next, %square : tensor<3x5xf32>, tensor<3x5xf32>
  }
  // CHECK: scf.for
  // CHECK: linalg.matmul
  %odd = scf.for %t = %c0 to %c8 step %c2 iter_args(%s = %read) -> (tensor<3x5xf32>) {
    %x = tensor.extract_slice %X[%t, 0, 0] [1, 3, 4] [1, 1, 1] : tensor<8x3x4xf32> to tensor<3x4xf32>
    %next = linalg.matmul ins(%x, %W : tensor<3x4xf32>, tensor<4x5xf32>)
        outs(%s : tensor<3x5xf32>) -> tensor<3x5xf32>
    scf.yield %next : tensor<3x5xf32>
  }
  return %odd, %halves, %passing, %read, %squares
      : tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>
}

// -----

// Products of buffers are left as they are.
// CHECK-LABEL: func.func @buffers
// CHECK-NOT: collapse_shape
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["reduction", "reduction", "parallel", "parallel"]
func.func @buffers(%X: memref<2x?x3xf64>, %Y: memref<2x?x5xf64>, %S: memref<3x5xf64>) {
  linalg.generic {
      indexing_maps = [affine_map<(t, i, j, k) -> (t, i, j)>, affine_map<(t, i, j, k) -> (t, i, k)>,
                       affine_map<(t, i, j, k) -> (j, k)>],
      iterator_types = ["reduction", "reduction", "parallel", "parallel"]}
      ins(%X, %Y : memref<2x?x3xf64>, memref<2x?x5xf64>) outs(%S : memref<3x5xf64>) {
  ^bb0(%p: f64, %q: f64, %old: f64):
    %pq = arith.mulf %p, %q : f64
    %more = arith.addf %old, %pq : f64
    linalg.yield %more : f64
  }
  return
}
