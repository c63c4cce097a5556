// futhark#1989: without a dependency analysis everything was differentiated, also what the derivative
// does not depend on. Here the costly table is inactive: it is computed once, has no adjoint, and a loop
// over inactive values keeps no tape.
// RUN: ad-opt %s --ad-optimize | FileCheck %s

// CHECK-LABEL: func.func @gradient(
// CHECK-COUNT-1: math.sin
// CHECK-NOT:     {{math|memref|tensor.insert }}
// CHECK:         return
func.func private @f(%x: f64, %table: tensor<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %costly = soac.map ins(%table : tensor<?xf64>) (%t: f64) -> tensor<?xf64> {
    %s = math.sin %t : f64
    soac.yield %s : f64
  }
  %weight = scf.for %i = %c0 to %n step %c1 iter_args(%w = %zero) -> (f64) {
    %t = tensor.extract %costly[%i] : tensor<?xf64>
    %product = arith.mulf %w, %t : f64
    %next = arith.addf %product, %t : f64
    scf.yield %next : f64
  }
  %xx = arith.mulf %x, %x : f64
  %y = arith.mulf %xx, %weight : f64
  return %y : f64
}
func.func @gradient(%x: f64, %table: tensor<?xf64>, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @f(%x, %table, %n) seed(%one) {wrt = array<i64: 0>}
      : (f64, tensor<?xf64>, index), (f64) -> (f64, f64)
  return %x_bar : f64
}
