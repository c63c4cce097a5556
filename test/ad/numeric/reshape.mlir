// Derivatives of tensor.collapse_shape and tensor.expand_shape agree with central differences and with each other.
// RUN: %python %S/../../driver/Inputs/npy.py %t.m23.npy '<f8' '(2,3)' 0.5 1.5 -0.7 2.1 0.4 0.3
// RUN: %python %S/../../driver/Inputs/npy.py %t.x6.npy '<f8' '(6,)' 1 2 3 4 5 6
// RUN: ad-opt check %s --entry=collapse --input=%t.m23.npy
// RUN: ad-opt check %s --entry=expand --input=%t.x6.npy --input=2
// RUN: ad-opt check %s --entry=scalar --input=0.7
// RUN: ad-opt check %s --entry=scalar --input=0.7 --engine=interpreter

func.func @collapse(%x: tensor<?x3xf64>) -> tensor<?xf64> {
  %r = tensor.collapse_shape %x [[0, 1]] : tensor<?x3xf64> into tensor<?xf64>
  return %r : tensor<?xf64>
}

func.func @expand(%x: tensor<?xf64>, %n: index) -> tensor<?x3xf64> {
  %r = tensor.expand_shape %x [[0, 1]] output_shape [%n, 3] : tensor<?xf64> into tensor<?x3xf64>
  return %r : tensor<?x3xf64>
}

// A scalar as an array of two dimensions, and back.
func.func @scalar(%x: tensor<f64>) -> tensor<f64> {
  %a = tensor.expand_shape %x [] output_shape [1, 1] : tensor<f64> into tensor<1x1xf64>
  %b = math.sin %a : tensor<1x1xf64>
  %r = tensor.collapse_shape %b [] : tensor<1x1xf64> into tensor<f64>
  return %r : tensor<f64>
}
