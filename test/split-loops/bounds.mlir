// A loop around sums whose bounds are extrema of its number: away from the borders of a stencil all
// sums have the same bounds, and are vectorised together.
// RUN: ad-opt %s --ad-split-loops --canonicalize --cse | FileCheck %s
// RUN: ad-opt run %s --entry=border --input=7 --input=3 | FileCheck %s --check-prefix=WIDE
// RUN: ad-opt run %s --entry=border --input=2 --input=4 | FileCheck %s --check-prefix=NARROW
// RUN: ad-opt run %s --entry=border --input=0 --input=3 | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %s --entry=border --input=3 --input=0 | FileCheck %s --check-prefix=EMPTY

// How many k there are with max(0, j - n + m) <= k < min(m, j + 1), and their sum: full correlation.
// CHECK-LABEL: func.func private @counts(
// CHECK-SAME: %[[N:.*]]: index, %[[M:.*]]: index
// CHECK: %[[FEW:.*]] = arith.maxsi %[[M]], %{{.*}} : index
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step
// CHECK-NEXT: scf.for %{{.*}} = %{{.*}} to %[[FEW]] step
// CHECK-NOT: arith.minsi
// CHECK: memref.store
// CHECK: return
func.func private @counts(%n: index, %m: index, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %j = %c0 to %n step %c1 {
    %before = arith.subi %j, %n : index
    %from = arith.addi %before, %m : index
    %low = arith.maxsi %from, %c0 : index
    %next = arith.addi %j, %c1 : index
    %high = arith.minsi %m, %next : index
    %length = arith.subi %high, %low : index
    %count = arith.maxsi %length, %c0 : index
    %s = scf.for %k = %c0 to %count step %c1 iter_args(%sum = %zero) -> (f64) {
      %place = arith.addi %low, %k : index
      %integer = arith.index_cast %place : index to i64
      %float = arith.sitofp %integer : i64 to f64
      %hundred = arith.constant 100.0 : f64
      %term = arith.addf %float, %hundred : f64
      %t = arith.addf %sum, %term : f64
      scf.yield %t : f64
    }
    memref.store %s, %y[%j] : memref<?xf64>
  }
  return
}

// WIDE: [100.0, 201.0, 303.0, 303.0, 303.0, 203.0, 102.0]
// NARROW: [0.0, 0.0]
// NONE: []
// EMPTY: [0.0, 0.0, 0.0]
func.func @border(%n: index, %m: index) -> memref<?xf64> {
  %y = memref.alloc(%n) : memref<?xf64>
  call @counts(%n, %m, %y) : (index, index, memref<?xf64>) -> ()
  return %y : memref<?xf64>
}

// What falls with the number: k < min(m, n - j).
// CHECK-LABEL: func.func @falling(
// CHECK-SAME: %[[N:.*]]: index, %[[M:.*]]: index
// CHECK: %[[CUT:.*]] = arith.subi %[[N]], %[[M]]
// CHECK: scf.for
// CHECK-NEXT: scf.for %{{.*}} = %{{.*}} to %[[M]] step
// CHECK: scf.for %[[J:.*]] =
// CHECK-NEXT: %[[LEFT:.*]] = arith.subi %[[N]], %[[J]]
// CHECK-NEXT: scf.for %{{.*}} = %{{.*}} to %[[LEFT]] step
// CHECK: return
func.func @falling(%n: index, %m: index, %x: memref<?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %j = %c0 to %n step %c1 {
    %left = arith.subi %n, %j : index
    %high = arith.minsi %m, %left : index
    %s = scf.for %k = %c0 to %high step %c1 iter_args(%sum = %zero) -> (f64) {
      %place = arith.addi %j, %k : index
      %e = memref.load %x[%place] : memref<?xf64>
      %t = arith.addf %sum, %e : f64
      scf.yield %t : f64
    }
    memref.store %s, %y[%j] : memref<?xf64>
  }
  return
}
