// Derivatives of linalg.fill agree with central differences and with each other.
// RUN: %python %S/../../driver/Inputs/npy.py %t.x4.npy '<f8' '(4,)' 0.5 1.5 -0.7 2.1
// RUN: %python %S/../../driver/Inputs/npy.py %t.m23.npy '<f8' '(2,3)' 0.5 1.5 -0.7 2.1 0.4 0.3
// RUN: ad-opt check %s --entry=fill --input=0.5 --input=%t.x4.npy
// RUN: ad-opt check %s --entry=matrix --input=0.5 --input=%t.m23.npy

// One dimension.
func.func @fill(%v: f64, %init: tensor<?xf64>) -> tensor<?xf64> {
  %r = linalg.fill ins(%v : f64) outs(%init : tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// Two dimensions.
func.func @matrix(%v: f64, %init: tensor<2x?xf64>) -> tensor<2x?xf64> {
  %r = linalg.fill ins(%v : f64) outs(%init : tensor<2x?xf64>) -> tensor<2x?xf64>
  return %r : tensor<2x?xf64>
}
