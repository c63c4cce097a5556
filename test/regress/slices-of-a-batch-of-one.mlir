// A slice that keeps a dimension of size one, and drops another one behind it, was taken for one that drops the first: as
// nothing of the others fitted then, the choice was upstream's, which is the first, too, where strides are not known.
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(1, 2, 3, 2)' 1 2 3 4 5 6 7 8 9 10 11 12
// RUN: %python %S/../driver/Inputs/npy.py %t.row.npy '<f8' '(1, 2, 2)' 1 2 3 4
// RUN: ad-opt run %s --entry=extract --input=%t.x.npy --input=1 | FileCheck %s --check-prefix=EXTRACT
// RUN: ad-opt run %s --entry=extract --input=%t.x.npy --input=1 --target=gpu-emulate | FileCheck %s --check-prefix=EXTRACT
// RUN: ad-opt run %s --entry=insert --input=%t.row.npy --input=1 --input=3 | FileCheck %s --check-prefix=INSERT
// RUN: ad-opt run %s --entry=insert --input=%t.row.npy --input=1 --input=3 --target=gpu-emulate | FileCheck %s --check-prefix=INSERT
// RUN: ad-opt check %s --entry=extract --input=%t.x.npy --input=1
// RUN: ad-opt check %s --entry=insert --input=%t.row.npy --input=1 --input=3

// EXTRACT:      {{\[\[\[}}3.0, 4.0],
// EXTRACT-NEXT: [9.0, 10.0]]]
func.func @extract(%x: tensor<1x2x?x?xf64>, %t: index) -> tensor<1x2x?xf64> {
  %c3 = arith.constant 3 : index
  %m = tensor.dim %x, %c3 : tensor<1x2x?x?xf64>
  %s = tensor.extract_slice %x[0, 0, %t, 0] [1, 2, 1, %m] [1, 1, 1, 1] : tensor<1x2x?x?xf64> to tensor<1x2x?xf64>
  return %s : tensor<1x2x?xf64>
}

// INSERT:      {{\[\[\[\[}}0.0, 0.0],
// INSERT-NEXT: [1.0, 2.0],
// INSERT-NEXT: [0.0, 0.0]],
// INSERT-EMPTY:
// INSERT-NEXT: {{\[\[}}0.0, 0.0],
// INSERT-NEXT: [3.0, 4.0],
// INSERT-NEXT: [0.0, 0.0]]]]
func.func @insert(%x: tensor<1x?x?xf64>, %t: index, %k: index) -> tensor<1x?x?x?xf64> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c1 : tensor<1x?x?xf64>
  %m = tensor.dim %x, %c2 : tensor<1x?x?xf64>
  %empty = tensor.empty(%n, %k, %m) : tensor<1x?x?x?xf64>
  %filled = linalg.fill ins(%zero : f64) outs(%empty : tensor<1x?x?x?xf64>) -> tensor<1x?x?x?xf64>
  %r = tensor.insert_slice %x into %filled[0, 0, %t, 0] [1, %n, 1, %m] [1, 1, 1, 1] : tensor<1x?x?xf64> into tensor<1x?x?x?xf64>
  return %r : tensor<1x?x?x?xf64>
}

// The same where a derivative adds to slices, element by element, and where a slice is one of a virtual array.
// RUN: %python %S/../driver/Inputs/npy.py %t.plane.npy '<f8' '(1, 3, 2)' 1 2 3 4 5 6
// RUN: ad-opt check %s --entry=columns --input=%t.plane.npy --input=2
// RUN: ad-opt check %s --entry=columns --input=%t.plane.npy --input=2 --engine=interpreter
// RUN: %python %S/../driver/Inputs/npy.py %t.rows.npy '<f8' '(3, 2)' 1 2 3 4 5 6
// RUN: ad-opt run %s --entry=virtual --input=%t.rows.npy --input=1 | FileCheck %s --check-prefix=VIRTUAL
// RUN: ad-opt run %s --entry=virtual --input=%t.rows.npy --input=1 --target=gpu-emulate | FileCheck %s --check-prefix=VIRTUAL
func.func @columns(%x: tensor<1x?x?xf64>, %m: index) -> tensor<?x1x?xf64> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<1x?x?xf64>
  %ks = soac.iota %m : tensor<?xindex>
  %r = soac.map ins(%ks : tensor<?xindex>) (%k: index) -> tensor<?x1x?xf64> {
    %s = tensor.extract_slice %x[0, 0, %k] [1, %n, 1] [1, 1, 1] : tensor<1x?x?xf64> to tensor<1x?xf64>
    %q = arith.mulf %s, %s : tensor<1x?xf64>
    soac.yield %q : tensor<1x?xf64>
  }
  return %r : tensor<?x1x?xf64>
}

// VIRTUAL: {{\[\[}}2.0, 4.0, 6.0]]
func.func @virtual(%v: tensor<3x2xf64>, %k: index) -> tensor<1x3xf64> {
  %c5 = arith.constant 5 : index
  %five = soac.replicate %v, %c5 : tensor<3x2xf64> -> tensor<?x3x2xf64>
  %s = tensor.extract_slice %five[%k, 0, %k] [1, 3, 1] [1, 1, 1] : tensor<?x3x2xf64> to tensor<1x3xf64>
  return %s : tensor<1x3xf64>
}
