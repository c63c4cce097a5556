// What is read of a variable, a buffer of one element, is read in front of a loop that does not write to it: bounds of loops, where
// Fortran passes numbers by their addresses (Z18). What is written, freed or perhaps changed by a call is read in each iteration.
// RUN: ad-opt %s --ad-hoist --cse | FileCheck %s

// CHECK-LABEL: func.func @stays(
// CHECK: memref.store %{{.*}}, %[[N:.*]][]
// CHECK-NEXT: %[[BOUND:.*]] = memref.load %[[N]][]
// CHECK: scf.for %{{.*}} = %c0 to %[[BOUND]]
// CHECK: scf.for %{{.*}} = %c0 to %[[BOUND]]
// CHECK-NOT: memref.load %[[N]]
// CHECK: memref.dealloc %[[N]]
func.func @stays(%x: f64, %n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<index>
  %y = memref.alloc(%n) : memref<?xf64>
  memref.store %n, %m[] : memref<index>
  %a = memref.load %m[] : memref<index>
  scf.for %i = %c0 to %a step %c1 {
    %b = memref.load %m[] : memref<index>
    scf.for %j = %c0 to %b step %c1 {
      %c = memref.load %m[] : memref<index>
      %d = arith.subi %c, %c1 : index
      memref.store %x, %y[%d] : memref<?xf64>
    }
  }
  memref.dealloc %m : memref<index>
  return %y : memref<?xf64>
}

// CHECK-LABEL: func.func @changes(
// CHECK: scf.for
// CHECK: memref.load %{{.*}}[] : memref<index>
// CHECK: memref.store
// CHECK: scf.for
// CHECK: func.call
// CHECK: memref.load %{{.*}}[] : memref<index>
func.func private @outside(memref<index>)
func.func @changes(%n: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloca() : memref<index>
  memref.store %n, %m[] : memref<index>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %c0) -> index {
    %a = memref.load %m[] : memref<index>
    %b = arith.addi %a, %c1 : index
    memref.store %b, %m[] : memref<index>
    %u = arith.addi %t, %a : index
    scf.yield %u : index
  }
  %v = scf.for %i = %c0 to %n step %c1 iter_args(%t = %c0) -> index {
    func.call @outside(%m) : (memref<index>) -> ()
    %a = memref.load %m[] : memref<index>
    %u = arith.addi %t, %a : index
    scf.yield %u : index
  }
  return %s, %v : index, index
}

// The loop has no iterations if what is freed is.
// CHECK-LABEL: func.func @freed(
// CHECK: memref.dealloc
// CHECK-NEXT: scf.for
// CHECK-NEXT: memref.load
func.func @freed(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<index>
  memref.store %n, %m[] : memref<index>
  memref.dealloc %m : memref<index>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %c0) -> index {
    %a = memref.load %m[] : memref<index>
    %u = arith.addi %t, %a : index
    scf.yield %u : index
  }
  return %s : index
}
