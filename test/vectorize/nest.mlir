// Which loop of a nest runs several iterations at once.
// RUN: ad-opt %s --ad-vectorize --split-input-file | FileCheck %s

// The inner one would fill two registers, which saves no operations; over seeds, no weights are read lane by lane.
// CHECK-LABEL: func.func @seeds(
// CHECK: scf.for {{.*}} step %c4
// CHECK:   memref.alloc(%{{.*}}) : memref<?x3xvector<4xf64>>
// CHECK:   scf.for {{.*}} step %c1
// CHECK:     scf.for {{.*}} step %c1 {{.*}} -> (vector<4xf64>, vector<4xf64>, vector<4xf64>) {
func.func @seeds(%seeds: memref<?xf64>, %weights: memref<?x?xf64>, %k: index, %n: index, %m: index) -> memref<?x?x3xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %r = memref.alloc(%k, %n) : memref<?x?x3xf64>
  scf.for %i = %c0 to %k step %c1 {
    %seed = memref.load %seeds[%i] : memref<?xf64>
    %slopes = memref.alloc(%m) : memref<?x3xf64>
    %powers:5 = scf.for %b = %c0 to %m step %c1 iter_args(%s1 = %zero, %s2 = %zero, %s3 = %zero, %s4 = %zero, %s5 = %zero) -> (f64, f64, f64, f64, f64) {
      %w = memref.load %weights[%c0, %b] : memref<?x?xf64>
      %p1 = arith.mulf %w, %seed : f64
      %p2 = arith.mulf %w, %p1 : f64
      %p3 = arith.mulf %w, %p2 : f64
      %p4 = arith.mulf %w, %p3 : f64
      %p5 = arith.mulf %w, %p4 : f64
      %n1 = arith.addf %s1, %p1 : f64
      %n2 = arith.addf %s2, %p2 : f64
      %n3 = arith.addf %s3, %p3 : f64
      %n4 = arith.addf %s4, %p4 : f64
      %n5 = arith.addf %s5, %p5 : f64
      scf.yield %n1, %n2, %n3, %n4, %n5 : f64, f64, f64, f64, f64
    }
    %even = arith.mulf %powers#1, %powers#3 : f64
    %odd = arith.mulf %powers#0, %powers#2 : f64
    %some = arith.addf %even, %odd : f64
    %scale = arith.addf %some, %powers#4 : f64
    scf.for %b = %c0 to %m step %c1 {
      scf.for %axis = %c0 to %c3 step %c1 {
        %w = memref.load %weights[%b, %axis] : memref<?x?xf64>
        %slope = arith.mulf %w, %scale : f64
        memref.store %slope, %slopes[%b, %axis] : memref<?x3xf64>
      }
    }
    scf.for %v = %c0 to %n step %c1 {
      %sums:3 = scf.for %b = %c0 to %m step %c1 iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero) -> (f64, f64, f64) {
        %w = memref.load %weights[%v, %b] : memref<?x?xf64>
        %x0 = memref.load %slopes[%b, %c0] : memref<?x3xf64>
        %x1 = memref.load %slopes[%b, %c1] : memref<?x3xf64>
        %x2 = memref.load %slopes[%b, %c2] : memref<?x3xf64>
        %y0 = arith.mulf %w, %x0 : f64
        %z0 = arith.addf %y0, %x0 : f64
        %t0 = arith.mulf %z0, %y0 : f64
        %u0 = arith.addf %t0, %z0 : f64
        %p0 = arith.mulf %w, %u0 : f64
        %n0 = arith.addf %s0, %p0 : f64
        %y1 = arith.mulf %w, %x1 : f64
        %z1 = arith.addf %y1, %x1 : f64
        %t1 = arith.mulf %z1, %y1 : f64
        %u1 = arith.addf %t1, %z1 : f64
        %p1 = arith.mulf %w, %u1 : f64
        %n1 = arith.addf %s1, %p1 : f64
        %y2 = arith.mulf %w, %x2 : f64
        %z2 = arith.addf %y2, %x2 : f64
        %t2 = arith.mulf %z2, %y2 : f64
        %u2 = arith.addf %t2, %z2 : f64
        %p2 = arith.mulf %w, %u2 : f64
        %n2 = arith.addf %s2, %p2 : f64
        scf.yield %n0, %n1, %n2 : f64, f64, f64
      }
      memref.store %sums#0, %r[%i, %v, %c0] : memref<?x?x3xf64>
      memref.store %sums#1, %r[%i, %v, %c1] : memref<?x?x3xf64>
      memref.store %sums#2, %r[%i, %v, %c2] : memref<?x?x3xf64>
    }
  }
  return %r : memref<?x?x3xf64>
}

// -----

// A branch yields a buffer from around the loop or one of the iteration's own, which is the same in all of them.
// CHECK-LABEL: func.func @alike(
// CHECK: scf.for {{.*}} step %c4
// CHECK:   %[[CHOSEN:.*]] = scf.if %{{.*}} -> (memref<?xf64>)
// CHECK:     memref.alloc(%{{.*}}) : memref<?xf64>
// CHECK:   scf.for
// CHECK:     %[[ONE:.*]] = memref.load %[[CHOSEN]]
// CHECK:     vector.broadcast %[[ONE]] : f64 to vector<4xf64>
func.func @alike(%x: memref<?xf64>, %y: memref<?xf64>, %is_given: i1, %n: index, %m: index) -> memref<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.alloc(%m, %n) : memref<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %xi = memref.load %x[%i] : memref<?xf64>
    %chosen = scf.if %is_given -> memref<?xf64> {
      scf.yield %y : memref<?xf64>
    } else {
      %own = memref.alloc(%m) : memref<?xf64>
      scf.for %j = %c0 to %m step %c1 {
        %yj = memref.load %y[%j] : memref<?xf64>
        %square = arith.mulf %yj, %yj : f64
        memref.store %square, %own[%j] : memref<?xf64>
      }
      scf.yield %own : memref<?xf64>
    }
    scf.for %j = %c0 to %m step %c1 {
      %c = memref.load %chosen[%j] : memref<?xf64>
      %p = arith.mulf %c, %xi : f64
      memref.store %p, %r[%j, %i] : memref<?x?xf64>
    }
  }
  return %r : memref<?x?xf64>
}

// -----

// Where it differs, and where it is written to, nobody could tell which buffer has vectors for elements.
// CHECK-LABEL: func.func @unlike(
// CHECK-NOT: vector
// CHECK: return
func.func @unlike(%x: memref<?xf64>, %y: memref<?xf64>, %is_given: i1, %n: index, %m: index) -> memref<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.alloc(%m, %n) : memref<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %xi = memref.load %x[%i] : memref<?xf64>
    %chosen = scf.if %is_given -> memref<?xf64> {
      scf.yield %y : memref<?xf64>
    } else {
      %own = memref.alloc(%m) : memref<?xf64>
      scf.for %j = %c0 to %m step %c1 {
        memref.store %xi, %own[%j] : memref<?xf64>
      }
      scf.yield %own : memref<?xf64>
    }
    scf.for %j = %c0 to %m step %c1 {
      %c = memref.load %chosen[%j] : memref<?xf64>
      %p = arith.mulf %c, %xi : f64
      memref.store %p, %r[%j, %i] : memref<?x?xf64>
    }
  }
  return %r : memref<?x?xf64>
}

// CHECK-LABEL: func.func @written(
// CHECK-NOT: vector
// CHECK: return
func.func @written(%x: memref<?xf64>, %is_given: i1, %n: index, %m: index) -> memref<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.alloc(%m, %n) : memref<?x?xf64>
  %around = memref.alloc(%m) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %xi = memref.load %x[%i] : memref<?xf64>
    %chosen = scf.if %is_given -> memref<?xf64> {
      scf.yield %around : memref<?xf64>
    } else {
      %own = memref.alloc(%m) : memref<?xf64>
      scf.yield %own : memref<?xf64>
    }
    scf.for %j = %c0 to %m step %c1 {
      memref.store %xi, %chosen[%j] : memref<?xf64>
    }
    scf.for %j = %c0 to %m step %c1 {
      %c = memref.load %chosen[%j] : memref<?xf64>
      %p = arith.mulf %c, %xi : f64
      memref.store %p, %r[%j, %i] : memref<?x?xf64>
    }
  }
  return %r : memref<?x?xf64>
}
