// A branch on whether an index is in an array may read it there: other lanes read the first element, and the loop has no vectors if there is none.
// RUN: ad-opt %s --ad-vectorize --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @read(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?xf64>, %[[AT:[a-z0-9]+]]: memref<?xindex>, %[[N:[a-z0-9]+]]: index, %[[BINS:[a-z0-9]+]]: index
// CHECK: %[[Y:.*]] = memref.alloc(%[[BINS]])
// CHECK: %[[EMPTY:.*]] = arith.cmpi eq, %[[BINS]], %{{.*}} : index
// CHECK: %[[END:.*]] = arith.select %[[EMPTY]], %{{.*}}, %{{.*}} : index
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[END]]
// CHECK:   %[[IS:.*]] = arith.cmpi ult, %[[PLACES:[a-z0-9]+]], %{{.*}} : vector<4xindex>
// CHECK:   %[[INSIDE:.*]] = arith.select %[[IS]], %[[PLACES]], %{{.*}} : vector<4xi1>, vector<4xindex>
// CHECK:   %[[FIRST:.*]] = vector.extract %[[INSIDE]][0]
// CHECK:   memref.load %[[Y]][%[[FIRST]]]
// CHECK:   arith.divf %{{.*}} : vector<4xf64>
// CHECK:   arith.select %[[IS]], %{{.*}} : vector<4xi1>, vector<4xf64>
// CHECK: scf.for %{{.*}} = %[[END]] to %[[N]]
func.func @read(%x: memref<?xf64>, %at: memref<?xindex>, %n: index, %bins: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %y = memref.alloc(%bins) : memref<?xf64>
  linalg.fill ins(%zero : f64) outs(%y : memref<?xf64>)
  %r = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xf64>
    %place = memref.load %at[%i] : memref<?xindex>
    %is = arith.cmpi ult, %place, %bins : index
    %q = scf.if %is -> f64 {
      %w = memref.load %y[%place] : memref<?xf64>
      %d = arith.divf %w, %v : f64
      scf.yield %d : f64
    } else {
      scf.yield %zero : f64
    }
    memref.store %q, %r[%i] : memref<?xf64>
  }
  memref.dealloc %y : memref<?xf64>
  return %r : memref<?xf64>
}

// -----

// Nothing says that the array is as large as the index is tested for.
// CHECK-LABEL: func.func @unknown(
// CHECK-NOT: vector<
func.func @unknown(%x: memref<?xf64>, %y: memref<?xf64>, %at: memref<?xindex>, %n: index, %bins: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xf64>
    %place = memref.load %at[%i] : memref<?xindex>
    %is = arith.cmpi ult, %place, %bins : index
    %q = scf.if %is -> f64 {
      %w = memref.load %y[%place] : memref<?xf64>
      %d = arith.divf %w, %v : f64
      scf.yield %d : f64
    } else {
      scf.yield %zero : f64
    }
    memref.store %q, %r[%i] : memref<?xf64>
  }
  return %r : memref<?xf64>
}

// -----

// Below the size, but not above zero: a signed comparison does not do.
// CHECK-LABEL: func.func @signed(
// CHECK-NOT: vector<
func.func @signed(%x: memref<?xf64>, %at: memref<?xindex>, %n: index, %bins: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %y = memref.alloc(%bins) : memref<?xf64>
  linalg.fill ins(%zero : f64) outs(%y : memref<?xf64>)
  %r = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xf64>
    %place = memref.load %at[%i] : memref<?xindex>
    %is = arith.cmpi slt, %place, %bins : index
    %q = scf.if %is -> f64 {
      %w = memref.load %y[%place] : memref<?xf64>
      %d = arith.divf %w, %v : f64
      scf.yield %d : f64
    } else {
      scf.yield %zero : f64
    }
    memref.store %q, %r[%i] : memref<?xf64>
  }
  memref.dealloc %y : memref<?xf64>
  return %r : memref<?xf64>
}
