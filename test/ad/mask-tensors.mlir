// The zero cotangent of a tensor that one bit did not choose stays zero under choices by
// elements, and the other way round: infinite partial derivatives make no NaN.
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(3,)' 0 0 4
// RUN: %python %S/../driver/Inputs/npy.py %t.y.npy '<f8' '(3,)' -1 1 1
// RUN: %python %S/../driver/Inputs/npy.py %t.s.npy '<f8' '(3,)' 1 1 1
// RUN: ad-opt run %s --entry=bit_vjp --input=false --input=%t.x.npy --input=%t.y.npy --input=%t.s.npy | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %s --entry=bit_vjp --input=true --input=%t.y.npy --input=%t.y.npy --input=%t.s.npy | FileCheck %s --check-prefix=SOME
// RUN: ad-opt run %s --entry=elements_vjp --input=true --input=%t.x.npy --input=%t.y.npy --input=%t.s.npy | FileCheck %s --check-prefix=ELEMENTS
// RUN: ad-opt run %s --entry=elements_vjp --input=false --input=%t.x.npy --input=%t.y.npy --input=%t.s.npy | FileCheck %s --check-prefix=NONE

// Chosen by one bit, then by elements: with the bit false nothing reaches x.
// NONE: {{^}}[0.0, 0.0, 0.0]{{$}}
// SOME: {{^}}[0.0, 0.5, 0.5]{{$}}
func.func private @bit(%c: i1, %x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
  %zero = arith.constant dense<0.0> : tensor<3xf64>
  %p = arith.cmpf ogt, %y, %zero : tensor<3xf64>
  %root = math.sqrt %x : tensor<3xf64>
  %some = arith.select %p, %root, %y : tensor<3xi1>, tensor<3xf64>
  %r = arith.select %c, %some, %y : tensor<3xf64>
  return %r : tensor<3xf64>
}
func.func @bit_vjp(%c: i1, %x: tensor<3xf64>, %y: tensor<3xf64>, %s: tensor<3xf64>) -> tensor<3xf64> {
  %r:2 = ad.vjp @bit(%c, %x, %y) seed(%s) {wrt = array<i64: 1>}
      : (i1, tensor<3xf64>, tensor<3xf64>), (tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  return %r#1 : tensor<3xf64>
}

// Chosen by elements, then by one bit; x = 0 where y > 0 is infinite indeed.
// ELEMENTS: {{^}}[0.0, inf, 0.25]{{$}}
func.func private @elements(%c: i1, %x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
  %zero = arith.constant dense<0.0> : tensor<3xf64>
  %p = arith.cmpf ogt, %y, %zero : tensor<3xf64>
  %root = math.sqrt %x : tensor<3xf64>
  %some = arith.select %c, %root, %y : tensor<3xf64>
  %r = arith.select %p, %some, %y : tensor<3xi1>, tensor<3xf64>
  return %r : tensor<3xf64>
}
func.func @elements_vjp(%c: i1, %x: tensor<3xf64>, %y: tensor<3xf64>, %s: tensor<3xf64>) -> tensor<3xf64> {
  %r:2 = ad.vjp @elements(%c, %x, %y) seed(%s) {wrt = array<i64: 1>}
      : (i1, tensor<3xf64>, tensor<3xf64>), (tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  return %r#1 : tensor<3xf64>
}
