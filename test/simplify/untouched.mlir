// RUN: ad-opt %s --ad-simplify --canonicalize | FileCheck %s

// What no earlier iteration has written to is still zero.

// The row of each iteration: nothing is read and added.
// CHECK-LABEL: func.func @rows
// CHECK: scf.for %[[i:.*]] = {{.*}} iter_args(%[[all:.*]] = %{{.*}})
// CHECK-NOT: tensor.extract_slice
// CHECK-NOT: arith.addf
// CHECK: %[[row:.*]] = soac.replicate
// CHECK-NEXT: %[[new:.*]] = tensor.insert_slice %[[row]] into %[[all]]
// CHECK-NEXT: scf.yield %[[new]]
func.func @rows(%xs: tensor<?xf64>, %n: index, %m: index) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %last = arith.subi %n, %c1 : index
  %empty = tensor.empty(%n, %m) : tensor<?x?xf64>
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : tensor<?x?xf64>) -> tensor<?x?xf64>
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%all = %zeros) -> (tensor<?x?xf64>) {
    %at = arith.subi %last, %i : index
    %x = tensor.extract %xs[%at] : tensor<?xf64>
    %more = soac.replicate %x, %m : f64 -> tensor<?xf64>
    %old = tensor.extract_slice %all[%at, 0] [1, %m] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
    %new = arith.addf %old, %more : tensor<?xf64>
    %next = tensor.insert_slice %new into %all[%at, 0] [1, %m] [1, 1]
        : tensor<?xf64> into tensor<?x?xf64>
    scf.yield %next : tensor<?x?xf64>
  }
  return %end : tensor<?x?xf64>
}

// The element of each iteration.
// CHECK-LABEL: func.func @elements
// CHECK: scf.for
// CHECK-NOT: arith.addf
// CHECK: return
func.func @elements(%xs: tensor<?xf64>, %n: index, %shift: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %zeros = tensor.splat %zero[%n] : tensor<?xf64>
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%all = %zeros) -> (tensor<?xf64>) {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %at = arith.addi %i, %shift : index
    %old = tensor.extract %all[%at] : tensor<?xf64>
    %new = arith.addf %old, %x : f64
    %next = tensor.insert %new into %all[%at] : tensor<?xf64>
    scf.yield %next : tensor<?xf64>
  }
  return %end : tensor<?xf64>
}

// Iterations that share an element, that read another one than they write, and an array that is not zero.
// CHECK-LABEL: func.func @touched
// CHECK: scf.for
// CHECK: tensor.extract
// CHECK: tensor.extract
// CHECK: arith.addf
// CHECK: scf.for
// CHECK: tensor.extract
// CHECK: tensor.extract
// CHECK: arith.addf
// CHECK: scf.for
// CHECK: tensor.extract
// CHECK: tensor.extract
// CHECK: arith.addf
func.func @touched(%xs: tensor<?xf64>, %n: index, %ones: tensor<?xf64>)
    -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %zeros = tensor.splat %zero[%n] : tensor<?xf64>
  %shared = scf.for %i = %c0 to %n step %c1 iter_args(%all = %zeros) -> (tensor<?xf64>) {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %at = arith.divui %i, %c2 : index
    %old = tensor.extract %all[%at] : tensor<?xf64>
    %new = arith.addf %old, %x : f64
    %next = tensor.insert %new into %all[%at] : tensor<?xf64>
    scf.yield %next : tensor<?xf64>
  }
  %other = scf.for %i = %c1 to %n step %c1 iter_args(%all = %zeros) -> (tensor<?xf64>) {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %before = arith.subi %i, %c1 : index
    %old = tensor.extract %all[%before] : tensor<?xf64>
    %new = arith.addf %old, %x : f64
    %next = tensor.insert %new into %all[%i] : tensor<?xf64>
    scf.yield %next : tensor<?xf64>
  }
  %started = scf.for %i = %c0 to %n step %c1 iter_args(%all = %ones) -> (tensor<?xf64>) {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %old = tensor.extract %all[%i] : tensor<?xf64>
    %new = arith.addf %old, %x : f64
    %next = tensor.insert %new into %all[%i] : tensor<?xf64>
    scf.yield %next : tensor<?xf64>
  }
  return %shared, %other, %started : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}
