// Derivatives of tensor.extract agree with central differences and with each other.
// RUN: %python %S/../../driver/Inputs/npy.py %t.x4.npy '<f8' '(4,)' 0.5 1.5 -0.7 2.1
// RUN: %python %S/../../driver/Inputs/npy.py %t.m23.npy '<f8' '(2,3)' 0.5 1.5 -0.7 2.1 0.4 0.3
// RUN: ad-opt check %s --entry=reads --input=%t.x4.npy --input=1 --input=3
// RUN: ad-opt check %s --entry=reads --input=%t.x4.npy --input=2 --input=2
// RUN: ad-opt check %s --entry=in_loop --input=%t.m23.npy --input=2 --input=1

// Three reads, one zero array.
func.func @reads(%xs: tensor<?xf64>, %i: index, %j: index) -> f64 {
  %a = tensor.extract %xs[%i] : tensor<?xf64>
  %b = tensor.extract %xs[%j] : tensor<?xf64>
  %p = arith.mulf %a, %b : f64
  return %p : f64
}

// Inside a loop: the one array is carried [F19].
func.func @in_loop(%xs: tensor<?x?xf64>, %n: index, %j: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %x = tensor.extract %xs[%i, %j] : tensor<?x?xf64>
    %t = arith.addf %s, %x : f64
    scf.yield %t : f64
  }
  return %r : f64
}
