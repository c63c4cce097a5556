// Loops that stay as they are.
// RUN: ad-opt %s --ad-vectorize --split-input-file | FileCheck %s --implicit-check-not=vector
// RUN: not ad-opt %s --pass-pipeline='builtin.module(ad-vectorize{instruction-set=mmx})' 2>&1 | FileCheck %s --check-prefix=SET

// SET: error: 'builtin.module' op no instruction set 'mmx'; there are sse4, avx2, avx512

// LLVM vectorises it.
// CHECK-LABEL: func.func @plain(
func.func @plain(%x: memref<?xf64>, %n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xf64>
    %e = arith.mulf %v, %v : f64
    memref.store %e, %r[%i] : memref<?xf64>
  }
  return %r : memref<?xf64>
}

// -----

// An iteration reads what the one before has written.
// CHECK-LABEL: func.func @depends(
func.func @depends(%x: memref<?x3xf64>, %n: index) -> memref<?x3xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.alloc(%n) : memref<?x3xf64>
  scf.for %i = %c1 to %n step %c1 {
    %before = arith.subi %i, %c1 : index
    %v = memref.load %r[%before, %c0] : memref<?x3xf64>
    %e = math.exp %v : f64
    %s = math.sin %e : f64
    memref.store %s, %r[%i, %c0] : memref<?x3xf64>
  }
  return %r : memref<?x3xf64>
}

// -----

// Several iterations write to one place.
// CHECK-LABEL: func.func @last(
func.func @last(%x: memref<?x3xf64>, %n: index) -> memref<3xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.alloc() : memref<3xf64>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i, %c0] : memref<?x3xf64>
    %e = math.exp %v : f64
    %s = math.sin %e : f64
    memref.store %s, %r[%c1] : memref<3xf64>
  }
  return %r : memref<3xf64>
}

// -----

// The array that is written may be the one that is read.
// CHECK-LABEL: func.func @argument(
func.func @argument(%x: memref<?x3xf64>, %r: memref<?x3xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i, %c0] : memref<?x3xf64>
    %e = math.exp %v : f64
    %s = math.sin %e : f64
    memref.store %s, %r[%i, %c1] : memref<?x3xf64>
  }
  return
}

// -----

// Inner loops of different lengths, which carry a product of what they have read.
// CHECK-LABEL: func.func @lengths(
func.func @lengths(%x: memref<?x?xf64>, %n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %sum = scf.for %j = %c0 to %i step %c1 iter_args(%s = %zero) -> f64 {
      %v = memref.load %x[%j, %i] : memref<?x?xf64>
      %e = arith.mulf %v, %s : f64
      %new = math.exp %e : f64
      scf.yield %new : f64
    }
    memref.store %sum, %r[%i] : memref<?xf64>
  }
  return %r : memref<?xf64>
}

// -----

// Fewer iterations than lanes.
// CHECK-LABEL: func.func @short(
func.func @short(%x: memref<3x3xf64>) -> memref<3x3xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = memref.alloc() : memref<3x3xf64>
  scf.for %i = %c0 to %c3 step %c1 {
    %v = memref.load %x[%i, %c0] : memref<3x3xf64>
    %e = math.exp %v : f64
    %s = math.sin %e : f64
    memref.store %s, %r[%i, %c0] : memref<3x3xf64>
  }
  return %r : memref<3x3xf64>
}

// -----

// LLVM has as many sums or minima side by side as it takes, along a part of an array, too.
// CHECK-LABEL: func.func @part
// CHECK-NOT: vector
func.func @part(%x: memref<?xf64>, %start: index, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %far = arith.constant 0x7FF0000000000000 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%least = %far) -> f64 {
    %at = arith.addi %start, %i : index
    %v = memref.load %x[%at] : memref<?xf64>
    %new = arith.minimumf %least, %v : f64
    scf.yield %new : f64
  }
  return %r : f64
}
