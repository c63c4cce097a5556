// Reverse over reverse: accumulators of the first pass are differentiated by the
// second, into a gather, without a tape [F04, F43, F62].
// RUN: ad-opt %s --ad-optimize | FileCheck %s --implicit-check-not='= ad.' --implicit-check-not=scf.for
// RUN: %python %S/../../driver/Inputs/npy.py %t.x.npy '<f8' '(4,)' 0.5 1.5 -0.7 2.1
// RUN: %python %S/../../driver/Inputs/npy.py %t.i.npy '<i8' '(5,)' 3 0 3 1 0
// RUN: ad-opt check %s --entry=second --input=%t.x.npy --input=%t.i.npy --input=%t.x.npy

func.func private @f(%xs: tensor<?xf64>, %is: tensor<?xindex>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %g = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %e = math.exp %x : f64
    soac.yield %e : f64
  }
  %s = soac.reduce ins(%g : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.addf %l, %r : f64
    soac.yield %t : f64
  }
  return %s : f64
}
func.func private @first(%xs: tensor<?xf64>, %is: tensor<?xindex>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @f(%xs, %is) seed(%one) : (tensor<?xf64>, tensor<?xindex>), (f64) -> (f64, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
// CHECK-LABEL: func.func @second(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[IS:[a-z0-9]+]]: tensor<?xindex>, %[[V:[a-z0-9]+]]: tensor<?xf64>)
// CHECK: soac.map ins(%[[IS]] : tensor<?xindex>)
// CHECK-DAG: tensor.extract %[[XS]]
// CHECK-DAG: tensor.extract %[[V]]
// CHECK: soac.hist at(%[[IS]]
// CHECK-NOT: soac.map
// CHECK: return
func.func @second(%xs: tensor<?xf64>, %is: tensor<?xindex>, %v: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = ad.vjp @first(%xs, %is) seed(%v)
      : (tensor<?xf64>, tensor<?xindex>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
