// User primitives: kernels in another language, of which nothing but the names is in the module, with derivatives in that
// language, too; in both modes and in a loop [M07].
// RUN: rm -rf %t && mkdir %t
// RUN: ad-opt compile %s -o %t/kernels.o
// RUN: cc -I%t %S/Inputs/kernels.c %t/kernels.o -lm -o %t/kernels
// RUN: %t/kernels | FileCheck %s
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize | FileCheck %s --check-prefix=IR

func.func private @kernel(f64) -> f64 attributes {custom_vjp = @kernel_vjp, custom_jvp = @kernel_jvp}
func.func private @kernel_vjp(f64, f64) -> (f64, f64)
func.func private @kernel_jvp(f64, f64) -> (f64, f64)

func.func private @chain(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %y = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %x) -> f64 {
    %b = func.call @kernel(%a) : (f64) -> f64
    scf.yield %b : f64
  }
  return %y : f64
}

// The kernel is x^2 + 1: at 2, the chain is 26 and its slope 2 * 5 * 2 * 2.
// CHECK: 26 40 40
// IR-LABEL: func.func @reverse(
// IR: scf.for
// IR: call @kernel_vjp(
func.func @reverse(%x: f64) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @chain(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
// IR-LABEL: func.func @forward(
// IR: scf.for
// IR: call @kernel_jvp(
func.func @forward(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.jvp @chain(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}
