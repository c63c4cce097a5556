// Contractions of buffers become calls of a matrix product, with the strides of their operands.
// RUN: ad-opt %s --lower-contractions | FileCheck %s
// RUN: ad-opt %s --lower-contractions --remarks-filter-analyse='lower-contractions' -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNT

// COUNT: Category:lower-contractions | count=4

// CHECK-LABEL: func.func @matmul(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: memref<?x?xf64>, %[[B:[a-z0-9]+]]: memref<?x?xf64>, %[[C:[a-z0-9]+]]: memref<?x?xf64>
// CHECK:         %[[M:.*]] = memref.dim %[[A]], %c0
// CHECK:         %[[N:.*]] = memref.dim %[[B]], %c1
// CHECK:         %[[K:.*]] = memref.dim %[[A]], %c1
// CHECK:         %{{.*}}, %{{.*}}, %{{.*}}:2, %[[AT:.*]]:2 = memref.extract_strided_metadata %[[A]]
// CHECK:         %[[P:.*]] = memref.extract_aligned_pointer_as_index %[[A]]
// CHECK:         %{{.*}}, %{{.*}}, %{{.*}}:2, %[[BT:.*]]:2 = memref.extract_strided_metadata %[[B]]
// CHECK:         %{{.*}}, %{{.*}}, %{{.*}}:2, %[[CT:.*]]:2 = memref.extract_strided_metadata %[[C]]
// CHECK-NOT:     linalg
// CHECK:         call @ad_gemm_f64(%[[M]], %[[N]], %[[K]], %{{.*}}, %[[AT]]#0, %[[AT]]#1, %{{.*}}, %[[BT]]#0, %[[BT]]#1, %{{.*}}, %[[CT]]#0, %[[CT]]#1)
func.func @matmul(%A: memref<?x?xf64>, %B: memref<?x?xf64>, %C: memref<?x?xf64>) {
  linalg.matmul ins(%A, %B : memref<?x?xf64>, memref<?x?xf64>) outs(%C : memref<?x?xf64>)
  return
}

// A transposed factor swaps its strides.
// CHECK-LABEL: func.func @transposed(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: memref
// CHECK:         %[[M:.*]] = memref.dim %[[A]], %c1
// CHECK:         %[[K:.*]] = memref.dim %[[A]], %c0
// CHECK:         %{{.*}}, %{{.*}}, %{{.*}}:2, %[[AT:.*]]:2 = memref.extract_strided_metadata %[[A]]
// CHECK:         call @ad_gemm_f32(%[[M]], %{{.*}}, %[[K]], %{{.*}}, %[[AT]]#1, %[[AT]]#0,
func.func @transposed(%A: memref<?x?xf32, strided<[?, ?], offset: ?>>, %B: memref<?x?xf32>, %C: memref<?x?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%A, %B : memref<?x?xf32, strided<[?, ?], offset: ?>>, memref<?x?xf32>) outs(%C : memref<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %ab = arith.mulf %b, %a : f32
    %sum = arith.addf %c, %ab : f32
    linalg.yield %sum : f32
  }
  return
}

// Other loops run around the product: a batch, and a second sum.
// CHECK-LABEL: func.func @batches(
// CHECK:         scf.for
// CHECK-NOT:     scf.for
// CHECK:         call @ad_gemm_f64(
// CHECK:         scf.for
// CHECK:         call @ad_gemm_f64(
func.func @batches(%A: memref<?x?x?xf64>, %B: memref<?x?x?xf64>, %C: memref<?x?x?xf64>, %D: memref<?x?xf64>) {
  linalg.batch_matmul ins(%A, %B : memref<?x?x?xf64>, memref<?x?x?xf64>) outs(%C : memref<?x?x?xf64>)
  linalg.generic {indexing_maps = [affine_map<(i, j, k, l) -> (l, i, k)>, affine_map<(i, j, k, l) -> (k, l, j)>, affine_map<(i, j, k, l) -> (i, j)>],
                  iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%A, %B : memref<?x?x?xf64>, memref<?x?x?xf64>) outs(%D : memref<?x?xf64>) {
  ^bb0(%a: f64, %b: f64, %c: f64):
    %ab = arith.mulf %a, %b : f64
    %sum = arith.addf %ab, %c : f64
    linalg.yield %sum : f64
  }
  return
}

// What is small, has no rows or columns, computes indices, or is of another kind stays.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-5: linalg.
// CHECK-NOT:     call
// CHECK:         return
func.func @others(%A: memref<8x8xf64>, %C: memref<8x8xf64>, %M: memref<?x?xf64>, %x: memref<?xf64>, %y: memref<?xf64>, %I: memref<?x?xi64>, %J: memref<?x?xi64>) {
  linalg.matmul ins(%A, %A : memref<8x8xf64>, memref<8x8xf64>) outs(%C : memref<8x8xf64>)
  linalg.matvec ins(%M, %x : memref<?x?xf64>, memref<?xf64>) outs(%y : memref<?xf64>)
  linalg.conv_1d ins(%x, %x : memref<?xf64>, memref<?xf64>) outs(%y : memref<?xf64>)
  linalg.matmul ins(%I, %I : memref<?x?xi64>, memref<?x?xi64>) outs(%J : memref<?x?xi64>)
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%M, %M : memref<?x?xf64>, memref<?x?xf64>) outs(%M : memref<?x?xf64>) {
  ^bb0(%a: f64, %b: f64, %c: f64):
    %ab = arith.mulf %a, %b : f64
    %most = arith.maximumf %ab, %c : f64
    linalg.yield %most : f64
  }
  return
}
