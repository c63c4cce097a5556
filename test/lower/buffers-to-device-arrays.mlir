// Entries that take and give arrays of the device.
// RUN: ad-opt %s --pass-pipeline='builtin.module(lower-buffers-to-device{arrays=device})' | FileCheck %s
// RUN: not ad-opt %s --pass-pipeline='builtin.module(lower-buffers-to-device{arrays=moon})' 2>&1 | FileCheck %s --check-prefix=MOON

// MOON: error: 'builtin.module' op has no arrays on the 'moon'; there are host and device

module {
  // What is given is used as it is, and so is the result.
  // CHECK-LABEL: func.func @one(
  // CHECK-SAME: %[[X:.*]]: memref<?xf64>, %[[N:.*]]: index) -> memref<?xf64>
  // CHECK-NEXT: %[[R:.*]] = call @one.on_device(%[[X]], %[[N]])
  // CHECK-NEXT: return %[[R]]
  // CHECK: func.func private @one.on_device(
  // CHECK: gpu.alloc
  func.func @one(%x: memref<?xf64>, %n: index) -> memref<?xf64> {
    %y = memref.alloc(%n) : memref<?xf64>
    return %y : memref<?xf64>
  }

  // Two results that are different arrays in any case.
  // CHECK-LABEL: func.func @two(
  // CHECK-NEXT: %[[R:.*]]:2 = call @two.on_device(
  // CHECK-NEXT: return %[[R]]#0, %[[R]]#1
  func.func @two(%n: index) -> (memref<?xf64>, memref<?xf64>) {
    %x = memref.alloc(%n) : memref<?xf64>
    %y = memref.alloc(%n) : memref<?xf64>
    return %x, %y : memref<?xf64>, memref<?xf64>
  }

  // Two results that may be one array: the second is copied if so, since both are freed.
  // CHECK-LABEL: func.func @same(
  // CHECK: %[[R:.*]]:2 = call @same.on_device(
  // CHECK: %[[FIRST:.*]] = memref.extract_aligned_pointer_as_index %[[R]]#0
  // CHECK: %[[SECOND:.*]] = memref.extract_aligned_pointer_as_index %[[R]]#1
  // CHECK: %[[DIFFER:.*]] = arith.cmpi ne, %[[FIRST]], %[[SECOND]]
  // CHECK: %[[OWN:.*]] = scf.if %[[DIFFER]] -> (memref<?xf64>) {
  // CHECK-NEXT: scf.yield %[[R]]#1
  // CHECK-NEXT: } else {
  // CHECK: %[[COPY:.*]] = gpu.alloc
  // CHECK-NEXT: gpu.memcpy %[[COPY]], %[[R]]#1
  // CHECK-NEXT: scf.yield %[[COPY]]
  // CHECK: return %[[R]]#0, %[[OWN]]
  func.func @same(%n: index) -> (memref<?xf64>, memref<?xf64>) {
    %x = memref.alloc(%n) : memref<?xf64>
    return %x, %x : memref<?xf64>, memref<?xf64>
  }
}
