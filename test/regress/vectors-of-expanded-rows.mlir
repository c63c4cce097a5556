// A buffer that is expanded to two dimensions of dynamic size has rows of neighbours by its type still when vectors are read.
// RUN: ad-opt %s --pass-pipeline='builtin.module(lower-expand-shape,canonicalize)' | FileCheck %s
// CHECK: %[[VIEW:.*]] = memref.reinterpret_cast %{{.*}} strides: [%{{.*}}, 1] : memref<?xf64> to memref<?x?xf64, strided<[?, 1]>>
// CHECK: vector.load %[[VIEW]]
// Between what lies apart nothing is known.
// CHECK-LABEL: func.func @apart(
// CHECK: memref.reinterpret_cast {{.*}} to memref<?x?xf64, strided<[?, ?], offset: ?>>
func.func @load(%m: memref<?xf64>, %rows: index, %columns: index, %i: index) -> vector<8xf64> {
  %c0 = arith.constant 0 : index
  %e = memref.expand_shape %m [[0, 1]] output_shape [%rows, %columns] : memref<?xf64> into memref<?x?xf64>
  %v = vector.load %e[%i, %c0] : memref<?x?xf64>, vector<8xf64>
  return %v : vector<8xf64>
}
func.func @apart(%m: memref<?xf64, strided<[?], offset: ?>>, %rows: index, %columns: index, %i: index) -> f64 {
  %e = memref.expand_shape %m [[0, 1]] output_shape [%rows, %columns] : memref<?xf64, strided<[?], offset: ?>> into memref<?x?xf64, strided<[?, ?], offset: ?>>
  %v = memref.load %e[%i, %i] : memref<?x?xf64, strided<[?, ?], offset: ?>>
  return %v : f64
}
