// Arrays come from .npy files of any byte order and layout, and go to row-major ones.
// RUN: %python %S/Inputs/npy.py %t.f8.npy '<f8' '(2, 3)' 1 2 3 4 5 6
// RUN: ad-opt run %s --entry=double --input=%t.f8.npy | FileCheck %s
// RUN: %python %S/Inputs/npy.py %t.f8.npy '<f8' '(2, 3)' 1 4 2 5 3 6 --fortran
// RUN: ad-opt run %s --entry=double --input=%t.f8.npy | FileCheck %s
// RUN: %python %S/Inputs/npy.py %t.f8.npy '>f8' '(2, 3)' 1 2 3 4 5 6
// RUN: ad-opt run %s --entry=double --input=%t.f8.npy | FileCheck %s
// RUN: %python %S/Inputs/npy.py %t.f8.npy '<f8' '(0, 3)'
// RUN: ad-opt run %s --entry=double --input=%t.f8.npy | FileCheck %s --check-prefix=EMPTY

// CHECK:      [2.0, 4.0, 6.0],
// CHECK-NEXT: [8.0, 10.0, 12.0]]
// EMPTY: []  # shape (0, 3)
func.func @double(%xs: tensor<?x3xf64>) -> tensor<?x3xf64> {
  %0 = arith.addf %xs, %xs : tensor<?x3xf64>
  return %0 : tensor<?x3xf64>
}

// Results are inputs again, scalars too, of every type.
// RUN: %python %S/Inputs/npy.py %t.u8.npy '|u1' '(2,)' 1 255
// RUN: %python %S/Inputs/npy.py %t.b1.npy '|b1' '(2,)' 1 0
// RUN: %python %S/Inputs/npy.py %t.c8.npy '<f4' '()' 2.5
// RUN: %python %S/Inputs/npy.py %t.i8.npy '<u8' '()' 7
// RUN: rm -rf %t.out
// RUN: ad-opt run %s --entry=all --input=%t.u8.npy --input=%t.b1.npy --input=%t.c8.npy --input=%t.i8.npy --input=1+2j --input=0.5 --output-dir=%t.out | count 0
// RUN: ad-opt run %s --entry=all --input=%t.out/0.npy --input=%t.out/1.npy --input=%t.out/2.npy --input=%t.out/3.npy --input=%t.out/4.npy --input=%t.out/5.npy | FileCheck %s --check-prefix=ALL

// ALL: [1, -1]
// ALL-NEXT: [true, false]
// ALL-NEXT: 2.5
// ALL-NEXT: 7
// ALL-NEXT: 1.0+2.0j
// ALL-NEXT: 0.5
func.func @all(%0: tensor<2xi8>, %1: tensor<?xi1>, %2: f32, %3: index, %4: complex<f64>, %5: bf16)
    -> (tensor<2xi8>, tensor<?xi1>, f32, index, complex<f64>, bf16) {
  return %0, %1, %2, %3, %4, %5 : tensor<2xi8>, tensor<?xi1>, f32, index, complex<f64>, bf16
}
