// Structured operations are cut along the first index that all outputs have.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-parallelize{threads=4},canonicalize,cse)' | FileCheck %s

// CHECK-LABEL: func.func @matmul(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x64xf32>, %[[B:[a-z0-9]+]]: tensor<64x32xf32>, %[[C:[a-z0-9]+]]: tensor<?x32xf32>
// CHECK: scf.forall (%{{.*}}) in (%{{.*}}) shared_outs(%[[OUT:.*]] = %[[C]]) -> (tensor<?x32xf32>) {
// CHECK: %[[X:.*]] = tensor.extract_slice %[[A]][%[[START:.*]], 0] [%[[SIZE:.*]], 64] [1, 1]
// CHECK: %[[Y:.*]] = tensor.extract_slice %[[OUT]][%[[START]], 0] [%[[SIZE]], 32] [1, 1]
// CHECK: %[[Z:.*]] = linalg.matmul ins(%[[X]], %[[B]] : {{.*}}) outs(%[[Y]] : tensor<?x32xf32>)
// CHECK: tensor.parallel_insert_slice %[[Z]] into %[[OUT]][%[[START]], 0] [%[[SIZE]], 32] [1, 1]
func.func @matmul(%a: tensor<?x64xf32>, %b: tensor<64x32xf32>, %c: tensor<?x32xf32>) -> tensor<?x32xf32> {
  %d = linalg.matmul ins(%a, %b : tensor<?x64xf32>, tensor<64x32xf32>) outs(%c : tensor<?x32xf32>) -> tensor<?x32xf32>
  return %d : tensor<?x32xf32>
}

// The rows are summed: the columns are distributed.
// CHECK-LABEL: func.func @columns(
// CHECK: scf.forall
// CHECK: tensor.extract_slice %{{.*}}[0, %[[START:.*]]] [1000, 250] [1, 1]
// CHECK: tensor.extract_slice %{{.*}}[%[[START]]] [250] [1]
// CHECK: tensor.parallel_insert_slice %{{.*}} into %{{.*}}[%[[START]]] [250] [1]
func.func @columns(%a: tensor<1000x1000xf64>, %s: tensor<1000xf64>) -> tensor<1000xf64> {
  %r = linalg.reduce ins(%a : tensor<1000x1000xf64>) outs(%s : tensor<1000xf64>) dimensions = [0]
    (%x: f64, %y: f64) {
      %t = arith.addf %x, %y : f64
      linalg.yield %t : f64
    }
  return %r : tensor<1000xf64>
}

// An image is read at sums of indices: the batch is distributed. What knows the number of its row is left alone, and so
// is what has no index in its output.
// CHECK-LABEL: func.func @others(
// CHECK: scf.forall
// CHECK: linalg.conv_2d_nhwc_hwcf
// CHECK: scf.forall.in_parallel
// CHECK-NOT: scf.forall
// CHECK: return
#id = affine_map<(i) -> (i)>
func.func @others(%x: tensor<8x32x32x3xf32>, %f: tensor<3x3x3x4xf32>, %y: tensor<8x30x30x4xf32>,
    %v: tensor<100000xf64>, %s: tensor<f64>) -> (tensor<8x30x30x4xf32>, tensor<100000xf64>, tensor<f64>) {
  %a = linalg.conv_2d_nhwc_hwcf ins(%x, %f : tensor<8x32x32x3xf32>, tensor<3x3x3x4xf32>) outs(%y : tensor<8x30x30x4xf32>) -> tensor<8x30x30x4xf32>
  %b = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%v : tensor<100000xf64>) {
    ^bb0(%e: f64):
      %i = linalg.index 0 : index
      %k = arith.index_cast %i : index to i64
      %g = arith.sitofp %k : i64 to f64
      %h = arith.addf %e, %g : f64
      linalg.yield %h : f64
  } -> tensor<100000xf64>
  %c = linalg.dot ins(%v, %v : tensor<100000xf64>, tensor<100000xf64>) outs(%s : tensor<f64>) -> tensor<f64>
  return %a, %b, %c : tensor<8x30x30x4xf32>, tensor<100000xf64>, tensor<f64>
}
