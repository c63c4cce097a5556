// Where a body calls functions, the iterations that no whole vector is left for run on a part of one.
// The steps of exponentials wait for each other, so that a vector fills two registers if there are so many
// iterations; then the iterations that are left fill one, or one and a part of the other.
// RUN: ad-opt %s --ad-vectorize --split-input-file | FileCheck %s
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-vectorize{instruction-set=sse4})' --split-input-file | FileCheck %s --check-prefix=SSE4
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-vectorize{instruction-set=avx512})' --split-input-file | FileCheck %s --check-prefix=AVX512

// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?xf64>, %[[N:[a-z0-9]+]]: index
// CHECK: %[[R:.*]] = memref.alloc
// CHECK: %[[LEFT:.*]] = arith.remsi
// CHECK: %[[MIDDLE:.*]] = arith.subi %[[N]], %[[LEFT]]
// CHECK: scf.for {{.*}} to %[[MIDDLE]]
// CHECK:   vector.load %[[X]]
// CHECK:   math.exp %{{.*}} : vector<8xf64>
// CHECK:   vector.store %{{.*}}, %[[R]]
// CHECK: %[[ANY:.*]] = arith.cmpi sgt, %[[LEFT]], %c0
// CHECK: scf.if %[[ANY]]
// CHECK:   %[[TWO:.*]] = arith.cmpi sgt, %[[LEFT]], %c4
// CHECK:   scf.if %[[TWO]]
// CHECK:     %[[MORE:.*]] = arith.subi %[[LEFT]], %c4
// CHECK:     %[[UPPER:.*]] = vector.create_mask %[[MORE]] : vector<4xi1>
// CHECK:     vector.load %[[X]][%[[MIDDLE]]] : memref<?xf64>, vector<4xf64>
// CHECK:     vector.maskedload %[[X]][%{{.*}}], %[[UPPER]]
// CHECK:     math.exp %{{.*}} : vector<8xf64>
// CHECK:     vector.store %{{.*}}, %[[R]][%[[MIDDLE]]] : memref<?xf64>, vector<4xf64>
// CHECK:     %[[BEHIND:.*]] = arith.addi %[[MIDDLE]], %c4
// CHECK:     vector.maskedstore %[[R]][%[[BEHIND]]], %[[UPPER]]
// CHECK:   else
// CHECK:     %[[MASK:.*]] = vector.create_mask %[[LEFT]] : vector<4xi1>
// CHECK:     vector.maskedload %[[X]][%[[MIDDLE]]], %[[MASK]]
// CHECK:     math.exp %{{.*}} : vector<4xf64>
// CHECK:     vector.maskedstore %[[R]][%[[MIDDLE]]], %[[MASK]]
// CHECK-NOT: scf.for
// CHECK: return
// AVX512-LABEL: func.func @rows(
// AVX512: %[[UPPER:.*]] = vector.create_mask %{{.*}} : vector<8xi1>
// AVX512: math.exp %{{.*}} : vector<16xf64>
// AVX512: vector.store %{{.*}} : memref<?xf64>, vector<8xf64>
// AVX512: vector.maskedstore %{{.*}}, %[[UPPER]]
// AVX512: else
// AVX512: %[[MASK:.*]] = vector.create_mask %{{.*}} : vector<8xi1>
// AVX512: math.exp %{{.*}} : vector<8xf64>
// AVX512: vector.maskedstore %{{.*}}, %[[MASK]]
// SSE4-LABEL: func.func @rows(
// SSE4-NOT: vector
// SSE4: return
func.func @rows(%x: memref<?xf64>, %n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xf64>
    %e = math.exp %v : f64
    memref.store %e, %r[%i] : memref<?xf64>
  }
  return %r : memref<?xf64>
}

// -----

// A partial sum gets nothing from lanes that do not run.
// CHECK-LABEL: func.func @sum(
// CHECK: %[[PARTS:.*]] = scf.for {{.*}} -> (vector<8xf64>)
// CHECK: %[[ALL:.*]] = scf.if {{.*}} -> (vector<8xf64>)
// CHECK:   %[[MASK:.*]] = vector.create_mask
// CHECK:   %[[MORE:.*]] = arith.addf
// CHECK:   %[[KEPT:.*]] = arith.select %[[MASK]], %[[MORE]], %[[PARTS]]
// CHECK:   scf.yield %[[KEPT]]
// CHECK:   scf.yield %[[PARTS]]
// CHECK: %[[TOTAL:.*]] = vector.reduction <add>, %[[ALL]]
// CHECK: return %[[TOTAL]]
func.func @sum(%x: memref<?xf64>, %n: index, %start: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %start) -> f64 {
    %v = memref.load %x[%i] : memref<?xf64>
    %e = math.exp %v : f64
    %more = arith.addf %sum, %e fastmath<reassoc> : f64
    scf.yield %more : f64
  }
  return %r : f64
}

// -----

// Where a row is carried by a loop, it is one of those that were allocated: none is another in part.
// CHECK-LABEL: func.func @carried(
// CHECK: vector.maskedstore
func.func @carried(%x: memref<?xf64>, %n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.alloc(%n) : memref<?xf64>
  memref.copy %x, %r : memref<?xf64> to memref<?xf64>
  %last = scf.for %t = %c0 to %n step %c1 iter_args(%row = %r) -> memref<?xf64> {
    %next = memref.alloc(%n) : memref<?xf64>
    scf.for %i = %c0 to %n step %c1 {
      %v = memref.load %row[%i] : memref<?xf64>
      %e = math.tanh %v : f64
      memref.store %e, %next[%i] : memref<?xf64>
    }
    scf.yield %next : memref<?xf64>
  }
  return %last : memref<?xf64>
}

// -----

// A slice of what is carried may be shifted.
// CHECK-LABEL: func.func @shifted(
// CHECK-NOT: vector
func.func @shifted(%x: memref<?xf64>, %n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.alloc(%n) : memref<?xf64>
  %m = arith.subi %n, %c1 : index
  %before = memref.subview %r[0] [%m] [1] : memref<?xf64> to memref<?xf64, strided<[1]>>
  %after = memref.subview %r[1] [%m] [1] : memref<?xf64> to memref<?xf64, strided<[1], offset: 1>>
  scf.for %i = %c0 to %m step %c1 {
    %v = memref.load %before[%i] : memref<?xf64, strided<[1]>>
    %e = math.tanh %v : f64
    memref.store %e, %after[%i] : memref<?xf64, strided<[1], offset: 1>>
  }
  return %r : memref<?xf64>
}

// -----

// What looks up places, or divides integers that it reads, must not run in vain.
// CHECK-LABEL: func.func @places(
// CHECK-NOT: vector.create_mask
// CHECK-LABEL: func.func @divided(
// CHECK-NOT: vector.create_mask
func.func @places(%x: memref<?xf64>, %at: memref<?xindex>, %n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %j = memref.load %at[%i] : memref<?xindex>
    %v = memref.load %x[%j] : memref<?xf64>
    %e = math.exp %v : f64
    %f = math.sin %e : f64
    memref.store %f, %r[%i] : memref<?xf64>
  }
  return %r : memref<?xf64>
}

func.func @divided(%x: memref<?xf64>, %k: memref<?xi64>, %n: index) -> (memref<?xf64>, memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %number = arith.constant 100 : i64
  %r = memref.alloc(%n) : memref<?xf64>
  %s = memref.alloc(%n) : memref<?xi64>
  scf.for %i = %c0 to %n step %c1 {
    %j = memref.load %k[%i] : memref<?xi64>
    %q = arith.divsi %number, %j : i64
    %v = memref.load %x[%i] : memref<?xf64>
    %e = math.exp %v : f64
    memref.store %e, %r[%i] : memref<?xf64>
    memref.store %q, %s[%i] : memref<?xi64>
  }
  return %r, %s : memref<?xf64>, memref<?xi64>
}

// -----

// CHECK-LABEL: func.func @few(
// CHECK: math.tanh %{{.*}} : vector<4xf64>
// CHECK-LABEL: func.func @library(
// CHECK: math.sin %{{.*}} : vector<4xf64>
func.func @few(%x: memref<6xf64>) -> memref<6xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %r = memref.alloc() : memref<6xf64>
  scf.for %i = %c0 to %c6 step %c1 {
    %v = memref.load %x[%i] : memref<6xf64>
    %e = math.tanh %v : f64
    memref.store %e, %r[%i] : memref<6xf64>
  }
  return %r : memref<6xf64>
}

func.func @library(%x: memref<?xf64>, %n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xf64>
    %e = math.exp %v : f64
    %s = math.sin %e : f64
    memref.store %s, %r[%i] : memref<?xf64>
  }
  return %r : memref<?xf64>
}
