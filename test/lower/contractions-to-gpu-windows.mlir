// Arrays that are read at sums of loops are read as ones that have a dimension for each loop, so that a convolution is made
// in tiles as a product of matrices is (F49). A table says where the summands of a sum over several loops are.
// RUN: ad-opt %s --lower-contractions-to-gpu | FileCheck %s

// CHECK-LABEL: func.func @convolution(
// CHECK-SAME: %[[X:.*]]: memref<?x?x?xf32>, %[[W:.*]]: memref<?x?x?xf32>, %[[Y:.*]]: memref<?x?x?xf32>)
// CHECK: %[[BASE:.*]], %{{.*}}, %{{.*}}:3, %[[STRIDES:.*]]:3 = memref.extract_strided_metadata %[[X]]
// CHECK: %[[TWO:.*]] = arith.muli %[[STRIDES]]#1, %c2
// CHECK: %[[THREE:.*]] = arith.muli %[[STRIDES]]#1, %c3
// CHECK: %[[VIEW:.*]] = memref.reinterpret_cast %[[BASE]] to offset: [%{{.*}}], sizes: [%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}], strides: [%{{.*}}, %[[TWO]], %[[THREE]], 1]
// CHECK: scf.if
// CHECK:   %[[OF_X:.*]] = memref.alloc(%[[SUM:.*]]) : memref<?xindex>
// CHECK:   %[[OF_W:.*]] = memref.alloc(%[[SUM]]) : memref<?xindex>
// CHECK:   gpu.launch
// CHECK:     memref.store %{{.*}}, %[[OF_X]][
// CHECK:     memref.store %{{.*}}, %[[OF_W]][
// CHECK:   gpu.launch
// CHECK:     memref.load %[[OF_X]][
// CHECK:   memref.dealloc %[[OF_X]]
// CHECK:   memref.dealloc %[[OF_W]]
// CHECK: else
// CHECK:   linalg.conv_1d_nwc_wcf
func.func @convolution(%x: memref<?x?x?xf32>, %w: memref<?x?x?xf32>, %y: memref<?x?x?xf32>) {
  linalg.conv_1d_nwc_wcf {dilations = dense<3> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>}
    ins(%x, %w : memref<?x?x?xf32>, memref<?x?x?xf32>) outs(%y : memref<?x?x?xf32>)
  return
}
