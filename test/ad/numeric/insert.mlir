// Derivatives of tensor.insert agree with central differences and with each other.
// RUN: %python %S/../../driver/Inputs/npy.py %t.x4.npy '<f8' '(4,)' 0.5 1.5 -0.7 2.1
// RUN: ad-opt check %s --entry=update --input=%t.x4.npy --input=2 --input=0.5
// RUN: ad-opt check %s --entry=recurrence --input=%t.x4.npy --input=4
// RUN: ad-opt check %s --entry=recurrence --input=%t.x4.npy --input=0

// The cotangent of the value is read, then its element is cleared.
func.func @update(%xs: tensor<?xf64>, %i: index, %v: f64) -> tensor<?xf64> {
  %r = tensor.insert %v into %xs[%i] : tensor<?xf64>
  return %r : tensor<?xf64>
}

// In a loop that updates in place, an element from the one before.
func.func @recurrence(%xs: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%a = %xs) -> tensor<?xf64> {
    %k = arith.subi %i, %c1 : index
    %x = tensor.extract %a[%k] : tensor<?xf64>
    %y = arith.addf %x, %x : f64
    %b = tensor.insert %y into %a[%i] : tensor<?xf64>
    scf.yield %b : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}
