// A branch that differs between lanes and writes to memory runs once per lane, in the order of the iterations; if
// something else of the loop accesses that memory, the loop stays as it is.
// RUN: ad-opt %s --ad-vectorize --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @largest(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x?xf64>
// CHECK: %[[R:.*]] = memref.alloc
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK:   %[[FOUND:.*]]:2 = scf.for {{.*}} -> (vector<16xf64>, vector<16xindex>)
// CHECK:   %[[IS:.*]] = arith.cmpi ult, %[[FOUND]]#1, %{{.*}} : vector<16xindex>
// CHECK:   scf.for %[[LANE:[a-z0-9]+]] = %{{.*}} to %c16
// CHECK-DAG: %[[TAKEN:.*]] = vector.extract %[[IS]][%[[LANE]]] : i1
// CHECK-DAG: %[[K:.*]] = vector.extract %[[FOUND]]#1[%[[LANE]]] : index
// CHECK-DAG: %[[AT:.*]] = arith.addi %[[I]], %[[LANE]] : index
// CHECK:     scf.if %[[TAKEN]] {
// CHECK:       %[[OLD:.*]] = memref.load %[[R]][%[[K]], %[[AT]]]
// CHECK:       %[[NEW:.*]] = arith.addf %[[OLD]], %{{.*}} : f64
// CHECK:       memref.store %[[NEW]], %[[R]][%[[K]], %[[AT]]]
func.func @largest(%x: memref<?x?xf64>, %n: index, %m: index) -> memref<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant -1 : index
  %least = arith.constant 0xFFF0000000000000 : f64
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %r = memref.alloc(%m, %n) : memref<?x?xf64>
  linalg.fill ins(%zero : f64) outs(%r : memref<?x?xf64>)
  scf.for %i = %c0 to %n step %c1 {
    %found:2 = scf.for %j = %c0 to %m step %c1 iter_args(%y = %least, %k = %none) -> (f64, index) {
      %v = memref.load %x[%j, %i] : memref<?x?xf64>
      %is = arith.cmpf ogt, %v, %y : f64
      %new = arith.select %is, %j, %k : index
      %max = arith.maximumf %v, %y : f64
      scf.yield %max, %new : f64, index
    }
    %is = arith.cmpi ult, %found#1, %m : index
    scf.if %is {
      %old = memref.load %r[%found#1, %i] : memref<?x?xf64>
      %new = arith.addf %old, %one : f64
      memref.store %new, %r[%found#1, %i] : memref<?x?xf64>
    }
  }
  return %r : memref<?x?xf64>
}

// -----

// Lanes may write to the same places, as they take turns.
// CHECK-LABEL: func.func @same_bins(
// CHECK: scf.for {{.*}} -> (vector<{{[0-9]+}}xf64>)
// CHECK: scf.for %[[LANE:[a-z0-9]+]] =
// CHECK:   scf.if
func.func @same_bins(%x: memref<?x?xf64>, %at: memref<?xindex>, %n: index, %m: index, %bins: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = memref.alloc(%bins) : memref<?xf64>
  linalg.fill ins(%zero : f64) outs(%r : memref<?xf64>)
  scf.for %i = %c0 to %n step %c1 {
    %s = scf.for %j = %c0 to %m step %c1 iter_args(%y = %zero) -> f64 {
      %v = memref.load %x[%j, %i] : memref<?x?xf64>
      %p = arith.addf %v, %y : f64
      scf.yield %p : f64
    }
    %k = memref.load %at[%i] : memref<?xindex>
    %is = arith.cmpi ult, %k, %bins : index
    scf.if %is {
      %old = memref.load %r[%k] : memref<?xf64>
      %new = arith.mulf %old, %s : f64
      memref.store %new, %r[%k] : memref<?xf64>
    }
  }
  return %r : memref<?xf64>
}

// -----

// A later iteration reads what a branch of an earlier one may have written.
// CHECK-LABEL: func.func @read_again(
// CHECK-NOT: vector
// CHECK: return
func.func @read_again(%x: memref<?x?xf64>, %at: memref<?xindex>, %n: index, %m: index, %bins: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = memref.alloc(%bins) : memref<?xf64>
  linalg.fill ins(%zero : f64) outs(%r : memref<?xf64>)
  scf.for %i = %c0 to %n step %c1 {
    %first = memref.load %r[%c0] : memref<?xf64>
    %s = scf.for %j = %c0 to %m step %c1 iter_args(%y = %first) -> f64 {
      %v = memref.load %x[%j, %i] : memref<?x?xf64>
      %p = arith.addf %v, %y : f64
      scf.yield %p : f64
    }
    %k = memref.load %at[%i] : memref<?xindex>
    %is = arith.cmpi ult, %k, %bins : index
    scf.if %is {
      memref.store %s, %r[%k] : memref<?xf64>
    }
  }
  return %r : memref<?xf64>
}
