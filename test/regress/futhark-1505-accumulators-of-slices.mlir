// futhark#1505, #1515: a map that reads slices and rows of a free array had no derivative, because the
// accumulator of the array was indexed like the array itself. Windows that overlap, rows, columns, and a
// slice of a slice; in each the cotangent of a slice goes into the one accumulator of the array.
// RUN: %python %S/../driver/Inputs/npy.py %t.npy '<f8' '(4,)' 1.5 -2 3 0.5
// RUN: %python %S/../driver/Inputs/npy.py %t.m.npy '<f8' '(2, 3)' 1.5 -2 3 0.5 1 -1
// RUN: ad-opt check %s --entry=windows --input=%t.npy
// RUN: ad-opt check %s --entry=rows_and_columns --input=%t.m.npy
// RUN: ad-opt check %s --entry=slice_of_slice --input=%t.npy
// RUN: ad-opt run %s --entry=gradient --input=%t.npy | FileCheck %s --check-prefix=VALUE
// RUN: ad-opt %s --ad-optimize | FileCheck %s

func.func @windows(%xs: tensor<?xf64>) -> tensor<3xf64> {
  %is = soac.iota : tensor<3xindex>
  %ys = soac.map ins(%is : tensor<3xindex>) (%i: index) -> tensor<3xf64> {
    %window = tensor.extract_slice %xs[%i] [2] [1] : tensor<?xf64> to tensor<2xf64>
    %y = func.call @squares(%window) : (tensor<2xf64>) -> f64
    soac.yield %y : f64
  }
  return %ys : tensor<3xf64>
}
func.func private @squares(%v: tensor<2xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %squares = soac.map ins(%v : tensor<2xf64>) (%x: f64) -> tensor<2xf64> {
    %y = arith.mulf %x, %x : f64
    soac.yield %y : f64
  }
  %s = soac.reduce ins(%squares : tensor<2xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.addf %l, %r : f64
    soac.yield %t : f64
  }
  return %s : f64
}

func.func @rows_and_columns(%m: tensor<2x3xf64>) -> tensor<2xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %is = soac.iota : tensor<2xindex>
  %ys = soac.map ins(%is : tensor<2xindex>) (%i: index) -> tensor<2xf64> {
    %row = tensor.extract_slice %m[%i, 0] [1, 2] [1, 1] : tensor<2x3xf64> to tensor<2xf64>
    %column = tensor.extract_slice %m[0, %i] [2, 1] [1, 1] : tensor<2x3xf64> to tensor<2xf64>
    %a = func.call @squares(%row) : (tensor<2xf64>) -> f64
    %b = func.call @squares(%column) : (tensor<2xf64>) -> f64
    %y = arith.mulf %a, %b : f64
    soac.yield %y : f64
  }
  return %ys : tensor<2xf64>
}

func.func @slice_of_slice(%xs: tensor<?xf64>) -> tensor<2xf64> {
  %is = soac.iota : tensor<2xindex>
  %ys = soac.map ins(%is : tensor<2xindex>) (%i: index) -> tensor<2xf64> {
    %outer = tensor.extract_slice %xs[%i] [3] [1] : tensor<?xf64> to tensor<3xf64>
    %inner = tensor.extract_slice %outer[1] [2] [1] : tensor<3xf64> to tensor<2xf64>
    %y = func.call @squares(%inner) : (tensor<2xf64>) -> f64
    soac.yield %y : f64
  }
  return %ys : tensor<2xf64>
}

// Inner elements lie in two windows.
// VALUE: [3.0, -8.0, 12.0, 1.0]
// CHECK-LABEL: func.func @gradient(
// CHECK:         soac.with_acc
// CHECK-NOT:     tensor.insert_slice
// CHECK-NOT:     soac.with_acc
// CHECK:         return
func.func @gradient(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %ones = arith.constant dense<1.0> : tensor<3xf64>
  %y, %xs_bar = ad.vjp @windows(%xs) seed(%ones)
      : (tensor<?xf64>), (tensor<3xf64>) -> (tensor<3xf64>, tensor<?xf64>)
  return %xs_bar : tensor<?xf64>
}
