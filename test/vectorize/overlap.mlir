// Where iterations may be repeated, and write where no mask helps, the last ones run on a vector with some that have run; a scalar loop is for fewer
// than a vector has lanes.
// RUN: ad-opt %s --ad-vectorize --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @products(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x?xf64>, %[[N:[a-z0-9]+]]: index, %[[M:[a-z0-9]+]]: index
// CHECK: %[[R:.*]] = memref.alloc(%[[N]])
// CHECK: %[[COUNT:.*]] = arith.subi %[[N]], %c0 : index
// CHECK: %[[ENOUGH:.*]] = arith.cmpi sle, %[[C16:.*]], %[[COUNT]] : index
// CHECK: %[[END:.*]] = arith.select %[[ENOUGH]], %[[N]], %c0 : index
// CHECK: scf.for %[[I:[a-z0-9]+]] = %c0 to %[[END]] step %[[C16]]
// CHECK:   %[[LAST:.*]] = arith.subi %[[N]], %[[C16]] : index
// CHECK:   %[[FIRST:.*]] = arith.minsi %[[I]], %[[LAST]] : index
// CHECK:   scf.for {{.*}} -> (vector<16xf64>)
// CHECK:     vector.load %[[X]][%{{.*}}, %[[FIRST]]]
// CHECK:   memref.store %{{.*}}, %[[R]][%[[FIRST]], %c0]
// CHECK:   %[[SECOND:.*]] = arith.addi %[[FIRST]], %{{.*}} : index
// CHECK:   memref.store %{{.*}}, %[[R]][%[[SECOND]], %c0]
// CHECK: scf.for %{{.*}} = %[[END]] to %[[N]] step %c1
// CHECK-NOT: vector
// CHECK: return %[[R]]
func.func @products(%x: memref<?x?xf64>, %n: index, %m: index) -> memref<?x2xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %r = memref.alloc(%n) : memref<?x2xf64>
  scf.for %i = %c0 to %n step %c1 {
    %product = scf.for %j = %c0 to %m step %c1 iter_args(%p = %one) -> f64 {
      %v = memref.load %x[%j, %i] : memref<?x?xf64>
      %new = arith.mulf %p, %v : f64
      scf.yield %new : f64
    }
    memref.store %product, %r[%i, %c0] : memref<?x2xf64>
  }
  return %r : memref<?x2xf64>
}

// -----

// What is read from where the loop writes to would be another value the second time.
// CHECK-LABEL: func.func @in_place(
// CHECK: %[[LEFT:.*]] = arith.remsi
// CHECK: %[[MIDDLE:.*]] = arith.subi %{{.*}}, %[[LEFT]] : index
// CHECK: scf.for %{{.*}} to %[[MIDDLE]] step %c16
// CHECK-NOT: arith.minsi
// CHECK: scf.for %{{.*}} = %[[MIDDLE]] to
func.func @in_place(%x: memref<?x?xf64>, %n: index, %m: index) -> memref<?x2xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %r = memref.alloc(%n) : memref<?x2xf64>
  scf.for %i = %c0 to %n step %c1 {
    %start = memref.load %r[%i, %c0] : memref<?x2xf64>
    %product = scf.for %j = %c0 to %m step %c1 iter_args(%p = %start) -> f64 {
      %v = memref.load %x[%j, %i] : memref<?x?xf64>
      %new = arith.mulf %p, %v : f64
      scf.yield %new : f64
    }
    memref.store %product, %r[%i, %c0] : memref<?x2xf64>
  }
  return %r : memref<?x2xf64>
}

// -----

// So would a sum.
// CHECK-LABEL: func.func @sum(
// CHECK: arith.remsi
// CHECK-NOT: arith.minsi
// CHECK: return
func.func @sum(%x: memref<?x?xf64>, %n: index, %m: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %product = scf.for %j = %c0 to %m step %c1 iter_args(%p = %one) -> f64 {
      %v = memref.load %x[%j, %i] : memref<?x?xf64>
      %new = arith.mulf %p, %v : f64
      scf.yield %new : f64
    }
    %next = arith.addf %s, %product fastmath<reassoc> : f64
    scf.yield %next : f64
  }
  return %sum : f64
}
