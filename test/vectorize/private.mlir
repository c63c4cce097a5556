// A loop around a triangle: what it allocates gets vectors for elements, and what is left runs on
// as many registers as it needs.
// RUN: ad-opt %s --ad-vectorize --split-input-file | FileCheck %s

// Sums of inner loops wait for themselves, so that several registers are used.
// CHECK-LABEL: func.func @triangle(
// CHECK-SAME: %[[X:.*]]: memref<?xf64>, %[[L:.*]]: memref<3x3xf64>, %[[N:.*]]: index
// CHECK: %[[R:.*]] = memref.alloc(%[[N]])
// CHECK: %[[LEFT:.*]] = arith.remsi
// CHECK: %[[MIDDLE:.*]] = arith.subi %[[N]], %[[LEFT]]
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[MIDDLE]] step %c16
// CHECK:   %[[T:.*]] = memref.alloc() : memref<3xvector<16xf64>>
// CHECK:   %[[XI:.*]] = vector.load %[[X]][%[[I]]] : memref<?xf64>, vector<16xf64>
// CHECK:   scf.for %[[J:.*]] = %c0 to %c3 step %c1
// CHECK:     %[[SUM:.*]] = scf.for %[[K:.*]] = %c0 to %{{.*}} step %c1 iter_args(%[[S:.*]] = %{{.*}}) -> (vector<16xf64>)
// CHECK:       %[[LJK:.*]] = memref.load %[[L]][%[[J]], %[[K]]] : memref<3x3xf64>
// CHECK:       %[[ALL:.*]] = vector.broadcast %[[LJK]] : f64 to vector<16xf64>
// CHECK:       arith.mulf %[[ALL]], %[[XI]] : vector<16xf64>
// CHECK:     %[[E:.*]] = math.exp %[[SUM]] : vector<16xf64>
// CHECK:     memref.store %[[E]], %[[T]][%[[J]]] : memref<3xvector<16xf64>>
// CHECK:   vector.store %{{.*}}, %[[R]][%[[I]]] : memref<?xf64>, vector<16xf64>
// CHECK: scf.if
// CHECK:   %[[TWO:.*]] = arith.cmpi sgt, %[[LEFT]], %c4
// CHECK:   scf.if %[[TWO]]
// CHECK:     %[[THREE:.*]] = arith.cmpi sgt, %[[LEFT]], %c8
// CHECK:     scf.if %[[THREE]]
// CHECK:       %[[FOUR:.*]] = arith.cmpi sgt, %[[LEFT]], %c12
// CHECK:       scf.if %[[FOUR]]
// CHECK-COUNT-3: vector.load %[[X]][%{{.*}}] : memref<?xf64>, vector<4xf64>
// CHECK:         vector.maskedload %[[X]]
// CHECK-COUNT-3: vector.store %{{.*}}, %[[R]]{{.*}} vector<4xf64>
// CHECK:         vector.maskedstore %[[R]]
// CHECK:       else
// CHECK:         %[[MORE:.*]] = arith.subi %[[LEFT]], %c8
// CHECK:         %[[MASK:.*]] = vector.create_mask %[[MORE]] : vector<4xi1>
// CHECK:         memref.alloc() : memref<3xvector<16xf64>>
// CHECK-COUNT-2: vector.load %[[X]][%{{.*}}] : memref<?xf64>, vector<4xf64>
// CHECK:         vector.maskedload %[[X]][%{{.*}}], %[[MASK]]
// CHECK-COUNT-2: vector.store %{{.*}}, %[[R]]{{.*}} vector<4xf64>
// CHECK:         vector.maskedstore %[[R]][%{{.*}}], %[[MASK]]
// CHECK:     else
// CHECK:       memref.alloc() : memref<3xvector<8xf64>>
// CHECK:       vector.load %[[X]]
// CHECK:       vector.maskedload %[[X]]
// CHECK:       vector.store %{{.*}}, %[[R]]
// CHECK:       vector.maskedstore %[[R]]
// CHECK:   else
// CHECK:     %[[MASK:.*]] = vector.create_mask %[[LEFT]] : vector<4xi1>
// CHECK:     memref.alloc() : memref<3xvector<4xf64>>
// CHECK:     vector.maskedload %[[X]][%[[MIDDLE]]], %[[MASK]]
// CHECK:     vector.maskedstore %[[R]][%[[MIDDLE]]], %[[MASK]]
// CHECK: return %[[R]]
func.func @triangle(%x: memref<?xf64>, %l: memref<3x3xf64>, %n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %r = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %t = memref.alloc() : memref<3xf64>
    %xi = memref.load %x[%i] : memref<?xf64>
    scf.for %j = %c0 to %c3 step %c1 {
      %next = arith.addi %j, %c1 : index
      %sum = scf.for %k = %c0 to %next step %c1 iter_args(%s = %zero) -> f64 {
        %ljk = memref.load %l[%j, %k] : memref<3x3xf64>
        %p = arith.mulf %ljk, %xi : f64
        %new = arith.addf %p, %s : f64
        scf.yield %new : f64
      }
      %e = math.exp %sum : f64
      memref.store %e, %t[%j] : memref<3xf64>
    }
    %y = memref.load %t[%c1] : memref<3xf64>
    memref.store %y, %r[%i] : memref<?xf64>
  }
  return %r : memref<?xf64>
}

// -----

// Records are gathered lane by lane; f32 has twice as many lanes; what is the same for all stays a scalar.
// CHECK-LABEL: func.func @records(
// CHECK: scf.for %[[I:.*]] = %c0 to %{{.*}} step %c16
// CHECK:   %[[OWN:.*]] = memref.alloc() : memref<2xf32>
// CHECK:   memref.store %{{.*}}, %[[OWN]][%c0] : memref<2xf32>
// CHECK:   memref.load %{{.*}}[%[[I]], %c0] : memref<?x2xf32>
// CHECK:   %[[SECOND:.*]] = arith.addi %[[I]], %c1
// CHECK:   memref.load %{{.*}}[%[[SECOND]], %c0] : memref<?x2xf32>
// CHECK:   vector.from_elements {{.*}} : vector<16xf32>
// CHECK:   math.tanh {{.*}} : vector<16xf32>
// CHECK:   vector.extract {{.*}}[15] : f32 from vector<16xf32>
func.func @records(%x: memref<?x2xf32>, %a: f32, %n: index) -> memref<?x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.alloc(%n) : memref<?x2xf32>
  scf.for %i = %c0 to %n step %c1 {
    %own = memref.alloc() : memref<2xf32>
    memref.store %a, %own[%c0] : memref<2xf32>
    %from = memref.subview %x[%i, 0] [1, 2] [1, 1] : memref<?x2xf32> to memref<2xf32, strided<[1], offset: ?>>
    %u = memref.load %from[%c0] : memref<2xf32, strided<[1], offset: ?>>
    %v = memref.load %from[%c1] : memref<2xf32, strided<[1], offset: ?>>
    %w = memref.load %own[%c0] : memref<2xf32>
    %t = math.tanh %u : f32
    %p = arith.mulf %t, %v : f32
    %q = arith.divf %p, %w : f32
    %s = math.exp %q : f32
    %to = memref.subview %r[%i, 0] [1, 2] [1, 1] : memref<?x2xf32> to memref<2xf32, strided<[1], offset: ?>>
    memref.store %q, %to[%c0] : memref<2xf32, strided<[1], offset: ?>>
    memref.store %s, %to[%c1] : memref<2xf32, strided<[1], offset: ?>>
  }
  return %r : memref<?x2xf32>
}
