// Fewer sums than a register has lanes are added up one after the other, each along its row, which LLVM
// does with all lanes; so the loop over vectors has no iterations then, and otherwise the loop as it was.
// RUN: ad-opt %s --ad-vectorize --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @correlation(
// CHECK-SAME: %{{.*}}: memref<?xf64>, %{{.*}}: memref<?xf64>, %[[SHIFTS:.*]]: index, %{{.*}}: index
// CHECK: %[[COUNT:.*]] = arith.subi %[[SHIFTS]], %c0
// CHECK: %[[FEW:.*]] = arith.cmpi slt, %[[COUNT]], %c4
// CHECK: %[[FROM:.*]] = arith.select %[[FEW]], %[[SHIFTS]], %c0
// CHECK: scf.for {{.*}} = %[[FROM]] to
// CHECK:   vector.store
// CHECK: vector.maskedstore
// CHECK: scf.for {{.*}} = %c0 to %[[FROM]] step %c1
// CHECK:   scf.for
// CHECK:     memref.load
// CHECK:   memref.store
// CHECK: return
func.func @correlation(%x: memref<?xf64>, %y: memref<?xf64>, %shifts: index, %n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = memref.alloc(%shifts) : memref<?xf64>
  scf.for %shift = %c0 to %shifts step %c1 {
    %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
      %at = arith.addi %shift, %j : index
      %a = memref.load %x[%at] : memref<?xf64>
      %b = memref.load %y[%j] : memref<?xf64>
      %p = arith.mulf %a, %b fastmath<contract> : f64
      %next = arith.addf %s, %p fastmath<reassoc,contract> : f64
      scf.yield %next : f64
    }
    memref.store %sum, %r[%shift] : memref<?xf64>
  }
  return %r : memref<?xf64>
}

// -----

// Columns instead of rows: one after the other they would be read with a stride.
// CHECK-LABEL: func.func @columns(
// CHECK-NOT: arith.select
// CHECK: return
func.func @columns(%x: memref<?x?xf64>, %y: memref<?xf64>, %columns: index, %n: index)
    -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = memref.alloc(%columns) : memref<?xf64>
  scf.for %i = %c0 to %columns step %c1 {
    %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
      %a = memref.load %x[%j, %i] : memref<?x?xf64>
      %b = memref.load %y[%j] : memref<?xf64>
      %p = arith.mulf %a, %b fastmath<contract> : f64
      %next = arith.addf %s, %p fastmath<reassoc,contract> : f64
      scf.yield %next : f64
    }
    memref.store %sum, %r[%i] : memref<?xf64>
  }
  return %r : memref<?xf64>
}
