// Derivatives of soac.replicate agree with central differences and with each other.
// RUN: %python %S/../../driver/Inputs/npy.py %t.r3.npy '<f8' '(3,)' 0.3 -0.2 0.9
// RUN: ad-opt check %s --entry=scalar --input=0.5 --input=4
// RUN: ad-opt check %s --entry=scalar --input=0.5 --input=0
// RUN: ad-opt check %s --entry=row --input=%t.r3.npy

// A scalar.
func.func @scalar(%v: f64, %n: index) -> tensor<?xf64> {
  %r = soac.replicate %v, %n : f64 -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// A row.
func.func @row(%v: tensor<3xf64>) -> tensor<4x3xf64> {
  %r = soac.replicate %v : tensor<3xf64> -> tensor<4x3xf64>
  return %r : tensor<4x3xf64>
}
