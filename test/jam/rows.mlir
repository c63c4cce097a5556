// Two rows of a triangle at once: each vector that both need is read once.
// RUN: ad-opt %s --ad-unroll-and-jam --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @triangle(
// CHECK: %[[SUMS:.*]] = memref.alloc(
// CHECK: scf.for %[[I:.*]] = %c0 to %{{.*}} step %c2 {
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %c1
// CHECK: %[[BOTH:.*]] = arith.minsi
// CHECK: scf.for %[[J:.*]] = %c0 to %[[BOTH]] step %c1 {
// CHECK-COUNT-1: memref.load %{{.*}}[%[[J]]] : memref<?xvector<16xf64>>
// CHECK: memref.load %[[SUMS]][%[[I]], %[[J]]]
// CHECK: memref.load %[[SUMS]][%[[NEXT]], %[[J]]]
// CHECK: memref.store %{{.*}}, %[[SUMS]][%[[I]], %[[J]]]
// CHECK: memref.store %{{.*}}, %[[SUMS]][%[[NEXT]], %[[J]]]
// What each has left.
// CHECK: scf.for %[[J:.*]] = %[[BOTH]] to %{{.*}} step %c1 {
// CHECK: memref.store %{{.*}}, %[[SUMS]][%[[I]], %[[J]]]
// CHECK: scf.for %[[J:.*]] = %[[BOTH]] to %{{.*}} step %c1 {
// CHECK: memref.store %{{.*}}, %[[SUMS]][%[[NEXT]], %[[J]]]
// The last row, if their number is odd.
// CHECK: scf.for
func.func @triangle(%n: index, %vs: memref<?xvector<16xf64>>) -> memref<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sums = memref.alloc(%n, %n) : memref<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %vs[%i] : memref<?xvector<16xf64>>
    %end = arith.addi %i, %c1 : index
    scf.for %j = %c0 to %end step %c1 {
      %w = memref.load %vs[%j] : memref<?xvector<16xf64>>
      %p = arith.mulf %v, %w : vector<16xf64>
      %old = memref.load %sums[%i, %j] : memref<?x?xf64>
      %new = vector.reduction <add>, %p, %old fastmath<reassoc> : vector<16xf64> into f64
      memref.store %new, %sums[%i, %j] : memref<?x?xf64>
    }
  }
  return %sums : memref<?x?xf64>
}

// Iterations that write to one row, or read the one before, stay as they are.
// CHECK-LABEL: func.func @one_row(
// CHECK-NOT: step %c2
// CHECK-LABEL: func.func @row_before(
// CHECK-NOT: step %c2
func.func @one_row(%n: index, %vs: memref<?xvector<16xf64>>) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sums = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %vs[%i] : memref<?xvector<16xf64>>
    scf.for %j = %c0 to %n step %c1 {
      %w = memref.load %vs[%j] : memref<?xvector<16xf64>>
      %p = arith.mulf %v, %w : vector<16xf64>
      %old = memref.load %sums[%j] : memref<?xf64>
      %new = vector.reduction <add>, %p, %old fastmath<reassoc> : vector<16xf64> into f64
      memref.store %new, %sums[%j] : memref<?xf64>
    }
  }
  return %sums : memref<?xf64>
}
func.func @row_before(%n: index, %vs: memref<?xvector<16xf64>>) -> memref<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sums = memref.alloc(%n, %n) : memref<?x?xf64>
  scf.for %i = %c1 to %n step %c1 {
    %v = memref.load %vs[%i] : memref<?xvector<16xf64>>
    %before = arith.subi %i, %c1 : index
    scf.for %j = %c0 to %n step %c1 {
      %w = memref.load %vs[%j] : memref<?xvector<16xf64>>
      %p = arith.mulf %v, %w : vector<16xf64>
      %old = memref.load %sums[%before, %j] : memref<?x?xf64>
      %new = vector.reduction <add>, %p, %old fastmath<reassoc> : vector<16xf64> into f64
      memref.store %new, %sums[%i, %j] : memref<?x?xf64>
    }
  }
  return %sums : memref<?x?xf64>
}
