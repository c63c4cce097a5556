// Sums over the iterations, carried or in arrays, if they may be computed in any order.
// RUN: ad-opt %s --ad-vectorize --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @carried(
// CHECK-SAME: %[[START:[a-z0-9]+]]: f64
// CHECK: %[[PARTS:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (vector<16xf64>)
// CHECK: %[[ALL:.*]] = scf.if {{.*}} -> (vector<16xf64>)
// CHECK:   scf.yield %[[PARTS]]
// CHECK: %[[SUM:.*]] = vector.reduction <add>, %[[ALL]], %[[START]] fastmath<reassoc> : vector<16xf64> into f64
// CHECK: return %[[SUM]]
func.func @carried(%x: memref<4x?xf64>, %start: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %start) -> f64 {
    %inner = scf.for %j = %c0 to %c4 step %c1 iter_args(%s = %zero) -> f64 {
      %v = memref.load %x[%j, %i] : memref<4x?xf64>
      %new = arith.addf %s, %v : f64
      scf.yield %new : f64
    }
    %e = math.exp %inner : f64
    %more = arith.addf %sum, %e fastmath<reassoc> : f64
    scf.yield %more : f64
  }
  return %r : f64
}

// -----

// All iterations add to one column; each adds to a place that it looks up.
// CHECK-LABEL: func.func @arrays(
// CHECK: %[[COLUMN:.*]] = memref.alloc() : memref<4x1xf64>
// CHECK: %[[BINS:.*]] = memref.alloc(%{{.*}}) : memref<?xf64>
// CHECK: scf.for
// CHECK:   scf.for %[[J:.*]] = %c0 to %c4
// CHECK:     %[[V:.*]] = vector.load
// CHECK:     %[[OLD:.*]] = memref.load %[[COLUMN]][%[[J]], %{{.*}}] : memref<4x1xf64>
// CHECK:     %[[NEW:.*]] = vector.reduction <add>, %{{.*}}, %[[OLD]] fastmath<reassoc>
// CHECK:     memref.store %[[NEW]], %[[COLUMN]][%[[J]], %{{.*}}] : memref<4x1xf64>
// CHECK:   %[[AT:.*]] = vector.extract %{{.*}}[0] : index
// CHECK:   %[[FIRST:.*]] = vector.extract %{{.*}}[0] : f64
// CHECK:   %[[BIN:.*]] = memref.load %[[BINS]][%[[AT]]]
// CHECK:   %[[MORE:.*]] = arith.addf %[[BIN]], %[[FIRST]] fastmath<reassoc> : f64
// CHECK:   memref.store %[[MORE]], %[[BINS]][%[[AT]]]
func.func @arrays(%x: memref<4x?xf64>, %at: memref<?xindex>, %n: index) -> (memref<4x1xf64>, memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f64
  %column = memref.alloc() : memref<4x1xf64>
  %bins = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %inner = scf.for %j = %c0 to %c4 step %c1 iter_args(%s = %zero) -> f64 {
      %v = memref.load %x[%j, %i] : memref<4x?xf64>
      %e = math.exp %v : f64
      %old = memref.load %column[%j, %c0] : memref<4x1xf64>
      %sum = arith.addf %old, %e fastmath<reassoc> : f64
      memref.store %sum, %column[%j, %c0] : memref<4x1xf64>
      %new = arith.addf %s, %e : f64
      scf.yield %new : f64
    }
    %bin = memref.load %at[%i] : memref<?xindex>
    %before = memref.load %bins[%bin] : memref<?xf64>
    %after = arith.addf %before, %inner fastmath<reassoc> : f64
    memref.store %after, %bins[%bin] : memref<?xf64>
  }
  return %column, %bins : memref<4x1xf64>, memref<?xf64>
}

// -----

// Without the flag the order is kept: iterations add in turn what they have computed at once.
// CHECK-LABEL: func.func @in_order(
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[SO_FAR:.*]] = %{{.*}}) -> (f64)
// CHECK:   %[[E:.*]] = math.exp %{{.*}} : vector<16xf64>
// CHECK:   %[[E0:.*]] = vector.extract %[[E]][0]
// CHECK:   %[[S0:.*]] = arith.addf %[[SO_FAR]], %[[E0]] : f64
// CHECK:   %[[E1:.*]] = vector.extract %[[E]][1]
// CHECK:   arith.addf %[[S0]], %[[E1]] : f64
func.func @in_order(%x: memref<4x?xf64>, %start: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %start) -> f64 {
    %inner = scf.for %j = %c0 to %c4 step %c1 iter_args(%s = %zero) -> f64 {
      %v = memref.load %x[%j, %i] : memref<4x?xf64>
      %new = arith.addf %s, %v : f64
      scf.yield %new : f64
    }
    %e = math.exp %inner : f64
    %more = arith.addf %sum, %e : f64
    scf.yield %more : f64
  }
  return %r : f64
}
