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
