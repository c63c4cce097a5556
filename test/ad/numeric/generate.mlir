// Derivatives of tensor.generate agree with central differences and with each other.
// RUN: %python %S/../../driver/Inputs/npy.py %t.x4.npy '<f8' '(4,)' 0.5 1.5 -0.7 2.1
// RUN: ad-opt check %s --entry=generate --input=%t.x4.npy --input=1.5 --input=4
// RUN: ad-opt check %s --entry=generate --input=%t.x4.npy --input=1.5 --input=2
// RUN: ad-opt check %s --entry=generate --input=%t.x4.npy --input=1.5 --input=0

// A free scalar and a free array [F42, F43].
func.func @generate(%xs: tensor<?xf64>, %c: f64, %n: index) -> tensor<?xf64> {
  %r = tensor.generate %n {
  ^bb0(%i: index):
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %p = arith.mulf %x, %c : f64
    tensor.yield %p : f64
  } : tensor<?xf64>
  return %r : tensor<?xf64>
}
