// Sums that a loop carries stay in their buffers, in whatever order the map yields them.
// RUN: ad-opt %s --ad-bufferize | FileCheck %s
// RUN: %python %S/../../driver/Inputs/npy.py %t.npy '<f8' '(5,3)' --vary=1
// RUN: ad-opt check %s --entry=sums --input=%t.npy

// CHECK-LABEL: func.func @sums(
// CHECK: scf.for
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: return
func.func @sums(%rows: tensor<?x?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %rows, %c0 : tensor<?x?xf64>
  %b = tensor.dim %rows, %c1 : tensor<?x?xf64>
  %empty = tensor.empty(%b) : tensor<?xf64>
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : tensor<?xf64>) -> tensor<?xf64>
  %sums:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zeros, %q = %zeros)
      -> (tensor<?xf64>, tensor<?xf64>) {
    %row = tensor.extract_slice %rows[%i, 0] [1, %b] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
    %next:2 = soac.map ins(%row, %s, %q : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
        (%x: f64, %sx: f64, %qx: f64) -> (tensor<?xf64>, tensor<?xf64>) {
      %square = arith.mulf %x, %x : f64
      %s1 = arith.addf %sx, %x : f64
      %q1 = arith.addf %qx, %square : f64
      soac.yield %q1, %s1 : f64, f64
    }
    scf.yield %next#1, %next#0 : tensor<?xf64>, tensor<?xf64>
  }
  return %sums#0, %sums#1 : tensor<?xf64>, tensor<?xf64>
}
