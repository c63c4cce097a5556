// Derivatives of tensor.insert_slice agree with central differences and with each other.
// RUN: %python %S/../../driver/Inputs/npy.py %t.m23.npy '<f8' '(2,3)' 0.5 1.5 -0.7 2.1 0.4 0.3
// RUN: %python %S/../../driver/Inputs/npy.py %t.r3.npy '<f8' '(3,)' 0.3 -0.2 0.9
// RUN: ad-opt check %s --entry=row --input=%t.m23.npy --input=1 --input=%t.r3.npy

// A whole row.
func.func @row(%m: tensor<?x3xf64>, %i: index, %v: tensor<3xf64>) -> tensor<?x3xf64> {
  %r = tensor.insert_slice %v into %m[%i, 0] [1, 3] [1, 1] : tensor<3xf64> into tensor<?x3xf64>
  return %r : tensor<?x3xf64>
}
