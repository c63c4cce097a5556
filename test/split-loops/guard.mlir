// A branch on a number of the iteration and on a flag that all share: one loop for each value of the flag.
// RUN: ad-opt %s --ad-split-loops --canonicalize | FileCheck %s
// RUN: ad-opt run %s --entry=both | FileCheck %s --check-prefix=VALUES

// CHECK-LABEL: func.func private @where_zero(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf64>, %[[Y:[a-z0-9]+]]: memref<?xf64>, %[[ANY:[a-z0-9]+]]: i1
// CHECK:         %[[CUT:.*]] = arith.select %[[ANY]], %[[N:.*]], %c0 : index
// CHECK:         scf.for %{{.*}} = %c0 to %[[CUT]]
// CHECK:           %[[IS_ZERO:.*]] = arith.cmpf oeq
// CHECK-NEXT:      scf.if %[[IS_ZERO]]
// CHECK:         scf.for %{{.*}} = %[[CUT]] to %[[N]]
// CHECK-NOT:       scf.if
// CHECK:         return
func.func private @where_zero(%x: memref<?xf64>, %y: memref<?xf64>, %any: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %seven = arith.constant 7.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xf64>
    %is_zero = arith.cmpf oeq, %v, %zero : f64
    %special = arith.andi %any, %is_zero : i1
    scf.if %special {
      memref.store %seven, %y[%i] : memref<?xf64>
    } else {
      memref.store %v, %y[%i] : memref<?xf64>
    }
  }
  return
}

// A disjunction, and a sum that goes through both loops.
// CHECK-LABEL: func.func private @all_or_positive(
// CHECK-SAME:    %[[ALL:[a-z0-9]+]]: i1
// CHECK:         %[[CUT:.*]] = arith.select %[[ALL]], %[[N:.*]], %c0 : index
// CHECK:         %[[FIRST:.*]] = scf.for %{{.*}} = %c0 to %[[CUT]]
// CHECK-NOT:       scf.if
// CHECK:         scf.for %{{.*}} = %[[CUT]] to %[[N]] step %c1 iter_args(%{{.*}} = %[[FIRST]])
// CHECK:           %[[IS:.*]] = arith.cmpf ogt
// CHECK-NEXT:      scf.if %[[IS]]
func.func private @all_or_positive(%x: memref<?xf64>, %y: memref<?xf64>, %all: i1) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %v = memref.load %x[%i] : memref<?xf64>
    %is = arith.cmpf ogt, %v, %zero : f64
    %takes = arith.ori %all, %is : i1
    %next = scf.if %takes -> f64 {
      %w = memref.load %y[%i] : memref<?xf64>
      %t = arith.addf %s, %w : f64
      scf.yield %t : f64
    } else {
      scf.yield %s : f64
    }
    scf.yield %next : f64
  }
  return %sum : f64
}

// A number of iterations that is written down: such a loop may be unrolled.
// CHECK-LABEL: func.func private @short(
// CHECK:         scf.for
// CHECK-NOT:     scf.for
func.func private @short(%x: memref<4xf64>, %all: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %c4 step %c1 {
    %v = memref.load %x[%i] : memref<4xf64>
    %is = arith.cmpf ogt, %v, %zero : f64
    %takes = arith.ori %all, %is : i1
    scf.if %takes {
      memref.store %zero, %x[%i] : memref<4xf64>
    }
  }
  return
}

// VALUES: 11.0
// VALUES: 5.0
// VALUES: 4.0
// VALUES: -1.0
func.func @both() -> (f64, f64, f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %five = arith.constant 5.0 : f64
  %minus = arith.constant -1.0 : f64
  %yes = arith.constant true
  %no = arith.constant false
  %x = memref.alloc(%c3) : memref<?xf64>
  %y = memref.alloc(%c3) : memref<?xf64>
  memref.store %zero, %x[%c0] : memref<?xf64>
  memref.store %five, %x[%c1] : memref<?xf64>
  memref.store %minus, %x[%c2] : memref<?xf64>
  func.call @where_zero(%x, %y, %yes) : (memref<?xf64>, memref<?xf64>, i1) -> ()
  %all_sevens = func.call @all_or_positive(%x, %y, %yes) : (memref<?xf64>, memref<?xf64>, i1) -> f64
  %positive_sevens = func.call @all_or_positive(%x, %y, %no) : (memref<?xf64>, memref<?xf64>, i1) -> f64
  func.call @where_zero(%x, %y, %no) : (memref<?xf64>, memref<?xf64>, i1) -> ()
  %all = func.call @all_or_positive(%x, %y, %yes) : (memref<?xf64>, memref<?xf64>, i1) -> f64
  %last = memref.load %y[%c2] : memref<?xf64>
  return %all_sevens, %positive_sevens, %all, %last : f64, f64, f64, f64
}
