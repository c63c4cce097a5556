// Sums over the lanes for neighbouring elements are computed together, for as many elements as a register has lanes.
// RUN: ad-opt %s --ad-vectorize --split-input-file | FileCheck %s

// Four elements of a row, then one by one what is left. Both sums that the inner loop adds to wait; what it carries goes
// through its iterations in turn.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[L:[a-z0-9]+]]: memref<?x?xf64>
// CHECK-DAG: %[[G:.*]] = memref.alloc(%{{.*}}, %{{.*}}) : memref<?x?xf64>
// CHECK-DAG: %[[H:.*]] = memref.alloc(%{{.*}}) : memref<?xf64>
// CHECK: scf.for %{{.*}} step %c16
// CHECK:   scf.for %[[J:[a-z0-9]+]] = %c0 to %{{.*}} step %c1
// CHECK:     %[[LEFT:.*]] = arith.remsi %{{.*}}, %[[C4:[a-z0-9_]+]] : index
// CHECK:     %[[END:.*]] = arith.subi %[[J]], %[[LEFT]] : index
// CHECK:     %[[PART:.*]] = scf.for %[[K:[a-z0-9]+]] = %c0 to %[[END]] step %[[C4]] iter_args({{.*}}) -> (vector<16xf64>)
// CHECK-NOT:   vector.reduction
// CHECK:       vector.shuffle %[[V:.*]], %[[V]] [0, 1, 2, 3] : vector<16xf64>
// CHECK:       vector.shuffle %[[V]], %[[V]] [4, 5, 6, 7]
// CHECK:       vector.shuffle %[[V]], %[[V]] [8, 9, 10, 11]
// CHECK:       vector.shuffle %[[V]], %[[V]] [12, 13, 14, 15]
// CHECK:       %[[V0:.*]] = arith.addf %{{.*}}, %{{.*}} fastmath<reassoc> : vector<4xf64>
// CHECK:       %[[OLD:.*]] = vector.load %[[ARRAY:[a-z0-9_]+]][{{.*}}%[[K]]] : memref<{{.*}}>, vector<4xf64>
// CHECK:       vector.shuffle {{.*}} [0, 1, 6, 7] : vector<4xf64>, vector<4xf64>
// CHECK:       vector.shuffle {{.*}} [2, 3, 4, 5] : vector<4xf64>, vector<4xf64>
// CHECK:       %[[EVEN:.*]] = arith.addf
// CHECK:       vector.shuffle {{.*}} [0, 1, 6, 7] : vector<4xf64>, vector<4xf64>
// CHECK:       vector.shuffle {{.*}} [2, 3, 4, 5] : vector<4xf64>, vector<4xf64>
// CHECK:       %[[ODD:.*]] = arith.addf
// CHECK:       %[[STAY:.*]] = vector.shuffle %[[EVEN]], %[[ODD]] [0, 5, 2, 7]
// CHECK:       %[[MOVE:.*]] = vector.shuffle %[[EVEN]], %[[ODD]] [1, 4, 3, 6]
// CHECK:       %[[MORE:.*]] = arith.addf %[[OLD]], %[[STAY]] fastmath<reassoc> : vector<4xf64>
// CHECK:       %[[NEW:.*]] = arith.addf %[[MORE]], %[[MOVE]] fastmath<reassoc> : vector<4xf64>
// CHECK:       vector.store %[[NEW]], %[[ARRAY]][{{.*}}%[[K]]]
// CHECK:       vector.load %{{.*}}[{{.*}}%[[K]]] : memref<{{.*}}>, vector<4xf64>
// CHECK:       vector.store
// CHECK-NOT:   vector.store
// CHECK:       scf.yield
// CHECK:     scf.for %{{.*}} = %[[END]] to %[[J]] step %{{.*}} iter_args(%{{.*}} = %[[PART]])
// CHECK:       vector.reduction <add>
// CHECK:       vector.reduction <add>
func.func @rows(%l: memref<?x?xf64>, %x: memref<?x?xf64>, %n: index, %d: index) -> (memref<?x?xf64>, memref<?xf64>, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %g = memref.alloc(%d, %d) : memref<?x?xf64>
  %h = memref.alloc(%d) : memref<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%all = %zero) -> f64 {
    %sum = scf.for %j = %c0 to %d step %c1 iter_args(%t = %zero) -> f64 {
      %row = scf.for %k = %c0 to %j step %c1 iter_args(%s = %zero) -> f64 {
        %xk = memref.load %x[%k, %i] : memref<?x?xf64>
        %ljk = memref.load %l[%j, %k] : memref<?x?xf64>
        %p = arith.mulf %ljk, %xk : f64
        %new = arith.addf %s, %p : f64
        %old = memref.load %g[%j, %k] : memref<?x?xf64>
        %more = arith.addf %old, %xk fastmath<reassoc> : f64
        memref.store %more, %g[%j, %k] : memref<?x?xf64>
        %before = memref.load %h[%k] : memref<?xf64>
        %after = arith.addf %before, %p fastmath<reassoc> : f64
        memref.store %after, %h[%k] : memref<?xf64>
        scf.yield %new : f64
      }
      %e = arith.mulf %row, %row : f64
      %next = arith.addf %t, %e : f64
      scf.yield %next : f64
    }
    %total = arith.addf %all, %sum fastmath<reassoc> : f64
    scf.yield %total : f64
  }
  return %g, %h, %r : memref<?x?xf64>, memref<?xf64>, f64
}

// -----

// Each row has fewer elements than a register of f32 has lanes.
// CHECK-LABEL: func.func @short(
// CHECK: scf.for {{.*}} step %c32
// CHECK: vector.reduction
// CHECK-NOT: vector.shuffle
func.func @short(%x: memref<4x?xf32>, %n: index) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %row = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %inner = scf.for %j = %c0 to %c4 step %c1 iter_args(%s = %zero) -> f32 {
      %v = memref.load %x[%j, %i] : memref<4x?xf32>
      %e = arith.mulf %v, %v : f32
      %new = arith.addf %s, %e : f32
      scf.yield %new : f32
    }
    scf.for %j = %c0 to %c4 step %c1 {
      %v = memref.load %x[%j, %i] : memref<4x?xf32>
      %p = arith.mulf %inner, %v : f32
      %old = memref.load %row[%j] : memref<4xf32>
      %sum = arith.addf %old, %p fastmath<reassoc> : f32
      memref.store %sum, %row[%j] : memref<4xf32>
    }
  }
  return %row : memref<4xf32>
}

// -----

// Lanes that read a row each: four elements of each of four rows are transposed in two steps; one by one where the loop
// writes to what it reads.
// CHECK-LABEL: func.func @columns(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x?xf64>
// CHECK: scf.for %[[NEXT:[a-z0-9]+]] = %{{.*}} step %c16
// CHECK:   %[[I:.*]] = arith.minsi %[[NEXT]], %{{.*}} : index
// CHECK:   scf.for %[[J:[a-z0-9]+]] = %{{.*}} step %c4
// CHECK:     %[[R0:.*]] = vector.load %[[X]][%[[I]], %[[J]]] : memref<?x?xf64>, vector<4xf64>
// CHECK:     %[[R1:.*]] = vector.load %[[X]][%{{.*}}, %[[J]]]
// CHECK:     %[[R2:.*]] = vector.load %[[X]][%{{.*}}, %[[J]]]
// CHECK:     %[[R3:.*]] = vector.load %[[X]][%{{.*}}, %[[J]]]
// CHECK-COUNT-12: vector.load %[[X]]
// CHECK-NOT: vector.load
// CHECK:     %[[A0:.*]] = vector.shuffle %[[R0]], %[[R2]] [0, 1, 4, 5]
// CHECK:     %[[A2:.*]] = vector.shuffle %[[R0]], %[[R2]] [2, 3, 6, 7]
// CHECK:     %[[A1:.*]] = vector.shuffle %[[R1]], %[[R3]] [0, 1, 4, 5]
// CHECK:     %[[A3:.*]] = vector.shuffle %[[R1]], %[[R3]] [2, 3, 6, 7]
// CHECK:     vector.shuffle %[[A0]], %[[A1]] [0, 4, 2, 6]
// CHECK:     vector.shuffle %[[A0]], %[[A1]] [1, 5, 3, 7]
// CHECK:     vector.shuffle %[[A2]], %[[A3]] [0, 4, 2, 6]
// CHECK:     vector.shuffle %[[A2]], %[[A3]] [1, 5, 3, 7]
// CHECK:     vector.shuffle {{.*}} : vector<8xf64>, vector<8xf64>
// CHECK:     memref.store %{{.*}} : memref<?xvector<16xf64>>
// CHECK-COUNT-3: memref.store
// CHECK-NOT: memref.store
// CHECK:   scf.for
// CHECK:     vector.from_elements
// CHECK:     memref.store
// CHECK-LABEL: func.func @written(
// CHECK: vector.from_elements
// CHECK-NOT: vector.shuffle
func.func @columns(%x: memref<?x?xf64>, %l: memref<?x?xf64>, %shift: f64, %n: index, %d: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %own = memref.alloc(%d) : memref<?xf64>
    scf.for %j = %c0 to %d step %c1 {
      %v = memref.load %x[%i, %j] : memref<?x?xf64>
      %e = arith.subf %v, %shift : f64
      memref.store %e, %own[%j] : memref<?xf64>
    }
    %sum = scf.for %j = %c0 to %d step %c1 iter_args(%t = %zero) -> f64 {
      %row = scf.for %k = %c0 to %j step %c1 iter_args(%s = %zero) -> f64 {
        %xk = memref.load %own[%k] : memref<?xf64>
        %ljk = memref.load %l[%j, %k] : memref<?x?xf64>
        %p = arith.mulf %ljk, %xk : f64
        %new = arith.addf %s, %p : f64
        scf.yield %new : f64
      }
      %p = arith.mulf %row, %row : f64
      %next = arith.addf %t, %p : f64
      scf.yield %next : f64
    }
    memref.store %sum, %r[%i] : memref<?xf64>
  }
  return %r : memref<?xf64>
}
func.func @written(%l: memref<?x?xf64>, %shift: f64, %n: index, %d: index) -> (memref<?xf64>, memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %x = memref.alloc(%n, %d) : memref<?x?xf64>
  %r = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %own = memref.alloc(%d) : memref<?xf64>
    scf.for %j = %c0 to %d step %c1 {
      %v = memref.load %x[%i, %j] : memref<?x?xf64>
      %e = arith.subf %v, %shift : f64
      memref.store %e, %own[%j] : memref<?xf64>
      memref.store %shift, %x[%i, %c1] : memref<?x?xf64>
    }
    %sum = scf.for %j = %c0 to %d step %c1 iter_args(%t = %zero) -> f64 {
      %row = scf.for %k = %c0 to %j step %c1 iter_args(%s = %zero) -> f64 {
        %xk = memref.load %own[%k] : memref<?xf64>
        %ljk = memref.load %l[%j, %k] : memref<?x?xf64>
        %p = arith.mulf %ljk, %xk : f64
        %new = arith.addf %s, %p : f64
        scf.yield %new : f64
      }
      %p = arith.mulf %row, %row : f64
      %next = arith.addf %t, %p : f64
      scf.yield %next : f64
    }
    memref.store %sum, %r[%i] : memref<?xf64>
  }
  return %r, %x : memref<?xf64>, memref<?x?xf64>
}

// -----

// An inner loop that computes nothing but sums over the lanes: the more registers a vector fills, the fewer steps there are for
// each, and the terms of a register's lanes are added one after the other.
// CHECK-LABEL: func.func @only_sums(
// CHECK: scf.for {{.*}} step %c16
// CHECK:   scf.for %{{.*}} = %c0 to %{{.*}} step %c4
// CHECK:     %[[P:.*]] = arith.mulf %{{.*}}, %{{.*}} : vector<16xf64>
// CHECK:     %[[V0:.*]] = vector.shuffle %[[P]], %[[P]] [0, 1, 2, 3]
// CHECK:     %[[V1:.*]] = vector.shuffle %[[P]], %[[P]] [4, 5, 6, 7]
// CHECK:     %[[S:.*]] = arith.addf %[[V0]], %[[V1]] fastmath<reassoc>
// CHECK:     %[[V2:.*]] = vector.shuffle %[[P]], %[[P]] [8, 9, 10, 11]
// CHECK:     arith.addf %[[S]], %[[V2]] fastmath<reassoc>
// CHECK:     vector.shuffle %[[P]], %[[P]] [12, 13, 14, 15]
func.func @only_sums(%x: memref<?x?xf64>, %n: index, %d: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = memref.alloc(%d) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %first = memref.load %x[%c0, %i] : memref<?x?xf64>
    scf.for %k = %c0 to %d step %c1 {
      %xk = memref.load %x[%k, %i] : memref<?x?xf64>
      %p = arith.mulf %first, %xk : f64
      %old = memref.load %g[%k] : memref<?xf64>
      %new = arith.addf %old, %p fastmath<reassoc> : f64
      memref.store %new, %g[%k] : memref<?xf64>
    }
  }
  return %g : memref<?xf64>
}

// -----

// Each lane reads a row, and a nest then computes with what was read: meanwhile the rows of the next lanes are fetched.
// CHECK-LABEL: func.func @fetch(
// CHECK: scf.for %{{.*}} = %c0 to %{{.*}} step %[[W:c[0-9]+]]
// CHECK:   scf.for %[[J:[a-z0-9]+]] = {{.*}} step %c4
// CHECK:     vector.load %[[X:[a-z0-9]+]][%[[FIRST:[a-z0-9]+]], %[[J]]]
// CHECK:     %[[NEXT:.*]] = arith.addi %[[FIRST]], %[[W]]
// CHECK:     memref.prefetch %[[X]][%[[NEXT]], %[[J]]], read, locality<2>, data
// CHECK-COUNT-15: memref.prefetch
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @fetch(%x: memref<?x?xf64>, %q: memref<?x?xf64>, %n: index, %d: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %own = memref.alloc(%d) : memref<?xf64>
    scf.for %j = %c0 to %d step %c1 {
      %v = memref.load %x[%i, %j] : memref<?x?xf64>
      memref.store %v, %own[%j] : memref<?xf64>
    }
    %norm = scf.for %j = %c0 to %d step %c1 iter_args(%t = %zero) -> f64 {
      %y = scf.for %k = %c0 to %d step %c1 iter_args(%s = %zero) -> f64 {
        %q_jk = memref.load %q[%j, %k] : memref<?x?xf64>
        %v = memref.load %own[%k] : memref<?xf64>
        %p = arith.mulf %q_jk, %v : f64
        %new = arith.addf %s, %p : f64
        scf.yield %new : f64
      }
      %square = arith.mulf %y, %y : f64
      %next = arith.addf %t, %square : f64
      scf.yield %next : f64
    }
    memref.store %norm, %r[%i] : memref<?xf64>
  }
  return %r : memref<?xf64>
}
