// Pieces of rows: as vectors along the rows, and transpositions.
// RUN: ad-opt %s --ad-vectorize --split-input-file | FileCheck %s

// Rows that are looked up are read, and rows of the iteration's own are written; a piece of four fits
// into six columns once, and a second one overlaps it.
// CHECK-LABEL: func.func @records(
// CHECK-SAME: %[[X:.*]]: memref<?x6xf64>, %[[AT:.*]]: memref<?xindex>
// CHECK: scf.for
// CHECK: vector.load %[[X]][%{{.*}}, %c0{{.*}}] : memref<?x6xf64>, vector<4xf64>
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 1, 4, 5] : vector<4xf64>, vector<4xf64>
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [2, 3, 6, 7]
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 4, 2, 6]
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [1, 5, 3, 7]
// CHECK: vector.load %[[X]][%{{.*}}, %c2{{.*}}] : memref<?x6xf64>, vector<4xf64>
// CHECK-NOT: memref.load %[[X]]
// CHECK: math.sin %{{.*}} : vector<4xf64>
// CHECK-COUNT-8: vector.store %{{.*}} : memref<?x6xf64>, vector<4xf64>
// CHECK: scf.for
func.func @records(%x: memref<?x6xf64>, %at: memref<?xindex>, %n: index) -> memref<?x6xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %r = memref.alloc(%n) : memref<?x6xf64>
  scf.for %i = %c0 to %n step %c1 {
    %j = memref.load %at[%i] : memref<?xindex>
    %x0 = memref.load %x[%j, %c0] : memref<?x6xf64>
    %x1 = memref.load %x[%j, %c1] : memref<?x6xf64>
    %x2 = memref.load %x[%j, %c2] : memref<?x6xf64>
    %x3 = memref.load %x[%j, %c3] : memref<?x6xf64>
    %x4 = memref.load %x[%j, %c4] : memref<?x6xf64>
    %x5 = memref.load %x[%j, %c5] : memref<?x6xf64>
    %y0 = arith.mulf %x0, %x5 : f64
    %y1 = arith.mulf %x1, %x4 : f64
    %y2 = arith.mulf %x2, %x3 : f64
    %y3 = math.sin %x0 : f64
    %y4 = math.sin %x1 : f64
    %y5 = math.sin %x2 : f64
    memref.store %y0, %r[%i, %c0] : memref<?x6xf64>
    memref.store %y1, %r[%i, %c1] : memref<?x6xf64>
    memref.store %y2, %r[%i, %c2] : memref<?x6xf64>
    memref.store %y3, %r[%i, %c3] : memref<?x6xf64>
    memref.store %y4, %r[%i, %c4] : memref<?x6xf64>
    memref.store %y5, %r[%i, %c5] : memref<?x6xf64>
  }
  return %r : memref<?x6xf64>
}

// -----

// One record is written after the other, whatever the order of its numbers: two pieces of its first row, two of its
// second. A number apart from the others, which is read first and written last, is no part of a piece.
// CHECK-LABEL: func.func @in_order(
// CHECK-SAME: %[[X:.*]]: memref<?x7xf64>
// CHECK: %[[R:.*]] = memref.alloc
// CHECK: scf.for %[[I:.*]] = %c0
// CHECK-COUNT-4: memref.load %[[X]][%{{.*}}, %c6{{.*}}]
// CHECK-COUNT-4: vector.load %[[X]][%{{.*}}, %c0{{.*}}]
// CHECK-NOT: vector.load
// CHECK: vector.store %{{.*}}, %[[R]][%[[I]], %c0{{.*}}, %c0{{.*}}]
// CHECK: vector.store %{{.*}}, %[[R]][%[[I]], %c0{{.*}}, %c1{{.*}}]
// CHECK: vector.store %{{.*}}, %[[R]][%[[I]], %c1{{.*}}, %c0{{.*}}]
// CHECK: vector.store %{{.*}}, %[[R]][%[[I]], %c1{{.*}}, %c1{{.*}}]
// CHECK: vector.store %{{.*}}, %[[R]][%{{.*}}, %c0{{.*}}, %c0{{.*}}]
// CHECK: vector.store %{{.*}}, %[[R]][%{{.*}}, %c0{{.*}}, %c1{{.*}}]
// CHECK: vector.store %{{.*}}, %[[R]][%{{.*}}, %c1{{.*}}, %c0{{.*}}]
// CHECK: vector.store %{{.*}}, %[[R]][%{{.*}}, %c1{{.*}}, %c1{{.*}}]
// CHECK-COUNT-8: vector.store %{{.*}}, %[[R]]
// CHECK-COUNT-4: memref.store %{{.*}}, %[[R]][%{{.*}}, %c1{{.*}}, %c6{{.*}}]
func.func @in_order(%x: memref<?x7xf64>, %n: index) -> memref<?x2x7xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %r = memref.alloc(%n) : memref<?x2x7xf64>
  scf.for %i = %c0 to %n step %c1 {
    %x6 = memref.load %x[%i, %c6] : memref<?x7xf64>
    %x0 = memref.load %x[%i, %c0] : memref<?x7xf64>
    %x1 = memref.load %x[%i, %c1] : memref<?x7xf64>
    %x2 = memref.load %x[%i, %c2] : memref<?x7xf64>
    %x3 = memref.load %x[%i, %c3] : memref<?x7xf64>
    %y0 = math.sin %x0 : f64
    %y1 = math.sin %x1 : f64
    %y2 = math.sin %x2 : f64
    %y3 = math.sin %x3 : f64
    memref.store %y3, %r[%i, %c1, %c0] : memref<?x2x7xf64>
    memref.store %y2, %r[%i, %c1, %c1] : memref<?x2x7xf64>
    memref.store %y1, %r[%i, %c1, %c2] : memref<?x2x7xf64>
    memref.store %y0, %r[%i, %c1, %c3] : memref<?x2x7xf64>
    memref.store %x1, %r[%i, %c1, %c4] : memref<?x2x7xf64>
    memref.store %y0, %r[%i, %c0, %c0] : memref<?x2x7xf64>
    memref.store %y1, %r[%i, %c0, %c1] : memref<?x2x7xf64>
    memref.store %y2, %r[%i, %c0, %c2] : memref<?x2x7xf64>
    memref.store %y3, %r[%i, %c0, %c3] : memref<?x2x7xf64>
    memref.store %x0, %r[%i, %c0, %c4] : memref<?x2x7xf64>
    memref.store %x6, %r[%i, %c1, %c6] : memref<?x2x7xf64>
  }
  return %r : memref<?x2x7xf64>
}

// -----

// Two numbers of three are no piece; what is written is not read in pieces.
// CHECK-LABEL: func.func @short(
// CHECK: math.sin %{{.*}} : vector<4xf64>
// CHECK-NOT: vector.shuffle
// CHECK: return
func.func @short(%x: memref<?x3xf64>, %n: index) -> memref<?x4xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %r = memref.alloc(%n) : memref<?x4xf64>
  scf.for %i = %c0 to %n step %c1 {
    %x0 = memref.load %x[%i, %c0] : memref<?x3xf64>
    %x1 = memref.load %x[%i, %c1] : memref<?x3xf64>
    %e0 = math.sin %x0 : f64
    %e1 = math.sin %x1 : f64
    memref.store %e0, %r[%i, %c0] : memref<?x4xf64>
    memref.store %e1, %r[%i, %c1] : memref<?x4xf64>
    memref.store %e0, %r[%i, %c2] : memref<?x4xf64>
    %old = memref.load %r[%i, %c0] : memref<?x4xf64>
    %new = math.sin %old : f64
    memref.store %new, %r[%i, %c3] : memref<?x4xf64>
  }
  return %r : memref<?x4xf64>
}

// -----

// Two stores to one element stay in their order.
// CHECK-LABEL: func.func @twice(
// CHECK: math.sin %{{.*}} : vector<4xf64>
// CHECK-NOT: vector.shuffle
// CHECK: return
func.func @twice(%x: memref<?x3xf64>, %n: index, %j: index, %k: index) -> memref<?x?x4xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %r = memref.alloc(%n, %n) : memref<?x?x4xf64>
  scf.for %i = %c0 to %n step %c1 {
    %x0 = memref.load %x[%i, %c0] : memref<?x3xf64>
    %e0 = math.sin %x0 : f64
    %e1 = math.sin %x0 : f64
    memref.store %e0, %r[%i, %j, %c0] : memref<?x?x4xf64>
    memref.store %e0, %r[%i, %j, %c1] : memref<?x?x4xf64>
    memref.store %e0, %r[%i, %j, %c2] : memref<?x?x4xf64>
    memref.store %e1, %r[%i, %k, %c0] : memref<?x?x4xf64>
    memref.store %e0, %r[%i, %j, %c3] : memref<?x?x4xf64>
  }
  return %r : memref<?x?x4xf64>
}
