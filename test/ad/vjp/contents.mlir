// A structured operation on buffers is differentiated as one on arrays: what it read is kept as it was, and the adjoints are
// structured operations on the shadows [Z21, Z23].
// RUN: ad-opt %s --ad-optimize | FileCheck %s

// The factors are copied, because %c may be either of them for all that is known; products are added to their shadows.
// CHECK-LABEL: func.func @product_gradient(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: memref<?x?xf32>, %[[B:[a-z0-9]+]]: memref<?x?xf32>, %[[C:[a-z0-9]+]]: memref<?x?xf32>, %[[DA:[a-z0-9]+]]: memref<?x?xf32>, %[[DB:[a-z0-9]+]]: memref<?x?xf32>, %[[DC:[a-z0-9]+]]: memref<?x?xf32>
// CHECK:         %[[READ_A:.*]] = bufferization.to_tensor %[[A]] restrict
// CHECK:         %[[KEPT_A:.*]] = bufferization.alloc_tensor() copy(%[[READ_A]])
// CHECK:         %[[READ_B:.*]] = bufferization.to_tensor %[[B]] restrict
// CHECK:         %[[KEPT_B:.*]] = bufferization.alloc_tensor() copy(%[[READ_B]])
// CHECK:         %[[PRODUCT:.*]] = linalg.matmul ins(%[[KEPT_A]], %[[KEPT_B]]
// CHECK:         bufferization.materialize_in_destination %[[PRODUCT]] in restrict writable %[[C]]
// CHECK:         %[[READ_DC:.*]] = bufferization.to_tensor %[[DC]] restrict
// CHECK:         %[[BAR:.*]] = bufferization.alloc_tensor() copy(%[[READ_DC]])
// CHECK:         linalg.fill ins(%{{.*}}) outs(%[[DC]] : memref<?x?xf32>)
// CHECK:         %[[DB_BEFORE:.*]] = bufferization.to_tensor %[[DB]] restrict
// CHECK:         %[[DB_AFTER:.*]] = linalg.generic {{.*}} ins(%[[KEPT_A]], %[[BAR]] : {{.*}}) outs(%[[DB_BEFORE]] :
// CHECK:         bufferization.materialize_in_destination %[[DB_AFTER]] in restrict writable %[[DB]]
// CHECK:         %[[DA_BEFORE:.*]] = bufferization.to_tensor %[[DA]] restrict
// CHECK:         %[[DA_AFTER:.*]] = linalg.generic {{.*}} ins(%[[KEPT_B]], %[[BAR]] : {{.*}}) outs(%[[DA_BEFORE]] :
// CHECK:         bufferization.materialize_in_destination %[[DA_AFTER]] in restrict writable %[[DA]]
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @product(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}
func.func @product_gradient(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>,
                            %da: memref<?x?xf32>, %db: memref<?x?xf32>, %dc: memref<?x?xf32>) {
  ad.vjp @product(%a, %b, %c) seed(%da, %db, %dc) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>), (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  return
}

// Memory that is given, and that nobody writes to, is read without a copy, and again for the return sweep.
// CHECK-LABEL: func.func @norm_gradient(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf64>, %[[DX:[a-z0-9]+]]: memref<?xf64>
// CHECK-NOT:     copy(
// CHECK:         %[[READ:.*]] = bufferization.to_tensor %[[X]] restrict
// CHECK-NOT:     copy(%[[READ]])
// CHECK:         bufferization.materialize_in_destination %{{.*}} in restrict writable %[[DX]]
// CHECK:         return
func.func @norm(%x: memref<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %sum = memref.alloca() : memref<f64>
  memref.store %zero, %sum[] : memref<f64>
  linalg.dot ins(%x, %x : memref<?xf64>, memref<?xf64>) outs(%sum : memref<f64>)
  %y = memref.load %sum[] : memref<f64>
  return %y : f64
}
func.func @norm_gradient(%x: memref<?xf64>, %dx: memref<?xf64>) -> f64 {
  %one = arith.constant 1.0 : f64
  %y = ad.vjp @norm(%x) seed(%one, %dx) : (memref<?xf64>), (f64, memref<?xf64>) -> (f64)
  return %y : f64
}
