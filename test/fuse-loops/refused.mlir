// Loops that stay apart.
// RUN: ad-opt %s --ad-fuse-loops --split-input-file | FileCheck %s

// The second one reads what a later iteration of the first one writes.
// CHECK-LABEL: func.func @shifted(
// CHECK-COUNT-2: scf.for
func.func @shifted(%n: index, %y: memref<?xf64>) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.addi %n, %c1 : index
  %x = memref.alloc(%m) : memref<?xf64>
  %z = memref.alloc(%n) : memref<?xf64>
  scf.for %j = %c0 to %n step %c1 {
    %k = arith.addi %j, %c1 : index
    %v = memref.load %y[%j] : memref<?xf64>
    memref.store %v, %x[%k] : memref<?xf64>
  }
  scf.for %j = %c0 to %n step %c1 {
    %u = memref.load %y[%j] : memref<?xf64>
    %v = memref.load %x[%j] : memref<?xf64>
    %w = arith.addf %u, %v : f64
    memref.store %w, %z[%j] : memref<?xf64>
  }
  return %z : memref<?xf64>
}

// -----

// One argument may be the other.
// CHECK-LABEL: func.func @arguments(
// CHECK-COUNT-2: scf.for
func.func @arguments(%x: memref<?xf64>, %y: memref<?xf64>, %n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = memref.alloc(%n) : memref<?xf64>
  scf.for %j = %c0 to %n step %c1 {
    %v = memref.load %x[%j] : memref<?xf64>
    memref.store %v, %z[%j] : memref<?xf64>
  }
  scf.for %j = %c0 to %n step %c1 {
    %v = memref.load %z[%j] : memref<?xf64>
    memref.store %v, %y[%j] : memref<?xf64>
  }
  return %z : memref<?xf64>
}

// -----

// Rows that overlap: the second begins within the first.
// CHECK-LABEL: func.func @overlapping(
// CHECK-COUNT-2: memref.copy
func.func @overlapping(%a: memref<?xf64>, %n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.dim %a, %c0 : memref<?xf64>
  %x = memref.alloc(%n) : memref<?xf64>
  %front = memref.subview %x[0] [%d] [1] : memref<?xf64> to memref<?xf64, strided<[1]>>
  %back = memref.subview %x[1] [%d] [1] : memref<?xf64> to memref<?xf64, strided<[1], offset: 1>>
  memref.copy %a, %front : memref<?xf64> to memref<?xf64, strided<[1]>>
  memref.copy %a, %back : memref<?xf64> to memref<?xf64, strided<[1], offset: 1>>
  return %x : memref<?xf64>
}

// -----

// Something between them reads what the second one writes.
// CHECK-LABEL: func.func @between(
// CHECK: memref.copy
// CHECK: memref.load
// CHECK: linalg.fill
func.func @between(%a: memref<?xf64>, %i: index) -> (f64, memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %a, %c0 : memref<?xf64>
  %x = memref.alloc(%n) : memref<?xf64>
  memref.copy %a, %x : memref<?xf64> to memref<?xf64>
  %v = memref.load %x[%i] : memref<?xf64>
  linalg.fill ins(%zero : f64) outs(%x : memref<?xf64>)
  return %v, %x : f64, memref<?xf64>
}

// -----

// Loops of which nobody knows that they are as long.
// CHECK-LABEL: func.func @lengths(
// CHECK-COUNT-2: scf.for
func.func @lengths(%x: memref<?xf64>, %n: index, %m: index) -> (memref<?xf64>, memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = memref.alloc(%n) : memref<?xf64>
  %z = memref.alloc(%m) : memref<?xf64>
  scf.for %j = %c0 to %n step %c1 {
    %v = memref.load %x[%j] : memref<?xf64>
    memref.store %v, %y[%j] : memref<?xf64>
  }
  scf.for %j = %c0 to %m step %c1 {
    %v = memref.load %x[%j] : memref<?xf64>
    memref.store %v, %z[%j] : memref<?xf64>
  }
  return %y, %z : memref<?xf64>, memref<?xf64>
}

// -----

// What a loop starts from is needed later, or an element is read after its neighbour has been replaced.
// CHECK-LABEL: func.func @needed(
// CHECK-COUNT-2: memref.alloc
func.func @needed(%n: index, %i: index) -> (f64, memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %x = memref.alloc(%n) : memref<?xf64>
  linalg.fill ins(%zero : f64) outs(%x : memref<?xf64>)
  %last = scf.for %t = %c0 to %n step %c1 iter_args(%old = %x) -> (memref<?xf64>) {
    %new = memref.alloc(%n) : memref<?xf64>
    scf.for %j = %c0 to %n step %c1 {
      %v = memref.load %old[%j] : memref<?xf64>
      %w = math.cos %v : f64
      memref.store %w, %new[%j] : memref<?xf64>
    }
    scf.yield %new : memref<?xf64>
  }
  %first = memref.load %x[%i] : memref<?xf64>
  return %first, %last : f64, memref<?xf64>
}

// CHECK-LABEL: func.func @reversed(
// CHECK-COUNT-2: memref.alloc
func.func @reversed(%n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %x = memref.alloc(%n) : memref<?xf64>
  linalg.fill ins(%zero : f64) outs(%x : memref<?xf64>)
  %last = scf.for %t = %c0 to %n step %c1 iter_args(%old = %x) -> (memref<?xf64>) {
    %new = memref.alloc(%n) : memref<?xf64>
    scf.for %j = %c0 to %n step %c1 {
      %before = arith.subi %n, %j : index
      %k = arith.subi %before, %c1 : index
      %v = memref.load %old[%k] : memref<?xf64>
      %w = math.cos %v : f64
      memref.store %w, %new[%j] : memref<?xf64>
    }
    scf.yield %new : memref<?xf64>
  }
  return %last : memref<?xf64>
}
