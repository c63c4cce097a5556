// Loops that stay as they are.
// RUN: ad-opt %s --ad-look-ahead | FileCheck %s --implicit-check-not=remsi

// The order of sums matters.
// CHECK-LABEL: func.func @ordered(
func.func @ordered(%x: memref<?xf64>, %y: memref<?xf64>, %n: index, %start: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%h = %start) -> (f64) {
    %a = memref.load %x[%i] : memref<?xf64>
    %next = arith.addf %h, %a fastmath<contract> : f64
    memref.store %next, %y[%i] : memref<?xf64>
    scf.yield %next : f64
  }
  return %last : f64
}

// LLVM makes vectors of a sum that nothing reads before it is complete.
// CHECK-LABEL: func.func @sum(
func.func @sum(%x: memref<?xf64>, %n: index, %start: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%h = %start) -> (f64) {
    %a = memref.load %x[%i] : memref<?xf64>
    %next = arith.addf %h, %a fastmath<reassoc> : f64
    scf.yield %next : f64
  }
  return %last : f64
}

// Not linear in what is carried.
// CHECK-LABEL: func.func @square(
func.func @square(%x: memref<?xf64>, %y: memref<?xf64>, %n: index, %start: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%h = %start) -> (f64) {
    %a = memref.load %x[%i] : memref<?xf64>
    %square = arith.mulf %h, %h fastmath<reassoc> : f64
    %next = arith.addf %square, %a fastmath<reassoc> : f64
    memref.store %next, %y[%i] : memref<?xf64>
    scf.yield %next : f64
  }
  return %last : f64
}

// Each of the two waits for the other.
// CHECK-LABEL: func.func @coupled(
func.func @coupled(%x: memref<?xf64>, %y: memref<?xf64>, %n: index, %start: f64) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%g = %start, %h = %start) -> (f64, f64) {
    %a = memref.load %x[%i] : memref<?xf64>
    %ah = arith.mulf %h, %a fastmath<reassoc> : f64
    %g1 = arith.addf %g, %ah fastmath<reassoc> : f64
    %ag = arith.mulf %g, %a fastmath<reassoc> : f64
    %h1 = arith.addf %h, %ag fastmath<reassoc> : f64
    memref.store %h1, %y[%i] : memref<?xf64>
    scf.yield %g1, %h1 : f64, f64
  }
  return %last#0, %last#1 : f64, f64
}

// Integers do not wait.
// CHECK-LABEL: func.func @integers(
func.func @integers(%x: memref<?xi64>, %y: memref<?xi64>, %n: index, %start: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%h = %start) -> (i64) {
    %a = memref.load %x[%i] : memref<?xi64>
    %next = arith.addi %h, %a : i64
    memref.store %next, %y[%i] : memref<?xi64>
    scf.yield %next : i64
  }
  return %last : i64
}
