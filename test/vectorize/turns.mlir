// What a loop carries beside sums: a least value in all lanes, and what iterations do in turn.
// RUN: ad-opt %s --ad-vectorize --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @least(
// CHECK: %[[START:.*]] = vector.broadcast %{{.*}} : f64 to vector<[[LANES:.*]]xf64>
// CHECK: %[[MAIN:.*]] = scf.for {{.*}} iter_args(%[[LEAST:.*]] = %[[START]])
// CHECK:   arith.minimumf %[[LEAST]], %{{.*}} : vector<[[LANES]]xf64>
// CHECK: %[[ALL:.*]] = scf.if
// CHECK:   vector.create_mask
// CHECK:   arith.select
// CHECK:   scf.yield %[[MAIN]]
// CHECK: vector.reduction <minimumf>, %[[ALL]], %{{.*}} : vector<[[LANES]]xf64> into f64
func.func @least(%x: memref<?x?xf64>, %y: memref<?xf64>, %n: index, %m: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %far = arith.constant 0x7FF0000000000000 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%least = %far) -> f64 {
    %sum = scf.for %j = %c0 to %m step %c1 iter_args(%s = %zero) -> f64 {
      %a = memref.load %x[%j, %i] : memref<?x?xf64>
      %b = memref.load %y[%j] : memref<?xf64>
      %p = arith.mulf %a, %b : f64
      %new = arith.addf %s, %p : f64
      scf.yield %new : f64
    }
    %new = arith.minimumf %least, %sum : f64
    scf.yield %new : f64
  }
  return %r : f64
}

// -----

// CHECK-LABEL: func.func @place(
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (f64, index)
// CHECK:   arith.cmpf olt, %{{.*}}, %{{.*}} : f64
// CHECK:   arith.select %{{.*}} : index
// CHECK:   arith.cmpf olt, %{{.*}}, %{{.*}} : f64
func.func @place(%x: memref<?x?xf64>, %y: memref<?xf64>, %n: index, %m: index) -> (f64, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %far = arith.constant 0x7FF0000000000000 : f64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%least = %far, %at = %c0) -> (f64, index) {
    %sum = scf.for %j = %c0 to %m step %c1 iter_args(%s = %zero) -> f64 {
      %a = memref.load %x[%j, %i] : memref<?x?xf64>
      %b = memref.load %y[%j] : memref<?xf64>
      %p = arith.mulf %a, %b : f64
      %new = arith.addf %s, %p : f64
      scf.yield %new : f64
    }
    %is_less = arith.cmpf olt, %sum, %least : f64
    %new = arith.select %is_less, %sum, %least : f64
    %new_at = arith.select %is_less, %i, %at : index
    scf.yield %new, %new_at : f64, index
  }
  return %r#0, %r#1 : f64, index
}

// -----

// Of a minimum, each lane has its own, and the first of its places.
// CHECK-LABEL: func.func @first_place(
// CHECK: scf.for {{.*}} iter_args(%[[LEAST:.*]] = %{{.*}}, %[[AT:.*]] = %{{.*}}) -> (vector<16xf64>, vector<16xindex>)
// CHECK:   %[[LESS:.*]] = arith.cmpf olt, %[[SUM:.*]], %[[LEAST]] : vector<16xf64>
// CHECK:   %[[WINS:.*]] = arith.ori %[[LESS]], %{{.*}} : vector<16xi1>
// CHECK:   arith.select %[[WINS]], %{{.*}}, %[[AT]] : vector<16xi1>, vector<16xindex>
// CHECK:   arith.minimumf %[[LEAST]], %[[SUM]] : vector<16xf64>
// CHECK: %[[TOTAL:.*]] = vector.reduction <minimumf>, %[[ALL:.*]], %{{.*}} : vector<16xf64> into f64
// CHECK: %[[SPREAD:.*]] = vector.broadcast %[[TOTAL]]
// CHECK: arith.cmpf oeq, %[[ALL]], %[[SPREAD]]
// CHECK: arith.cmpf uno, %[[ALL]], %[[ALL]]
// CHECK: vector.reduction <minsi>, %{{.*}} : vector<16xindex> into index
// CHECK-LABEL: func.func @last_place(
// CHECK: scf.for {{.*}} -> (f64, index)
// CHECK-LABEL: func.func @read_place(
// CHECK-NOT: vector.reduction <minsi>
func.func @first_place(%x: memref<?x?xf64>, %n: index, %m: index) -> (f64, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %far = arith.constant 0x7FF0000000000000 : f64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%least = %far, %at = %c0) -> (f64, index) {
    %sum = scf.for %j = %c0 to %m step %c1 iter_args(%s = %zero) -> f64 {
      %a = memref.load %x[%j, %i] : memref<?x?xf64>
      %new = arith.addf %s, %a : f64
      scf.yield %new : f64
    }
    %is_nan = arith.cmpf uno, %sum, %sum : f64
    %is_number = arith.cmpf ord, %least, %least : f64
    %first_nan = arith.andi %is_nan, %is_number : i1
    %is_less = arith.cmpf olt, %sum, %least : f64
    %wins = arith.ori %is_less, %first_nan : i1
    %new_at = arith.select %wins, %i, %at : index
    %new = arith.minimumf %least, %sum : f64
    scf.yield %new, %new_at : f64, index
  }
  return %r#0, %r#1 : f64, index
}

// The last of equal sums, or without regard to NaNs, is something else.
func.func @last_place(%x: memref<?x?xf64>, %n: index, %m: index) -> (f64, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %far = arith.constant 0x7FF0000000000000 : f64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%least = %far, %at = %c0) -> (f64, index) {
    %sum = scf.for %j = %c0 to %m step %c1 iter_args(%s = %zero) -> f64 {
      %a = memref.load %x[%j, %i] : memref<?x?xf64>
      %new = arith.addf %s, %a : f64
      scf.yield %new : f64
    }
    %wins = arith.cmpf ole, %sum, %least : f64
    %new_at = arith.select %wins, %i, %at : index
    %new = arith.minimumf %least, %sum : f64
    scf.yield %new, %new_at : f64, index
  }
  return %r#0, %r#1 : f64, index
}

// So is a place that more than the choice depends on.
func.func @read_place(%x: memref<?x?xf64>, %n: index, %m: index) -> (f64, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %far = arith.constant 0x7FF0000000000000 : f64
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%least = %far, %at = %c0, %sum_at = %c0) -> (f64, index, index) {
    %sum = scf.for %j = %c0 to %m step %c1 iter_args(%s = %zero) -> f64 {
      %a = memref.load %x[%j, %i] : memref<?x?xf64>
      %new = arith.addf %s, %a : f64
      scf.yield %new : f64
    }
    %is_nan = arith.cmpf uno, %sum, %sum : f64
    %is_number = arith.cmpf ord, %least, %least : f64
    %first_nan = arith.andi %is_nan, %is_number : i1
    %is_less = arith.cmpf olt, %sum, %least : f64
    %wins = arith.ori %is_less, %first_nan : i1
    %new_at = arith.select %wins, %i, %at : index
    %new = arith.minimumf %least, %sum : f64
    %more_at = arith.addi %sum_at, %at : index
    scf.yield %new, %new_at, %more_at : f64, index, index
  }
  return %r#0, %r#1, %r#2 : f64, index, index
}

// -----

// What every iteration reads of the one before is more than arithmetic.
// CHECK-LABEL: func.func @reads(
// CHECK-NOT: vector
// CHECK: return
func.func @reads(%x: memref<?x?xf64>, %next: memref<?xindex>, %n: index, %m: index) -> (f64, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%all = %zero, %at = %c0) -> (f64, index) {
    %sum = scf.for %j = %c0 to %m step %c1 iter_args(%s = %zero) -> f64 {
      %a = memref.load %x[%j, %i] : memref<?x?xf64>
      %e = arith.mulf %a, %s : f64
      %new = math.exp %e : f64
      scf.yield %new : f64
    }
    %new = arith.mulf %all, %sum : f64
    %new_at = memref.load %next[%at] : memref<?xindex>
    scf.yield %new, %new_at : f64, index
  }
  return %r#0, %r#1 : f64, index
}
