// Branches: both sides and a choice where they differ between iterations, else as they are.
// RUN: ad-opt %s --ad-vectorize --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @differs(
// CHECK: %[[IS:.*]] = arith.cmpf ogt, %[[X:.*]], %{{.*}} : vector<4xf64>
// CHECK: %[[ROOT:.*]] = math.sqrt %[[X]] : vector<4xf64>
// CHECK: %[[LOG:.*]] = math.log %[[ROOT]] : vector<4xf64>
// CHECK: arith.select %[[IS]], %[[LOG]], %{{.*}} : vector<4xi1>, vector<4xf64>
// CHECK: cf.assert
func.func @differs(%x: memref<?x3xf64>, %n: index) -> memref<?x3xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = memref.alloc(%n) : memref<?x3xf64>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i, %c1] : memref<?x3xf64>
    %positive = arith.cmpf ogt, %v, %zero : f64
    %y = scf.if %positive -> f64 {
      %root = math.sqrt %v : f64
      %log = math.log %root : f64
      scf.yield %log : f64
    } else {
      scf.yield %zero : f64
    }
    cf.assert %positive, "not positive"
    memref.store %y, %r[%i, %c0] : memref<?x3xf64>
  }
  return %r : memref<?x3xf64>
}

// -----

// CHECK-LABEL: func.func @same(
// CHECK-SAME: %[[IS:[a-z0-9]+]]: i1
// CHECK: scf.if %[[IS]] -> (vector<4xf64>)
// CHECK:   math.exp {{.*}} : vector<4xf64>
// CHECK: } else {
// CHECK:   vector.broadcast
func.func @same(%is: i1, %x: memref<?x3xf64>, %n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i, %c1] : memref<?x3xf64>
    %y = scf.if %is -> f64 {
      %e = math.exp %v : f64
      scf.yield %e : f64
    } else {
      scf.yield %zero : f64
    }
    %z = math.sin %y : f64
    memref.store %z, %r[%i] : memref<?xf64>
  }
  return %r : memref<?xf64>
}

// -----

// A division that would trap is not made where it should not be.
// CHECK-LABEL: func.func @guarded_division(
// CHECK-NOT: vector
func.func @guarded_division(%x: memref<?x3xf64>, %k: memref<?x3xindex>, %n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i, %c1] : memref<?x3xf64>
    %m = memref.load %k[%i, %c1] : memref<?x3xindex>
    %some = arith.cmpi ne, %m, %c0 : index
    %q = scf.if %some -> index {
      %d = arith.divui %n, %m : index
      scf.yield %d : index
    } else {
      scf.yield %c0 : index
    }
    %i64 = arith.index_cast %q : index to i64
    %f = arith.sitofp %i64 : i64 to f64
    %e = math.exp %v : f64
    %s = math.sin %e : f64
    %y = arith.mulf %s, %f : f64
    memref.store %y, %r[%i] : memref<?xf64>
  }
  return %r : memref<?xf64>
}

// -----

// A buffer has a byte for each truth value, a vector a bit: they are read one by one.
// CHECK-LABEL: func.func @truth_values(
// CHECK-NOT: vector.load
// CHECK: memref.load %{{.*}}[%{{.*}}] : memref<?xi1>
// CHECK: vector.from_elements {{.*}} : vector<4xi1>
func.func @truth_values(%x: memref<?x3xf64>, %is: memref<?xi1>, %n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i, %c1] : memref<?x3xf64>
    %c = memref.load %is[%i] : memref<?xi1>
    %e = math.exp %v : f64
    %s = math.sin %e : f64
    %y = arith.select %c, %s, %zero : f64
    memref.store %y, %r[%i] : memref<?xf64>
  }
  return %r : memref<?xf64>
}
