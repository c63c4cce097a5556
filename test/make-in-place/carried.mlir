// An array that a loop carries, and that each iteration copies to a row of its own first, is made there by the iteration
// before.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-make-in-place,ad-canonicalize,cse)' -split-input-file | FileCheck %s
// RUN: ad-opt %s --ad-make-in-place -split-input-file --remarks-filter-analyse='ad-make-in-place' -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: rare | Category:ad-make-in-place | count=1
// COUNT-NOT: rare | Category:ad-make-in-place | count={{[1-9]}}

// The first iteration copies, and so does one whose array was not as large as a row. The last one has no row for the next.
// CHECK-LABEL: func.func @state(
// CHECK-SAME:    %[[N:[a-z0-9]+]]: index, %[[M:[a-z0-9]+]]: index, %[[K:[a-z0-9]+]]: index
// CHECK:         %[[BYTES:.*]] = memref.alloc(%{{.*}}) {{.*}} : memref<?xi8>
// CHECK:         scf.for %[[T:[a-z0-9]+]] = %c0 to %[[N]] step %c1 iter_args(%[[S:[a-z0-9]+]] = %{{[a-z0-9]+}}, %[[HERE:[a-z0-9]+]] = %false)
// CHECK:           scf.if %[[HERE]] {
// CHECK-NEXT:      } else {
// CHECK:             memref.copy %[[S]], %
// CHECK-NEXT:      }
// CHECK:           %[[NUMBER:.*]] = arith.addi %[[T]], %c1
// CHECK:           %[[MORE:.*]] = arith.cmpi slt, %[[NUMBER]], %[[N]]
// CHECK:           %[[FITS:.*]] = arith.cmpi eq, %[[K]], %[[M]]
// CHECK:           %[[NEXT:.*]] = arith.andi %[[MORE]], %[[FITS]]
// CHECK:           %[[X:.*]] = scf.if %[[NEXT]]
// CHECK:             %[[ROW:.*]] = arith.muli %[[M]], %c8
// CHECK:             %[[START:.*]] = arith.muli %[[ROW]], %[[NUMBER]]
// CHECK:             %[[VIEW:.*]] = memref.view %[[BYTES]][%[[START]]][%[[K]]]
// CHECK-NEXT:        scf.yield %[[VIEW]]
// CHECK:           } else {
// CHECK:             %[[OWN:.*]] = memref.alloc(%[[K]])
// CHECK-NEXT:        scf.yield %[[OWN]]
// CHECK:           %[[OLD:.*]] = memref.load %[[S]]
// CHECK:           memref.store %[[OLD]], %[[X]]
// CHECK:           scf.yield %[[X]], %[[NEXT]]
func.func @state(%n: index, %m: index, %k: index, %s0: memref<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = memref.alloc(%n, %m) : memref<?x?xf64>
  %last = scf.for %t = %c0 to %n step %c1 iter_args(%s = %s0) -> memref<?xf64> {
    %row = memref.subview %all[%t, 0] [1, %m] [1, 1] : memref<?x?xf64> to memref<?xf64, strided<[1], offset: ?>>
    memref.copy %s, %row : memref<?xf64> to memref<?xf64, strided<[1], offset: ?>>
    %x = memref.alloc(%k) : memref<?xf64>
    %y = memref.load %s[%c0] : memref<?xf64>
    memref.store %y, %x[%c0] : memref<?xf64>
    scf.yield %x : memref<?xf64>
  }
  %y = memref.load %last[%c0] : memref<?xf64>
  %z = memref.load %all[%c0, %c0] : memref<?x?xf64>
  %sum = arith.addf %y, %z : f64
  return %sum : f64
}

// -----

// The array is written to after it was copied.
// CHECK-LABEL: func.func @changed(
// CHECK-NOT: scf.if
// CHECK: memref.copy
// CHECK-NOT: memref.view
func.func @changed(%n: index, %s0: memref<4xf64>, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = memref.alloc(%n) : memref<?x4xf64>
  scf.for %t = %c0 to %n step %c1 iter_args(%s = %s0) -> memref<4xf64> {
    %row = memref.subview %all[%t, 0] [1, 4] [1, 1] : memref<?x4xf64> to memref<4xf64, strided<[1], offset: ?>>
    memref.copy %s, %row : memref<4xf64> to memref<4xf64, strided<[1], offset: ?>>
    %next = memref.alloc() : memref<4xf64>
    memref.store %x, %s[%c1] : memref<4xf64>
    memref.copy %s, %next : memref<4xf64> to memref<4xf64>
    scf.yield %next : memref<4xf64>
  }
  %z = memref.load %all[%c0, %c0] : memref<?x4xf64>
  return %z : f64
}

// -----

// The buffer is read in the loop: its next row must not be there yet.
// CHECK-LABEL: func.func @read(
// CHECK-NOT: memref.view
func.func @read(%n: index, %s0: memref<4xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = memref.alloc(%n) : memref<?x4xf64>
  scf.for %t = %c0 to %n step %c1 iter_args(%s = %s0) -> memref<4xf64> {
    %row = memref.subview %all[%t, 0] [1, 4] [1, 1] : memref<?x4xf64> to memref<4xf64, strided<[1], offset: ?>>
    memref.copy %s, %row : memref<4xf64> to memref<4xf64, strided<[1], offset: ?>>
    %next = memref.alloc() : memref<4xf64>
    %y = memref.load %all[%c1, %c0] : memref<?x4xf64>
    memref.store %y, %next[%c1] : memref<4xf64>
    scf.yield %next : memref<4xf64>
  }
  %z = memref.load %all[%c0, %c0] : memref<?x4xf64>
  return %z : f64
}

// -----

// Two steps at a time; and one array for two.
// CHECK-LABEL: func.func @others(
// CHECK-NOT: memref.view
func.func @others(%n: index, %s0: memref<4xf64>, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %all = memref.alloc(%n) : memref<?x4xf64>
  scf.for %t = %c0 to %n step %c2 iter_args(%s = %s0) -> memref<4xf64> {
    %row = memref.subview %all[%t, 0] [1, 4] [1, 1] : memref<?x4xf64> to memref<4xf64, strided<[1], offset: ?>>
    memref.copy %s, %row : memref<4xf64> to memref<4xf64, strided<[1], offset: ?>>
    %next = memref.alloc() : memref<4xf64>
    memref.store %x, %next[%c1] : memref<4xf64>
    scf.yield %next : memref<4xf64>
  }
  %more = memref.alloc(%n) : memref<?x4xf64>
  scf.for %t = %c0 to %n step %c1 iter_args(%s = %s0, %r = %s0) -> (memref<4xf64>, memref<4xf64>) {
    %row = memref.subview %more[%t, 0] [1, 4] [1, 1] : memref<?x4xf64> to memref<4xf64, strided<[1], offset: ?>>
    memref.copy %s, %row : memref<4xf64> to memref<4xf64, strided<[1], offset: ?>>
    memref.store %x, %r[%c1] : memref<4xf64>
    %next = memref.alloc() : memref<4xf64>
    memref.store %x, %next[%c1] : memref<4xf64>
    scf.yield %next, %next : memref<4xf64>, memref<4xf64>
  }
  %z = memref.load %all[%c0, %c0] : memref<?x4xf64>
  %w = memref.load %more[%c0, %c0] : memref<?x4xf64>
  %sum = arith.addf %z, %w : f64
  return %sum : f64
}
