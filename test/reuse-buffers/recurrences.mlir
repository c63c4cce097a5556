// What is kept for a later recurrence lies where its result will be.
// RUN: ad-opt %s --ad-reuse-buffers --split-input-file | FileCheck %s

// From the last row to the first: row i is read before it is written, or in the step before.
// CHECK-LABEL: func.func @backwards(
// CHECK: %[[R:.*]] = memref.alloc(%{{.*}}) : memref<?xf64>
// CHECK-NOT: memref.alloc
// CHECK: memref.store %{{.*}}, %[[R]][%{{.*}}]
// CHECK: %[[LAST:.*]] = arith.subi
// CHECK: scf.for
// CHECK: %[[I:.*]] = arith.subi %[[LAST]]
// CHECK: %[[BEFORE:.*]] = arith.select
// CHECK: memref.load %[[R]][%[[BEFORE]]]
// CHECK: memref.store %{{.*}}, %[[R]][%[[I]]]
// CHECK: return %[[R]]
func.func @backwards(%x: memref<?xf64>, %n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %kept = memref.alloc(%n) : memref<?xf64>
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%p = %one) -> (f64) {
    %v = memref.load %x[%i] : memref<?xf64>
    %q = arith.mulf %p, %v : f64
    memref.store %q, %kept[%i] : memref<?xf64>
    scf.yield %q : f64
  }
  %last = arith.subi %n, %c1 : index
  %r = memref.alloc(%n) : memref<?xf64>
  %z = scf.for %k = %c0 to %n step %c1 iter_args(%bar = %y) -> (f64) {
    %i = arith.subi %last, %k : index
    %is_first = arith.cmpi eq, %i, %c0 : index
    %i_less = arith.subi %i, %c1 : index
    %before = arith.select %is_first, %i, %i_less : index
    %v = memref.load %x[%i] : memref<?xf64>
    %q = memref.load %kept[%before] : memref<?xf64>
    %slope = arith.mulf %q, %bar : f64
    memref.store %slope, %r[%i] : memref<?xf64>
    %next = arith.mulf %v, %bar : f64
    scf.yield %next : f64
  }
  return %r : memref<?xf64>
}

// -----

// Rows of four numbers, and matrices of as many: number 2 of a row is at (1, 0).
// CHECK-LABEL: func.func @matrices(
// CHECK: %[[R:.*]] = memref.alloc(%{{.*}}) : memref<?x2x2xf64>
// CHECK-NOT: memref.alloc
// CHECK: memref.store %{{.*}}, %[[R]][%{{.*}}, %c1{{.*}}, %c0{{.*}}] : memref<?x2x2xf64>
// CHECK: scf.for
// CHECK: memref.load %[[R]][%{{.*}}, %c1{{.*}}, %c0{{.*}}] : memref<?x2x2xf64>
// CHECK: memref.subview %[[R]]
func.func @matrices(%x: memref<?xf64>, %n: index) -> memref<?x2x2xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %kept = memref.alloc(%n) : memref<?x4xf64>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xf64>
    memref.store %v, %kept[%i, %c2] : memref<?x4xf64>
  }
  %r = memref.alloc(%n) : memref<?x2x2xf64>
  %z = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (f64) {
    %v = memref.load %kept[%i, %c2] : memref<?x4xf64>
    %next = arith.addf %sum, %v : f64
    %row = memref.subview %r[%i, 0, 0] [1, 2, 2] [1, 1, 1] : memref<?x2x2xf64> to memref<2x2xf64, strided<[2, 1], offset: ?>>
    memref.store %next, %row[%c0, %c1] : memref<2x2xf64, strided<[2, 1], offset: ?>>
    scf.yield %next : f64
  }
  return %r : memref<?x2x2xf64>
}

// -----

// Upwards, the row before was written in the step before.
// CHECK-LABEL: func.func @overwritten(
// CHECK-COUNT-2: memref.alloc
func.func @overwritten(%x: memref<?xf64>, %n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %kept = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xf64>
    memref.store %v, %kept[%i] : memref<?xf64>
  }
  %r = memref.alloc(%n) : memref<?xf64>
  %z = scf.for %i = %c1 to %n step %c1 iter_args(%sum = %zero) -> (f64) {
    %before = arith.subi %i, %c1 : index
    %v = memref.load %kept[%before] : memref<?xf64>
    %next = arith.addf %sum, %v : f64
    memref.store %next, %r[%i] : memref<?xf64>
    scf.yield %next : f64
  }
  return %r : memref<?xf64>
}

// -----

// Written before it is read, in the same step.
// CHECK-LABEL: func.func @too_early(
// CHECK-COUNT-2: memref.alloc
func.func @too_early(%x: memref<?xf64>, %n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %kept = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xf64>
    memref.store %v, %kept[%i] : memref<?xf64>
  }
  %r = memref.alloc(%n) : memref<?xf64>
  %z = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (f64) {
    memref.store %sum, %r[%i] : memref<?xf64>
    %v = memref.load %kept[%i] : memref<?xf64>
    %next = arith.addf %sum, %v : f64
    scf.yield %next : f64
  }
  return %r : memref<?xf64>
}

// -----

// Read later, too; of another size; a loop that is no recurrence, whose iterations may run in any order.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-6: memref.alloc
func.func @others(%x: memref<?xf64>, %n: index, %m: index) -> (memref<?xf64>, memref<?xf64>, memref<?xf64>, memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %later = memref.alloc(%n) : memref<?xf64>
  %longer = memref.alloc(%m) : memref<?xf64>
  %kept = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xf64>
    memref.store %v, %later[%i] : memref<?xf64>
    memref.store %v, %longer[%i] : memref<?xf64>
    memref.store %v, %kept[%i] : memref<?xf64>
  }
  %r = memref.alloc(%n) : memref<?xf64>
  %s = memref.alloc(%n) : memref<?xf64>
  %t = memref.alloc(%n) : memref<?xf64>
  %a = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (f64) {
    %v = memref.load %later[%i] : memref<?xf64>
    %next = arith.addf %sum, %v : f64
    memref.store %next, %r[%i] : memref<?xf64>
    scf.yield %next : f64
  }
  %b = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (f64) {
    %v = memref.load %longer[%i] : memref<?xf64>
    %next = arith.addf %sum, %v : f64
    memref.store %next, %s[%i] : memref<?xf64>
    scf.yield %next : f64
  }
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %kept[%i] : memref<?xf64>
    memref.store %v, %t[%i] : memref<?xf64>
  }
  return %later, %r, %s, %t : memref<?xf64>, memref<?xf64>, memref<?xf64>, memref<?xf64>
}
