// The loops over elements are outside of that over terms, which would start a kernel for each of them. Loops that are asked for
// keep their meaning; operations in the right order stay as they are.
// RUN: ad-opt %s --lower-loop-order | FileCheck %s
// RUN: ad-opt %s --lower-loop-order=along-rows=1 | FileCheck %s --check-prefix=ROWS

// CHECK-DAG: #[[$KI:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-DAG: #[[$KJ:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[$IJ:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @outer_products(
// CHECK: indexing_maps = [#[[$KI]], #[[$KJ]], #[[$IJ]]], iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: linalg.index 2 : index
// CHECK: linalg.index 0 : index
func.func @outer_products(%a: memref<?x?xindex>, %b: memref<?x?xindex>, %c: memref<?x?xindex>) {
  linalg.generic {
      indexing_maps = [affine_map<(k, i, j) -> (k, i)>, affine_map<(k, i, j) -> (k, j)>, affine_map<(k, i, j) -> (i, j)>],
      iterator_types = ["reduction", "parallel", "parallel"]}
      ins(%a, %b : memref<?x?xindex>, memref<?x?xindex>) outs(%c : memref<?x?xindex>) {
    ^bb0(%x: index, %y: index, %s: index):
      %k = linalg.index 0 : index
      %i = linalg.index 1 : index
      %p = arith.muli %x, %y : index
      %q = arith.addi %k, %i : index
      %t = arith.muli %p, %q : index
      %n = arith.addi %s, %t : index
      linalg.yield %n : index
  }
  return
}

// A sum of rows.
// CHECK-LABEL: func.func @rows(
// CHECK: iterator_types = ["parallel", "reduction"]
func.func @rows(%a: memref<?x4xf64>, %s: memref<4xf64>) {
  linalg.reduce { arith.addf } ins(%a : memref<?x4xf64>) outs(%s : memref<4xf64>) dimensions = [0]
  return
}

// CHECK-LABEL: func.func @product(
// CHECK: linalg.matmul
func.func @product(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %c: memref<?x?xf64>) {
  linalg.matmul ins(%a, %b : memref<?x?xf64>, memref<?x?xf64>) outs(%c : memref<?x?xf64>)
  return
}

// For a processor, the loop along the rows of most arrays is inside, also of kernels.
// CHECK-LABEL: func.func @vector_times_matrix(
// CHECK: iterator_types = ["parallel", "reduction"]
// ROWS-DAG: #[[$I:.*]] = affine_map<(d0, d1) -> (d0)>
// ROWS-DAG: #[[$J:.*]] = affine_map<(d0, d1) -> (d1)>
// ROWS-DAG: #[[$WHOLE:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// ROWS-LABEL: func.func @vector_times_matrix(
// ROWS: indexing_maps = [#[[$I]], #[[$WHOLE]], #[[$J]]], iterator_types = ["reduction", "parallel"]
func.func @vector_times_matrix(%x: memref<?xf64>, %a: memref<?x?xf64>, %y: memref<?xf64>) {
  linalg.generic {
      indexing_maps = [affine_map<(j, i) -> (i)>, affine_map<(j, i) -> (i, j)>, affine_map<(j, i) -> (j)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x, %a : memref<?xf64>, memref<?x?xf64>) outs(%y : memref<?xf64>) {
    ^bb0(%u: f64, %v: f64, %s: f64):
      %p = arith.mulf %u, %v : f64
      %t = arith.addf %s, %p : f64
      linalg.yield %t : f64
  }
  return
}

// The terms of a sum keep their order: rows before columns would be another one.
// ROWS-LABEL: func.func @all(
// ROWS: linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}], iterator_types = ["reduction", "reduction"]}
// ROWS-NEXT: ^bb0
// ROWS: linalg.index 1
func.func @all(%a: memref<?x?xf64>, %y: memref<f64>) {
  linalg.generic {
      indexing_maps = [affine_map<(j, i) -> (i, j)>, affine_map<(j, i) -> ()>],
      iterator_types = ["reduction", "reduction"]}
      ins(%a : memref<?x?xf64>) outs(%y : memref<f64>) {
    ^bb0(%v: f64, %s: f64):
      %i = linalg.index 1 : index
      %n = arith.index_cast %i : index to i64
      %f = arith.sitofp %n : i64 to f64
      %w = arith.mulf %v, %f : f64
      %t = arith.addf %s, %w : f64
      linalg.yield %t : f64
  }
  return
}

// Columns of three elements each are not worth it, nor is a transposition, along whose two arrays either loop goes.
// ROWS-LABEL: func.func @short(
// ROWS: iterator_types = ["parallel", "reduction"]
// ROWS-LABEL: func.func @transposed(
// ROWS: linalg.transpose
func.func @short(%a: memref<?x3xf64>, %y: memref<3xf64>) {
  linalg.generic {
      indexing_maps = [affine_map<(j, i) -> (i, j)>, affine_map<(j, i) -> (j)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<?x3xf64>) outs(%y : memref<3xf64>) {
    ^bb0(%v: f64, %s: f64):
      %t = arith.addf %s, %v : f64
      linalg.yield %t : f64
  }
  return
}
func.func @transposed(%a: memref<?x?xf64>, %b: memref<?x?xf64>) {
  linalg.transpose ins(%a : memref<?x?xf64>) outs(%b : memref<?x?xf64>) permutation = [1, 0]
  return
}
