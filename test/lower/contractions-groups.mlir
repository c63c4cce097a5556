// Loops whose elements follow each other in all arrays that have them are one loop of the product: a layer for samples of
// words each is one product, not one for each sample.
// RUN: ad-opt %s --lower-contractions --canonicalize --cse | FileCheck %s
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f4' '(3, 5, 8)' --vary=1
// RUN: %python %S/../driver/Inputs/npy.py %t.w.npy '<f4' '(8, 4, 6)' --vary=2
// RUN: ad-opt check %s --entry=layer --input=%t.x.npy --input=%t.w.npy
// RUN: ad-opt run %s --entry=layer --input=%t.x.npy --input=%t.w.npy > %t.layer.txt
// RUN: ad-opt run %s --entry=by_hand --input=%t.x.npy --input=%t.w.npy > %t.hand.txt
// RUN: %python %S/../bench/Inputs/compare.py %t.layer.txt %t.hand.txt 1e-5

#xbt = affine_map<(b, t, n, p, k, l) -> (b, t, k, l)>
#w = affine_map<(b, t, n, p, k, l) -> (k, l, n, p)>
#y = affine_map<(b, t, n, p, k, l) -> (b, t, n, p)>

// 8 x 16 rows, 4 x 8 columns, 64 x 2 terms.
// CHECK-LABEL: func.func @groups(
// CHECK-NOT:     scf.for
// CHECK:         call @ad_gemm_f32(%c128, %c32, %c128{{(_[0-9]+)?}}, %{{.*}}, %c128{{(_[0-9]+)?}}, %c1{{(_[0-9]+)?}}, %{{.*}}, %c32{{(_[0-9]+)?}}, %c1{{(_[0-9]+)?}}, %{{.*}}, %c32{{(_[0-9]+)?}}, %c1{{(_[0-9]+)?}})
// CHECK-NOT:     scf.for
func.func @groups(%x: memref<8x16x64x2xf32>, %w: memref<64x2x4x8xf32>, %y: memref<8x16x4x8xf32>) {
  linalg.generic {indexing_maps = [#xbt, #w, #y],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : memref<8x16x64x2xf32>, memref<64x2x4x8xf32>) outs(%y : memref<8x16x4x8xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %c, %p : f32
      linalg.yield %s : f32
  }
  return
}

// Of unknown sizes.
// CHECK-LABEL: func.func @dynamic(
// CHECK-NOT:     scf.for
// CHECK:         %[[ROWS:.*]] = arith.muli
// CHECK:         call @ad_gemm_f32(%[[ROWS]],
func.func @dynamic(%x: memref<?x?x?xf32>, %w: memref<?x?xf32>, %y: memref<?x?x?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(b, t, n, k) -> (b, t, k)>, affine_map<(b, t, n, k) -> (k, n)>, affine_map<(b, t, n, k) -> (b, t, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<?x?x?xf32>, memref<?x?xf32>) outs(%y : memref<?x?x?xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %c, %p : f32
      linalg.yield %s : f32
  }
  return
}

// The words of a sample do not follow those of the one before in a slice, nor if the result has them in another order.
// CHECK-LABEL: func.func @apart(
// CHECK:         scf.for
// CHECK:           call @ad_gemm_f32(%c16
// CHECK:         scf.for
// CHECK:           call @ad_gemm_f32(%c16
func.func @apart(%x: memref<8x16x64xf32, strided<[2048, 64, 1]>>, %z: memref<8x16x64xf32>, %w: memref<64x32xf32>,
                 %y: memref<8x16x32xf32>, %v: memref<16x8x32xf32>) {
  linalg.generic {indexing_maps = [affine_map<(b, t, n, k) -> (b, t, k)>, affine_map<(b, t, n, k) -> (k, n)>, affine_map<(b, t, n, k) -> (b, t, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<8x16x64xf32, strided<[2048, 64, 1]>>, memref<64x32xf32>) outs(%y : memref<8x16x32xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %c, %p : f32
      linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [affine_map<(b, t, n, k) -> (b, t, k)>, affine_map<(b, t, n, k) -> (k, n)>, affine_map<(b, t, n, k) -> (t, b, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%z, %w : memref<8x16x64xf32>, memref<64x32xf32>) outs(%v : memref<16x8x32xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %c, %p : f32
      linalg.yield %s : f32
  }
  return
}

// The values of a product in groups are those of the same product of matrices.
func.func @layer(%x: tensor<?x?x?xf32>, %w: tensor<?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %b = tensor.dim %x, %c0 : tensor<?x?x?xf32>
  %t = tensor.dim %x, %c1 : tensor<?x?x?xf32>
  %n = tensor.dim %w, %c1 : tensor<?x?x?xf32>
  %p = tensor.dim %w, %c2 : tensor<?x?x?xf32>
  %empty = tensor.empty(%b, %t, %n, %p) : tensor<?x?x?x?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(b, t, n, p, k) -> (b, t, k)>, affine_map<(b, t, n, p, k) -> (k, n, p)>, affine_map<(b, t, n, p, k) -> (b, t, n, p)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<?x?x?xf32>, tensor<?x?x?xf32>) outs(%init : tensor<?x?x?x?xf32>) {
    ^bb0(%a: f32, %e: f32, %c: f32):
      %q = arith.mulf %a, %e : f32
      %s = arith.addf %c, %q : f32
      linalg.yield %s : f32
  } -> tensor<?x?x?x?xf32>
  return %y : tensor<?x?x?x?xf32>
}
func.func @by_hand(%x: tensor<3x5x8xf32>, %w: tensor<8x4x6xf32>) -> tensor<3x5x4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.collapse_shape %x [[0, 1], [2]] : tensor<3x5x8xf32> into tensor<15x8xf32>
  %columns = tensor.collapse_shape %w [[0], [1, 2]] : tensor<8x4x6xf32> into tensor<8x24xf32>
  %empty = tensor.empty() : tensor<15x24xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<15x24xf32>) -> tensor<15x24xf32>
  %product = linalg.matmul ins(%rows, %columns : tensor<15x8xf32>, tensor<8x24xf32>) outs(%init : tensor<15x24xf32>) -> tensor<15x24xf32>
  %y = tensor.expand_shape %product [[0, 1], [2, 3]] output_shape [3, 5, 4, 6] : tensor<15x24xf32> into tensor<3x5x4x6xf32>
  return %y : tensor<3x5x4x6xf32>
}
