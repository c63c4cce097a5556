// An inner loop that walks through memory where the lanes are far apart runs once per lane.
// RUN: ad-opt %s --ad-vectorize --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @outer(
// CHECK-SAME: %{{[a-z0-9]+}}: memref<?x?xf64>, %[[Y:[a-z0-9]+]]: memref<?xf64>
// CHECK: %[[R:.*]] = memref.alloc
// CHECK: scf.for %[[NEXT:[a-z0-9]+]] =
// CHECK:   %[[I:.*]] = arith.minsi %[[NEXT]], %{{.*}} : index
// CHECK:   %[[SUM:.*]] = scf.for {{.*}} -> (vector<16xf64>)
// CHECK:   scf.for %[[LANE:[a-z0-9]+]] = %{{.*}} to %c16
// CHECK-DAG: %[[AT:.*]] = arith.addi %[[I]], %[[LANE]] : index
// CHECK-DAG: %[[X:.*]] = vector.extract %[[SUM]][%[[LANE]]] : f64 from vector<16xf64>
// CHECK:     %[[ROW:.*]] = memref.subview %[[R]][%[[AT]], 0]
// CHECK:     scf.for %[[J:[a-z0-9]+]] =
// CHECK:       %[[YJ:.*]] = memref.load %[[Y]][%[[J]]]
// CHECK:       %[[P:.*]] = arith.mulf %[[X]], %[[YJ]] : f64
// CHECK:       memref.store %[[P]], %[[ROW]][%[[J]]]
func.func @outer(%x: memref<?x?xf64>, %y: memref<?xf64>, %n: index, %m: index) -> memref<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = memref.alloc(%n, %m) : memref<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %sum = scf.for %j = %c0 to %m step %c1 iter_args(%s = %zero) -> f64 {
      %v = memref.load %x[%j, %i] : memref<?x?xf64>
      %new = arith.addf %s, %v : f64
      scf.yield %new : f64
    }
    %row = memref.subview %r[%i, 0] [1, %m] [1, 1] : memref<?x?xf64> to memref<?xf64, strided<[1], offset: ?>>
    scf.for %j = %c0 to %m step %c1 {
      %v = memref.load %y[%j] : memref<?xf64>
      %p = arith.mulf %sum, %v : f64
      memref.store %p, %row[%j] : memref<?xf64, strided<[1], offset: ?>>
    }
  }
  return %r : memref<?x?xf64>
}

// -----

// What the lanes write side by side is written together.
// CHECK-LABEL: func.func @together(
// CHECK: vector.store
// CHECK-NOT: vector.extract {{.*}} : f64
func.func @together(%x: memref<?x?xf64>, %y: memref<?xf64>, %n: index, %m: index) -> memref<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = memref.alloc(%m, %n) : memref<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %sum = scf.for %j = %c0 to %m step %c1 iter_args(%s = %zero) -> f64 {
      %v = memref.load %x[%j, %i] : memref<?x?xf64>
      %new = arith.addf %s, %v : f64
      scf.yield %new : f64
    }
    scf.for %j = %c0 to %m step %c1 {
      %v = memref.load %y[%j] : memref<?xf64>
      %p = arith.mulf %sum, %v : f64
      memref.store %p, %r[%j, %i] : memref<?x?xf64>
    }
  }
  return %r : memref<?x?xf64>
}
