// Loops over rows, and what can be such loops, become one.
// RUN: ad-opt %s --ad-fuse-loops --canonicalize --cse --split-input-file | FileCheck %s

// A sum of cotangents: made, added to a row, and saved. Nothing is stored in between.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME: %[[A:.*]]: memref<?xf64>
func.func @chain(%a: memref<?xf64>, %rows: index, %i: index) -> (memref<?x?xf64>, memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf64>
  %sums = memref.alloc(%rows, %n) : memref<?x?xf64>
  %tape = memref.alloc(%rows, %n) : memref<?x?xf64>
  // CHECK-COUNT-2: memref.alloc
  // CHECK-NOT: memref.alloc
  // CHECK: scf.for %[[J:.*]] = %c0 to
  // CHECK: %[[X:.*]] = memref.load %[[A]][%[[J]]]
  // CHECK: %[[Y:.*]] = math.exp %[[X]]
  // CHECK: %[[OLD:.*]] = memref.load %[[ROW:.*]][%[[J]]]
  // CHECK: %[[NEW:.*]] = arith.addf %[[OLD]], %[[Y]]
  // CHECK: memref.store %[[NEW]], %[[ROW]][%[[J]]]
  // CHECK: memref.store %[[Y]], %{{.*}}[%[[J]]]
  // CHECK: }
  // CHECK-NOT: scf.for
  // CHECK-NOT: memref.copy
  %t = memref.alloc(%n) : memref<?xf64>
  scf.for %j = %c0 to %n step %c1 {
    %x = memref.load %a[%j] : memref<?xf64>
    %y = math.exp %x : f64
    memref.store %y, %t[%j] : memref<?xf64>
  }
  %row = memref.subview %sums[%i, 0] [1, %n] [1, 1] : memref<?x?xf64> to memref<?xf64, strided<[1], offset: ?>>
  linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>, affine_map<(d) -> (d)>],
                  iterator_types = ["parallel"]}
      ins(%row, %t : memref<?xf64, strided<[1], offset: ?>>, memref<?xf64>)
      outs(%row : memref<?xf64, strided<[1], offset: ?>>) {
  ^bb0(%old: f64, %more: f64, %out: f64):
    %sum = arith.addf %old, %more : f64
    linalg.yield %sum : f64
  }
  %saved = memref.subview %tape[%i, 0] [1, %n] [1, 1] : memref<?x?xf64> to memref<?xf64, strided<[1], offset: ?>>
  memref.copy %t, %saved : memref<?xf64> to memref<?xf64, strided<[1], offset: ?>>
  return %sums, %tape : memref<?x?xf64>, memref<?x?xf64>
}

// -----

// Blocks of a row, whose offsets are multiples of its length, are apart; so are rows with different numbers.
// CHECK-LABEL: func.func @blocks(
func.func @blocks(%a: memref<?xf64>, %i: index) -> memref<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %n = memref.dim %a, %c0 : memref<?xf64>
  %width = arith.muli %n, %c3 : index
  %m = memref.alloc(%n, %width) : memref<?x?xf64>
  %two = arith.muli %n, %c2 : index
  %k = arith.addi %i, %c1 : index
  %x = memref.subview %m[%i, %n] [1, %n] [1, 1] : memref<?x?xf64> to memref<?xf64, strided<[1], offset: ?>>
  %y = memref.subview %m[%i, %two] [1, %n] [1, 1] : memref<?x?xf64> to memref<?xf64, strided<[1], offset: ?>>
  %z = memref.subview %m[%k, 0] [1, %n] [1, 1] : memref<?x?xf64> to memref<?xf64, strided<[1], offset: ?>>
  // CHECK: scf.for
  // CHECK-COUNT-3: memref.store
  // CHECK-NOT: scf.for
  // CHECK-NOT: memref.copy
  memref.copy %a, %x : memref<?xf64> to memref<?xf64, strided<[1], offset: ?>>
  memref.copy %a, %y : memref<?xf64> to memref<?xf64, strided<[1], offset: ?>>
  memref.copy %a, %z : memref<?xf64> to memref<?xf64, strided<[1], offset: ?>>
  return %m : memref<?x?xf64>
}

// -----

// What a loop carries keeps its length.
// CHECK-LABEL: func.func @carried(
func.func @carried(%a: memref<?xf64>, %tape: index) -> (memref<?x?xf64>, memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf64>
  %all = memref.alloc(%tape, %n) : memref<?x?xf64>
  // CHECK: scf.for
  // CHECK: scf.for
  // CHECK-COUNT-2: memref.store
  // CHECK-NOT: memref.copy
  %last = scf.for %i = %c0 to %tape step %c1 iter_args(%x = %a) -> (memref<?xf64>) {
    %row = memref.subview %all[%i, 0] [1, %n] [1, 1] : memref<?x?xf64> to memref<?xf64, strided<[1], offset: ?>>
    memref.copy %x, %row : memref<?xf64> to memref<?xf64, strided<[1], offset: ?>>
    %size = memref.dim %x, %c0 : memref<?xf64>
    %next = memref.alloc(%size) : memref<?xf64>
    scf.for %j = %c0 to %n step %c1 {
      %old = memref.load %x[%j] : memref<?xf64>
      %new = math.sin %old : f64
      memref.store %new, %next[%j] : memref<?xf64>
    }
    scf.yield %next : memref<?xf64>
  }
  return %all, %last : memref<?x?xf64>, memref<?xf64>
}

// -----

// The last of several stores is kept, and a copy that nobody reads is gone with what was copied from.
// CHECK-LABEL: func.func @overwritten(
func.func @overwritten(%a: memref<8xf32>) -> memref<8xf32> {
  %zero = arith.constant 0.0 : f32
  %x = memref.alloc() : memref<8xf32>
  %unread = memref.alloc() : memref<8xf32>
  %copied = memref.alloc() : memref<8xf32>
  // CHECK: memref.alloc
  // CHECK-NOT: memref.alloc
  // CHECK: scf.for
  // CHECK-COUNT-1: memref.store
  // CHECK-NOT: memref.store
  // CHECK: return
  linalg.fill ins(%zero : f32) outs(%x : memref<8xf32>)
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%copied : memref<8xf32>)
  memref.copy %copied, %unread : memref<8xf32> to memref<8xf32>
  return %x : memref<8xf32>
}

// -----

// A row that each iteration replaces, element by element, is one buffer.
// CHECK-LABEL: func.func @replaced(
func.func @replaced(%a: memref<?xf64>, %times: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf64>
  // CHECK: %[[X:.*]] = memref.alloc
  // CHECK-NOT: memref.alloc
  // CHECK: scf.for %{{.*}} = %c0 to %{{.*}} step %c1 {
  // CHECK:   scf.for
  // CHECK:     memref.load %[[X]]
  // CHECK:     memref.store %{{.*}}, %[[X]]
  // CHECK: return %[[X]]
  %x = memref.alloc(%n) : memref<?xf64>
  memref.copy %a, %x : memref<?xf64> to memref<?xf64>
  %last = scf.for %i = %c0 to %times step %c1 iter_args(%old = %x) -> (memref<?xf64>) {
    %size = memref.dim %old, %c0 : memref<?xf64>
    %new = memref.alloc(%size) : memref<?xf64>
    scf.for %j = %c0 to %size step %c1 {
      %v = memref.load %old[%j] : memref<?xf64>
      %w = math.sin %v : f64
      memref.store %w, %new[%j] : memref<?xf64>
    }
    scf.yield %new : memref<?xf64>
  }
  return %last : memref<?xf64>
}
