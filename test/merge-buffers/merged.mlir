// Buffers that are allocated and freed together become parts of one; others stay.
// RUN: ad-opt %s --ad-merge-buffers --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @two(
// CHECK-SAME: %[[N:.*]]: index
func.func @two(%n: index, %v: f64, %w: f32) -> (f64, f32) {
  // CHECK: arith.constant 0 : index
  // CHECK-NEXT: %[[START:.*]] = arith.constant 0 : index
  // CHECK-NEXT: %[[EIGHT:.*]] = arith.constant 8 : index
  // CHECK-NEXT: %[[BYTES:.*]] = arith.muli %[[EIGHT]], %[[N]]
  // CHECK-NEXT: %[[LESS:.*]] = arith.constant 63 : index
  // CHECK-NEXT: %[[PADDED:.*]] = arith.addi %[[BYTES]], %[[LESS]]
  // CHECK-NEXT: %[[MASK:.*]] = arith.constant -64 : index
  // CHECK-NEXT: %[[WHOLE:.*]] = arith.andi %[[PADDED]], %[[MASK]]
  // CHECK-NEXT: %[[SECOND:.*]] = arith.addi %[[START]], %[[WHOLE]]
  // CHECK-NEXT: %[[SIXTEEN:.*]] = arith.constant 16 : index
  // CHECK-NEXT: arith.muli %[[SIXTEEN]], %[[N]]
  // CHECK: %[[REST:.*]] = arith.andi
  // CHECK-NEXT: %[[END:.*]] = arith.addi %[[SECOND]], %[[REST]]
  // CHECK-NEXT: %[[ALL:.*]] = memref.alloc(%[[END]]) {alignment = 64 : i64} : memref<?xi8>
  // CHECK-NEXT: memref.view %[[ALL]][%[[START]]][%[[N]]] : memref<?xi8> to memref<?xf64>
  // CHECK-NEXT: memref.view %[[ALL]][%[[SECOND]]][%[[N]]] : memref<?xi8> to memref<?x4xf32>
  // CHECK-NOT: memref.alloc
  // CHECK: memref.dealloc %[[ALL]]
  // CHECK-NOT: memref.dealloc
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) {alignment = 64 : i64} : memref<?xf64>
  %b = memref.alloc(%n) : memref<?x4xf32>
  memref.store %v, %a[%c0] : memref<?xf64>
  memref.store %w, %b[%c0, %c0] : memref<?x4xf32>
  %x = memref.load %a[%c0] : memref<?xf64>
  %y = memref.load %b[%c0, %c0] : memref<?x4xf32>
  memref.dealloc %a : memref<?xf64>
  memref.dealloc %b : memref<?x4xf32>
  return %x, %y : f64, f32
}

// -----

// One is used before the other is there; one is freed before the other is used.
// CHECK-LABEL: func.func @apart(
// CHECK-COUNT-2: memref.alloc(%{{.*}}) : memref<?xf64>
func.func @apart(%n: index, %v: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf64>
  memref.store %v, %a[%c0] : memref<?xf64>
  %b = memref.alloc(%n) : memref<?xf64>
  memref.store %v, %b[%c0] : memref<?xf64>
  %x = memref.load %b[%c0] : memref<?xf64>
  memref.dealloc %a : memref<?xf64>
  memref.dealloc %b : memref<?xf64>
  return %x : f64
}

// CHECK-LABEL: func.func @freed(
// CHECK-COUNT-2: memref.alloc(%{{.*}}) : memref<?xf64>
func.func @freed(%n: index, %v: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf64>
  %b = memref.alloc(%n) : memref<?xf64>
  memref.store %v, %a[%c0] : memref<?xf64>
  memref.dealloc %a : memref<?xf64>
  memref.store %v, %b[%c0] : memref<?xf64>
  %x = memref.load %b[%c0] : memref<?xf64>
  memref.dealloc %b : memref<?xf64>
  return %x : f64
}

// -----

// What is returned is not freed.
// CHECK-LABEL: func.func @returned(
// CHECK-COUNT-2: memref.alloc(%{{.*}}) : memref<?xf64>
func.func @returned(%n: index) -> memref<?xf64> {
  %a = memref.alloc(%n) : memref<?xf64>
  %b = memref.alloc(%n) : memref<?xf64>
  memref.dealloc %a : memref<?xf64>
  return %b : memref<?xf64>
}
