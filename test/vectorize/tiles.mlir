// Where each lane writes a row of its own along an inner loop, the rows of several iterations are transposed and written
// together.
// RUN: ad-opt %s --ad-vectorize --split-input-file | FileCheck %s

// Three numbers of each of four iterations are three vectors of neighbours per lane. The first four are written when they
// are there; the second and the third part of a row begin in the second and the third iteration. What is left of the
// iterations is written one by one.
// CHECK-LABEL: func.func @three(
// CHECK: %[[R:.*]] = memref.alloc({{.*}}) : memref<?x?x3xf64>
// CHECK: scf.for %{{.*}} = %{{.*}} step %c4
// CHECK:   scf.for %[[J:[a-z0-9]+]] = %{{.*}} to %[[END:.*]] step %c4{{.*}} {
// CHECK-NOT: scf.for
// CHECK:     %[[A0:.*]] = arith.negf %{{.*}} : vector<4xf64>
// CHECK:     %[[A1:.*]] = arith.negf
// CHECK:     %[[A2:.*]] = arith.negf
// CHECK:     %[[NEXT:.*]] = arith.addi %[[J]], %c1{{.*}} : index
// CHECK:     %[[B0:.*]] = arith.negf
// CHECK:     vector.shuffle %[[A0]], %[[A2]] [0, 1, 4, 5]
// CHECK:     vector.shuffle %[[A0]], %[[A2]] [2, 3, 6, 7]
// CHECK:     vector.shuffle %[[A1]], %[[B0]] [0, 1, 4, 5]
// CHECK:     vector.shuffle %[[A1]], %[[B0]] [2, 3, 6, 7]
// CHECK:     vector.shuffle {{.*}} [0, 4, 2, 6]
// CHECK:     vector.store %{{.*}}, %[[R]][%{{.*}}, %[[J]], %c0{{.*}}] : memref<?x?x3xf64>, vector<4xf64>
// CHECK-COUNT-3: vector.store %{{.*}}, %[[R]][%{{.*}}, %[[J]], %c0
// CHECK-NOT: vector.store
// CHECK:     %[[LAST:.*]] = arith.addi %[[J]], %c2{{.*}} : index
// CHECK-COUNT-4: vector.store %{{.*}}, %[[R]][%{{.*}}, %[[NEXT]], %c1
// CHECK-COUNT-4: vector.store %{{.*}}, %[[R]][%{{.*}}, %[[LAST]], %c2
// CHECK-NOT: memref.store
// CHECK:   scf.for %{{.*}} = %[[END]] to
// CHECK:     scf.for
// CHECK-COUNT-4: memref.store %{{.*}}, %[[R]]
func.func @three(%x: memref<?xf64>, %ids: memref<?xindex>, %n: index, %m: index, %d: index) -> memref<?x?x3xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %r = memref.alloc(%m, %n) : memref<?x?x3xf64>
  scf.for %i = %c0 to %m step %c1 {
    %own = memref.alloc(%d) : memref<?x3xf64>
    %xi = memref.load %x[%i] : memref<?xf64>
    %powers:5 = scf.for %b = %c0 to %d step %c1 iter_args(%s1 = %xi, %s2 = %xi, %s3 = %xi, %s4 = %xi, %s5 = %xi) -> (f64, f64, f64, f64, f64) {
      %p1 = arith.mulf %s1, %s5 : f64
      %p2 = arith.mulf %s2, %p1 : f64
      %p3 = arith.mulf %s3, %p2 : f64
      %p4 = arith.mulf %s4, %p3 : f64
      %p5 = arith.mulf %s5, %p4 : f64
      memref.store %p1, %own[%b, %c0] : memref<?x3xf64>
      memref.store %p2, %own[%b, %c1] : memref<?x3xf64>
      memref.store %p3, %own[%b, %c2] : memref<?x3xf64>
      scf.yield %p1, %p2, %p3, %p4, %p5 : f64, f64, f64, f64, f64
    }
    scf.for %j = %c0 to %n step %c1 {
      %id = memref.load %ids[%j] : memref<?xindex>
      scf.for %axis = %c0 to %c3 step %c1 {
        %v = memref.load %own[%id, %axis] : memref<?x3xf64>
        %e = arith.negf %v : f64
        memref.store %e, %r[%i, %j, %axis] : memref<?x?x3xf64>
      }
    }
  }
  return %r : memref<?x?x3xf64>
}

// -----

// One number of each iteration.
// CHECK-LABEL: func.func @one(
// CHECK: scf.for %{{.*}} step %c4
// CHECK:   scf.for %[[J:[a-z0-9]+]] = %{{.*}} step %c4{{.*}} {
// CHECK-COUNT-4: arith.addf %{{.*}} : vector<4xf64>
// CHECK-COUNT-8: vector.shuffle
// CHECK-COUNT-4: vector.store %{{.*}}, %{{.*}}[%{{.*}}, %[[J]]] : memref<?x?xf64>, vector<4xf64>
// CHECK-NOT: vector.store
func.func @one(%x: memref<?xf64>, %ids: memref<?xindex>, %n: index, %m: index, %d: index) -> memref<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %r = memref.alloc(%m, %n) : memref<?x?xf64>
  scf.for %i = %c0 to %m step %c1 {
    %own = memref.alloc(%d) : memref<?x3xf64>
    %xi = memref.load %x[%i] : memref<?xf64>
    %powers:5 = scf.for %b = %c0 to %d step %c1 iter_args(%s1 = %xi, %s2 = %xi, %s3 = %xi, %s4 = %xi, %s5 = %xi) -> (f64, f64, f64, f64, f64) {
      %p1 = arith.mulf %s1, %s5 : f64
      %p2 = arith.mulf %s2, %p1 : f64
      %p3 = arith.mulf %s3, %p2 : f64
      %p4 = arith.mulf %s4, %p3 : f64
      %p5 = arith.mulf %s5, %p4 : f64
      memref.store %p1, %own[%b, %c0] : memref<?x3xf64>
      memref.store %p2, %own[%b, %c1] : memref<?x3xf64>
      memref.store %p3, %own[%b, %c2] : memref<?x3xf64>
      scf.yield %p1, %p2, %p3, %p4, %p5 : f64, f64, f64, f64, f64
    }
    scf.for %j = %c0 to %n step %c1 {
      %id = memref.load %ids[%j] : memref<?xindex>
      %v0 = memref.load %own[%id, %c0] : memref<?x3xf64>
      %v1 = memref.load %own[%id, %c1] : memref<?x3xf64>
      %e = arith.addf %v0, %v1 : f64
      memref.store %e, %r[%i, %j] : memref<?x?xf64>
    }
  }
  return %r : memref<?x?xf64>
}

// -----

// Two of three numbers are no neighbours.
// CHECK-LABEL: func.func @part(
// CHECK: scf.for %{{.*}} step %c4
// CHECK-NOT: vector.store
func.func @part(%x: memref<?xf64>, %ids: memref<?xindex>, %n: index, %m: index, %d: index) -> memref<?x?x3xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %r = memref.alloc(%m, %n) : memref<?x?x3xf64>
  scf.for %i = %c0 to %m step %c1 {
    %own = memref.alloc(%d) : memref<?x3xf64>
    %xi = memref.load %x[%i] : memref<?xf64>
    %powers:5 = scf.for %b = %c0 to %d step %c1 iter_args(%s1 = %xi, %s2 = %xi, %s3 = %xi, %s4 = %xi, %s5 = %xi) -> (f64, f64, f64, f64, f64) {
      %p1 = arith.mulf %s1, %s5 : f64
      %p2 = arith.mulf %s2, %p1 : f64
      %p3 = arith.mulf %s3, %p2 : f64
      %p4 = arith.mulf %s4, %p3 : f64
      %p5 = arith.mulf %s5, %p4 : f64
      memref.store %p1, %own[%b, %c0] : memref<?x3xf64>
      memref.store %p2, %own[%b, %c1] : memref<?x3xf64>
      memref.store %p3, %own[%b, %c2] : memref<?x3xf64>
      scf.yield %p1, %p2, %p3, %p4, %p5 : f64, f64, f64, f64, f64
    }
    scf.for %j = %c0 to %n step %c1 {
      %id = memref.load %ids[%j] : memref<?xindex>
      %v0 = memref.load %own[%id, %c0] : memref<?x3xf64>
      %v1 = memref.load %own[%id, %c1] : memref<?x3xf64>
      memref.store %v1, %r[%i, %j, %c0] : memref<?x?x3xf64>
      memref.store %v0, %r[%i, %j, %c1] : memref<?x?x3xf64>
    }
  }
  return %r : memref<?x?x3xf64>
}

// -----

// Another store may be to one of the elements, so that it has to come before or after.
// CHECK-LABEL: func.func @twice(
// CHECK: scf.for %{{.*}} step %c4
// CHECK-NOT: vector.store
func.func @twice(%x: memref<?xf64>, %ids: memref<?xindex>, %n: index, %m: index, %d: index, %k: index) -> memref<?x?x2xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %r = memref.alloc(%m, %n) : memref<?x?x2xf64>
  scf.for %i = %c0 to %m step %c1 {
    %own = memref.alloc(%d) : memref<?x3xf64>
    %xi = memref.load %x[%i] : memref<?xf64>
    %powers:5 = scf.for %b = %c0 to %d step %c1 iter_args(%s1 = %xi, %s2 = %xi, %s3 = %xi, %s4 = %xi, %s5 = %xi) -> (f64, f64, f64, f64, f64) {
      %p1 = arith.mulf %s1, %s5 : f64
      %p2 = arith.mulf %s2, %p1 : f64
      %p3 = arith.mulf %s3, %p2 : f64
      %p4 = arith.mulf %s4, %p3 : f64
      %p5 = arith.mulf %s5, %p4 : f64
      memref.store %p1, %own[%b, %c0] : memref<?x3xf64>
      memref.store %p2, %own[%b, %c1] : memref<?x3xf64>
      memref.store %p3, %own[%b, %c2] : memref<?x3xf64>
      scf.yield %p1, %p2, %p3, %p4, %p5 : f64, f64, f64, f64, f64
    }
    scf.for %j = %c0 to %n step %c1 {
      %id = memref.load %ids[%j] : memref<?xindex>
      %v0 = memref.load %own[%id, %c0] : memref<?x3xf64>
      %v1 = memref.load %own[%id, %c1] : memref<?x3xf64>
      memref.store %v0, %r[%i, %j, %c0] : memref<?x?x2xf64>
      memref.store %v1, %r[%i, %j, %c1] : memref<?x?x2xf64>
      memref.store %v1, %r[%i, %k, %c0] : memref<?x?x2xf64>
    }
  }
  return %r : memref<?x?x2xf64>
}

// -----

// The loop reads what it writes.
// CHECK-LABEL: func.func @read(
// CHECK: scf.for %{{.*}} step %c4
// CHECK-NOT: vector.store
func.func @read(%x: memref<?xf64>, %ids: memref<?xindex>, %n: index, %m: index, %d: index) -> memref<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %r = memref.alloc(%m, %n) : memref<?x?xf64>
  scf.for %i = %c0 to %m step %c1 {
    %own = memref.alloc(%d) : memref<?x3xf64>
    %xi = memref.load %x[%i] : memref<?xf64>
    %powers:5 = scf.for %b = %c0 to %d step %c1 iter_args(%s1 = %xi, %s2 = %xi, %s3 = %xi, %s4 = %xi, %s5 = %xi) -> (f64, f64, f64, f64, f64) {
      %p1 = arith.mulf %s1, %s5 : f64
      %p2 = arith.mulf %s2, %p1 : f64
      %p3 = arith.mulf %s3, %p2 : f64
      %p4 = arith.mulf %s4, %p3 : f64
      %p5 = arith.mulf %s5, %p4 : f64
      memref.store %p1, %own[%b, %c0] : memref<?x3xf64>
      memref.store %p2, %own[%b, %c1] : memref<?x3xf64>
      memref.store %p3, %own[%b, %c2] : memref<?x3xf64>
      scf.yield %p1, %p2, %p3, %p4, %p5 : f64, f64, f64, f64, f64
    }
    scf.for %j = %c0 to %n step %c1 {
      %id = memref.load %ids[%j] : memref<?xindex>
      %v0 = memref.load %own[%id, %c0] : memref<?x3xf64>
      %v1 = memref.load %own[%id, %c1] : memref<?x3xf64>
      %old = memref.load %r[%i, %id] : memref<?x?xf64>
      %e = arith.addf %v0, %old : f64
      memref.store %e, %r[%i, %j] : memref<?x?xf64>
    }
  }
  return %r : memref<?x?xf64>
}
