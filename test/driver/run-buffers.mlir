// Arrays may be memrefs; results may be arguments, or one another.
// RUN: %python %S/Inputs/npy.py %t.npy '<f8' '(3,)' 1 2 3
// RUN: ad-opt run %s --entry=second --input=%t.npy | FileCheck %s --check-prefix=SECOND
// RUN: ad-opt run %s --entry=twice --input=%t.npy --repeat=2 2>/dev/null | FileCheck %s --check-prefix=TWICE
// RUN: ad-opt run %s --entry=overwrite --input=%t.npy --repeat=2 2>/dev/null | FileCheck %s --check-prefix=OVERWRITE

// SECOND: 2.0
func.func @second(%x: memref<?xf64>) -> f64 {
  %c1 = arith.constant 1 : index
  %0 = memref.load %x[%c1] : memref<?xf64>
  return %0 : f64
}

// TWICE: [1.0, 2.0, 3.0]
// TWICE-NEXT: [1.0, 2.0, 3.0]
// TWICE-NEXT: [4.0, 4.0]
// TWICE-NEXT: [4.0, 4.0]
func.func @twice(%x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<2xf64>, tensor<2xf64>) {
  %0 = arith.constant dense<4.0> : tensor<2xf64>
  return %x, %x, %0, %0 : tensor<?xf64>, tensor<?xf64>, tensor<2xf64>, tensor<2xf64>
}

// An argument that is written to is as given in every run.
// OVERWRITE: [2.0, 2.0, 3.0]
func.func @overwrite(%x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %0 = tensor.extract %x[%c0] : tensor<?xf64>
  %1 = arith.addf %0, %0 : f64
  %2 = tensor.insert %1 into %x[%c0] : tensor<?xf64>
  return %2 : tensor<?xf64>
}
