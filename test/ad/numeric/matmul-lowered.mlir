// A product of matrices is differentiated as one operation or as the loops that it is lowered to: the gradients are the same,
// but of the first one two products are left, of the second one loops and loads [Z28].
// RUN: ad-opt run %s --entry=gradient --input=3 | FileCheck %s --check-prefix=VALUE
// RUN: ad-opt %s --convert-linalg-to-loops -o %t.loops.mlir
// RUN: ad-opt run %t.loops.mlir --entry=gradient --input=3 | FileCheck %s --check-prefix=VALUE
// RUN: ad-opt check %t.loops.mlir --entry=buffers --input=3
// RUN: ad-opt %s --ad-optimize | FileCheck %s --check-prefix=HIGH

// a = [[x, 1], [2, x]]; y, the sum of a a = [[x^2 + 2, 2 x], [4 x, x^2 + 2]], is 2 x^2 + 6 x + 4, so that y' = 4 x + 6.
// VALUE: 18.0
// VALUE-NEXT: 18.0

// HIGH-LABEL: func.func @tensor_gradient(
// HIGH-NOT: scf.for
// HIGH-COUNT-2: arith.mulf
// HIGH-NOT: arith.mulf
// HIGH: return

func.func @buffers(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %a = memref.alloc() : memref<2x2xf64>
  %b = memref.alloc() : memref<2x2xf64>
  memref.store %x, %a[%c0, %c0] : memref<2x2xf64>
  memref.store %one, %a[%c0, %c1] : memref<2x2xf64>
  memref.store %two, %a[%c1, %c0] : memref<2x2xf64>
  memref.store %x, %a[%c1, %c1] : memref<2x2xf64>
  linalg.fill ins(%zero : f64) outs(%b : memref<2x2xf64>)
  linalg.matmul ins(%a, %a : memref<2x2xf64>, memref<2x2xf64>) outs(%b : memref<2x2xf64>)
  %p = memref.load %b[%c0, %c0] : memref<2x2xf64>
  %q = memref.load %b[%c0, %c1] : memref<2x2xf64>
  %r = memref.load %b[%c1, %c0] : memref<2x2xf64>
  %s = memref.load %b[%c1, %c1] : memref<2x2xf64>
  memref.dealloc %a : memref<2x2xf64>
  memref.dealloc %b : memref<2x2xf64>
  %pq = arith.addf %p, %q : f64
  %rs = arith.addf %r, %s : f64
  %y = arith.addf %pq, %rs : f64
  return %y : f64
}

func.func @tensors(%x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %a = tensor.from_elements %x, %one, %two, %x : tensor<2x2xf64>
  %e = tensor.empty() : tensor<2x2xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<2x2xf64>) -> tensor<2x2xf64>
  %b = linalg.matmul ins(%a, %a : tensor<2x2xf64>, tensor<2x2xf64>) outs(%f : tensor<2x2xf64>) -> tensor<2x2xf64>
  %z = tensor.from_elements %zero : tensor<f64>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>],
                       iterator_types = ["reduction", "reduction"]}
      ins(%b : tensor<2x2xf64>) outs(%z : tensor<f64>) {
    ^bb0(%v: f64, %s: f64):
      %t = arith.addf %s, %v : f64
      linalg.yield %t : f64
  } -> tensor<f64>
  %r = tensor.extract %y[] : tensor<f64>
  return %r : f64
}

func.func @tensor_gradient(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %bar = ad.vjp @tensors(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %bar : f64
}

func.func @gradient(%x: f64) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %y, %bar = ad.vjp @buffers(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  %other = func.call @tensor_gradient(%x) : (f64) -> f64
  return %bar, %other : f64, f64
}
