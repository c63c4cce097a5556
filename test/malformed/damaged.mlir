// A program cut off anywhere, without one of its words, or with two of them
// exchanged, is read or refused with an error that has a location; never a crash.
// RUN: %python %S/Inputs/damage.py ad-opt %s --ad-optimize | FileCheck %s
// CHECK: 120 programs, {{[0-9]+}} accepted, {{[0-9]+}} refused, 0 bad

func.func private @f(%xs: tensor<?xf64>, %is: tensor<?xindex>, %c: f64) -> (f64, tensor<?xf64>) {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %g = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %neg = arith.cmpf olt, %x, %zero : f64
    %v = scf.if %neg -> f64 {
      %p = arith.mulf %x, %c : f64
      scf.yield %p : f64
    } else {
      %e = math.exp %x : f64
      scf.yield %e : f64
    }
    soac.yield %v : f64
  }
  %s = soac.reduce ins(%g : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.addf %l, %r : f64
    soac.yield %t : f64
  }
  %h = soac.with_acc ins(%xs : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> tensor<?xf64> {
    %m = soac.map ins(%is, %g : tensor<?xindex>, tensor<?xf64>) accs(%acc : !soac.acc<tensor<?xf64>>)
        (%i: index, %v: f64, %a: !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>> {
      %u = soac.update_acc %a[%i], %v : !soac.acc<tensor<?xf64>>, f64
      soac.yield %u : !soac.acc<tensor<?xf64>>
    }
    soac.yield %m : !soac.acc<tensor<?xf64>>
  }
  %w = scf.for %k = %c0 to %n step %c1 iter_args(%b = %s) -> f64 {
    %x = tensor.extract %h[%k] : tensor<?xf64>
    %y = arith.mulf %b, %x : f64
    scf.yield %y : f64
  }
  return %w, %h : f64, tensor<?xf64>
}
func.func @gradient(%xs: tensor<?xf64>, %is: tensor<?xindex>, %c: f64, %s: f64) -> (tensor<?xf64>, f64) {
  %r:4 = ad.vjp @f(%xs, %is, %c) seed(%s, %xs) {wrt = array<i64: 0, 2>}
      : (tensor<?xf64>, tensor<?xindex>, f64), (f64, tensor<?xf64>) -> (f64, tensor<?xf64>, tensor<?xf64>, f64)
  return %r#2, %r#3 : tensor<?xf64>, f64
}
func.func @tangent(%xs: tensor<?xf64>, %is: tensor<?xindex>, %c: f64) -> f64 {
  %r:4 = ad.jvp @f(%xs, %is, %c) seed(%xs) {wrt = array<i64: 0>}
      : (tensor<?xf64>, tensor<?xindex>, f64), (tensor<?xf64>) -> (f64, tensor<?xf64>, f64, tensor<?xf64>)
  return %r#2 : f64
}
