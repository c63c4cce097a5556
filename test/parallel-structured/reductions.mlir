// Sums and other reductions become those of `soac`: over all elements in a row where operands have dimensions side by side.
// Products of matrices, slices, and operations that only write stay.
// RUN: ad-opt %s --split-input-file --ad-parallel-structured | FileCheck %s

// CHECK-LABEL: func.func @all(
// CHECK-SAME: %[[X:.*]]: tensor<?x?x4xf32>
// CHECK: %[[ROW:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1, 2]] : tensor<?x?x4xf32> into tensor<?xf32>
// CHECK-NOT: linalg.generic
// CHECK: soac.map
// CHECK: soac.reduce
func.func @all(%x: tensor<?x?x4xf32>, %s: tensor<f32>) -> tensor<f32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> ()>],
      iterator_types = ["reduction", "reduction", "reduction"]}
      ins(%x : tensor<?x?x4xf32>) outs(%s : tensor<f32>) {
    ^bb0(%x_i: f32, %sum: f32):
      %n = arith.addf %sum, %x_i : f32
      linalg.yield %n : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// By channel: the largest of a batch of images, of which a mean is taken away.
// CHECK-LABEL: func.func @channels(
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0, 1, 2], [3]] : tensor<?x8x8x16xf64> into tensor<?x16xf64>
// CHECK: soac.map
// CHECK:   soac.reduce
// CHECK:     arith.maximumf
func.func @channels(%x: tensor<?x8x8x16xf64>, %mean: tensor<16xf64>, %m: tensor<16xf64>) -> tensor<16xf64> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(n, h, w, c) -> (n, h, w, c)>, affine_map<(n, h, w, c) -> (c)>, affine_map<(n, h, w, c) -> (c)>],
      iterator_types = ["reduction", "reduction", "reduction", "parallel"]}
      ins(%x, %mean : tensor<?x8x8x16xf64>, tensor<16xf64>) outs(%m : tensor<16xf64>) {
    ^bb0(%x_i: f64, %mean_c: f64, %most: f64):
      %d = arith.subf %x_i, %mean_c : f64
      %n = arith.maximumf %most, %d : f64
      linalg.yield %n : f64
  } -> tensor<16xf64>
  return %r : tensor<16xf64>
}

// -----

// A slice would be copied: its dimensions stay.
// CHECK-LABEL: func.func @slice(
// CHECK-NOT: tensor.collapse_shape
// CHECK: soac.reduce
// CHECK-LABEL: func.func @others(
// CHECK: linalg.matmul
// CHECK: linalg.generic
// CHECK-NOT: soac.
func.func @slice(%x: tensor<8x8xf64>, %s: tensor<f64>) -> tensor<f64> {
  %part = tensor.extract_slice %x[0, 0] [8, 5] [1, 1] : tensor<8x8xf64> to tensor<8x5xf64>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>],
      iterator_types = ["reduction", "reduction"]}
      ins(%part : tensor<8x5xf64>) outs(%s : tensor<f64>) {
    ^bb0(%x_i: f64, %sum: f64):
      %n = arith.addf %sum, %x_i : f64
      linalg.yield %n : f64
  } -> tensor<f64>
  return %r : tensor<f64>
}

func.func @others(%x: tensor<?x?xf64>, %y: tensor<?x?xf64>, %z: tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %p = linalg.matmul ins(%x, %y : tensor<?x?xf64>, tensor<?x?xf64>) outs(%z : tensor<?x?xf64>) -> tensor<?x?xf64>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x?xf64>) outs(%z : tensor<?x?xf64>) {
    ^bb0(%x_i: f64, %old: f64):
      %n = arith.addf %old, %x_i : f64
      linalg.yield %n : f64
  } -> tensor<?x?xf64>
  return %p, %r : tensor<?x?xf64>, tensor<?x?xf64>
}
