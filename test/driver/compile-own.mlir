// Every array among the results is memory of its own, to be freed and written to, also where the program gives the same
// array twice: as it is, as a part or in another shape of itself, or because two derivatives are the same.
// RUN: rm -rf %t && mkdir %t
// RUN: ad-opt compile %s -o %t/own.so
// RUN: cc -std=c99 -Wall -Wextra -Werror -I%t %S/Inputs/own.c %t/own.so -Wl,-rpath,%t -o %t/own
// RUN: %t/own | FileCheck %s
// The same in an object file.
// RUN: ad-opt compile %s --cpu=generic -o %t/own.o
// RUN: cc -std=c99 -I%t %S/Inputs/own.c %t/own.o -lm -o %t/linked
// RUN: %t/linked | FileCheck %s

// CHECK: twice 1 4 9 | 0 4 9
// CHECK-NEXT: thrice 1 4 9 | 0 4 9 | -1 4 9
func.func @twice(%x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %y = arith.mulf %x, %x : tensor<?xf64>
  return %y, %y : tensor<?xf64>, tensor<?xf64>
}
func.func @thrice(%x: tensor<?xf64>) -> (tensor<?xf64>, f64, tensor<?xf64>, tensor<?xf64>) {
  %one = arith.constant 1.0 : f64
  %y = arith.mulf %x, %x : tensor<?xf64>
  return %y, %one, %y, %y : tensor<?xf64>, f64, tensor<?xf64>, tensor<?xf64>
}

// The derivatives of a sum of squares of x + y.
// CHECK-NEXT: gradient 4 8 12 | 0 8 12
func.func private @objective(%x: tensor<?xf64>, %y: tensor<?xf64>) -> f64 {
  %sum = arith.addf %x, %y : tensor<?xf64>
  %squares = arith.mulf %sum, %sum : tensor<?xf64>
  %zero = arith.constant 0.0 : f64
  %r = soac.reduce ins(%squares : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %r : f64
}
func.func @gradient(%x: tensor<?xf64>, %y: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %one = arith.constant 1.0 : f64
  %r, %x_bar, %y_bar = ad.vjp @objective(%x, %y) seed(%one)
      : (tensor<?xf64>, tensor<?xf64>), (f64) -> (f64, tensor<?xf64>, tensor<?xf64>)
  return %x_bar, %y_bar : tensor<?xf64>, tensor<?xf64>
}

// CHECK-NEXT: first 1 4 | 0 4 9
func.func @first(%x: tensor<?xf64>) -> (tensor<2xf64>, tensor<?xf64>) {
  %y = arith.mulf %x, %x : tensor<?xf64>
  %part = tensor.extract_slice %y[0] [2] [1] : tensor<?xf64> to tensor<2xf64>
  return %part, %y : tensor<2xf64>, tensor<?xf64>
}

// Which arrays are the same shows when the program runs only.
// CHECK-NEXT: choose 1 4 9 | 2 6 12 | 0 4 9
// CHECK-NEXT: choose 1 4 9 | 2 6 12 | 0 6 12
func.func @choose(%p: i1, %x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %y = arith.mulf %x, %x : tensor<?xf64>
  %z = arith.addf %y, %x : tensor<?xf64>
  %s = arith.select %p, %y, %z : tensor<?xf64>
  return %y, %z, %s : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

// CHECK-NEXT: buffer 1 1 | 0 1
// CHECK-NEXT: empty 0 0
func.func @buffer() -> (memref<2xf64>, memref<2xf64>) {
  %m = memref.alloc() : memref<2xf64>
  %one = arith.constant 1.0 : f64
  linalg.fill ins(%one : f64) outs(%m : memref<2xf64>)
  return %m, %m : memref<2xf64>, memref<2xf64>
}

// CHECK-NEXT: square 1 4 9 16 | 0 4 9 16: 2 2, 2 1
func.func @square(%x: tensor<4xf64>) -> (tensor<4xf64>, tensor<2x2xf64>) {
  %y = arith.mulf %x, %x : tensor<4xf64>
  %m = tensor.expand_shape %y [[0, 1]] output_shape [2, 2] : tensor<4xf64> into tensor<2x2xf64>
  return %y, %m : tensor<4xf64>, tensor<2x2xf64>
}

// Elements of all sizes; without dimensions.
// CHECK-NEXT: kinds 1 0 | -2 0 | 3 0 | 1+2i 0+2i | 3c00 0
// CHECK-NEXT: scalar 2.25 | 0
func.func @kinds(%p: i1, %i: i32, %n: index, %z: complex<f32>, %h: f16)
    -> (tensor<1xi1>, tensor<1xi1>, tensor<1xi32>, tensor<1xi32>, tensor<1xindex>, tensor<1xindex>,
        tensor<1xcomplex<f32>>, tensor<1xcomplex<f32>>, tensor<1xf16>, tensor<1xf16>) {
  %ps = tensor.from_elements %p : tensor<1xi1>
  %is = tensor.from_elements %i : tensor<1xi32>
  %ns = tensor.from_elements %n : tensor<1xindex>
  %zs = tensor.from_elements %z : tensor<1xcomplex<f32>>
  %hs = tensor.from_elements %h : tensor<1xf16>
  return %ps, %ps, %is, %is, %ns, %ns, %zs, %zs, %hs, %hs
    : tensor<1xi1>, tensor<1xi1>, tensor<1xi32>, tensor<1xi32>, tensor<1xindex>, tensor<1xindex>,
      tensor<1xcomplex<f32>>, tensor<1xcomplex<f32>>, tensor<1xf16>, tensor<1xf16>
}
func.func @scalar(%x: tensor<f64>) -> (tensor<f64>, tensor<f64>) {
  %y = arith.mulf %x, %x : tensor<f64>
  return %y, %y : tensor<f64>, tensor<f64>
}
