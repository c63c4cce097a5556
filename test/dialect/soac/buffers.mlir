// Bufferisation of soac.row_major: nothing where the buffer has that layout, a copy where it has another.
// RUN: ad-opt %s | ad-opt | FileCheck %s --check-prefix=SYNTAX
// RUN: ad-opt %s --one-shot-bufferize="bufferize-function-boundaries=1 function-boundary-type-conversion=identity-layout-map" --canonicalize | FileCheck %s

// SYNTAX-LABEL: func.func @same
// SYNTAX: soac.row_major %{{.*}} : tensor<?xf64>

// CHECK-LABEL: func.func @same(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?xf64>
// CHECK-NOT: memref.copy
// CHECK-NOT: memref.cast
// CHECK: memref.store %{{.*}}, %[[X]]
// CHECK: return %[[X]]
func.func @same(%x: tensor<?xf64> {bufferization.writable = true}, %v: f64, %i: index) -> tensor<?xf64> {
  %y = soac.row_major %x : tensor<?xf64>
  %z = tensor.insert %v into %y[%i] : tensor<?xf64>
  return %z : tensor<?xf64>
}

// What is read afterwards is not overwritten.
// CHECK-LABEL: func.func @read_later(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?xf64>
// CHECK: %[[NEW:.*]] = memref.alloc
// CHECK: memref.copy %[[X]], %[[NEW]]
// CHECK: memref.store %{{.*}}, %[[NEW]]
// CHECK: %[[V:.*]] = memref.load %[[X]]
// CHECK: return %[[NEW]], %[[V]]
func.func @read_later(%x: tensor<?xf64> {bufferization.writable = true}, %v: f64, %i: index) -> (tensor<?xf64>, f64) {
  %y = soac.row_major %x : tensor<?xf64>
  %z = tensor.insert %v into %y[%i] : tensor<?xf64>
  %w = tensor.extract %x[%i] : tensor<?xf64>
  return %z, %w : tensor<?xf64>, f64
}

// CHECK-LABEL: func.func @column(
// CHECK: %[[VIEW:.*]] = memref.subview {{.*}} to memref<4xf64, strided<[?], offset: ?>>
// CHECK: %[[NEW:.*]] = memref.alloc() {{.*}} : memref<4xf64>
// CHECK: memref.copy %[[VIEW]], %[[NEW]]
// CHECK: memref.load %[[NEW]]
func.func @column(%x: tensor<4x?xf64>, %i: index) -> f64 {
  %column = tensor.extract_slice %x[0, %i] [4, 1] [1, 1] : tensor<4x?xf64> to tensor<4xf64>
  %y = soac.row_major %column : tensor<4xf64>
  %v = tensor.extract %y[%i] : tensor<4xf64>
  return %v : f64
}
