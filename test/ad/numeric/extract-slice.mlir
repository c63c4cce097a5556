// Derivatives of tensor.extract_slice agree with central differences and with each other.
// RUN: %python %S/../../driver/Inputs/npy.py %t.x4.npy '<f8' '(4,)' 0.5 1.5 -0.7 2.1
// RUN: %python %S/../../driver/Inputs/npy.py %t.m43.npy '<f8' '(4,3)' 1 2 3 4 5 6 7 8 9 10 11 12
// RUN: ad-opt check %s --entry=slice --input=%t.x4.npy --input=1 --input=2
// RUN: ad-opt check %s --entry=row --input=%t.m43.npy --input=2
// RUN: ad-opt check %s --entry=row --input=%t.m43.npy --input=1

// With dynamic offset and size, and a stride.
func.func @slice(%xs: tensor<?xf64>, %o: index, %n: index) -> tensor<?xf64> {
  %y = tensor.extract_slice %xs[%o] [%n] [2] : tensor<?xf64> to tensor<?xf64>
  return %y : tensor<?xf64>
}

// A row, rank-reduced, read twice.
func.func @row(%m: tensor<4x3xf64>, %i: index) -> (tensor<3xf64>, tensor<3xf64>) {
  %y = tensor.extract_slice %m[%i, 0] [1, 3] [1, 1] : tensor<4x3xf64> to tensor<3xf64>
  %z = tensor.extract_slice %m[1, 0] [1, 3] [1, 1] : tensor<4x3xf64> to tensor<3xf64>
  return %y, %z : tensor<3xf64>, tensor<3xf64>
}
