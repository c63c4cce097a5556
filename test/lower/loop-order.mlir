// The loops over elements are outside of that over terms, which would start a kernel for each of them. Loops that are asked for
// keep their meaning; operations in the right order stay as they are.
// RUN: ad-opt %s --lower-loop-order | FileCheck %s

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
