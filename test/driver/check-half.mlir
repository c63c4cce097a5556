// Floats of 16 bits are checked as precisely as they are: what is rounded to eight bits of mantissa differs in the third digit.
// RUN: %python %S/Inputs/npy.py %t.w.npy '<f4' '(4,)' 0.3 -0.4 1.1 0.7
// RUN: ad-opt check %s --entry=rounded --input=%t.w.npy --input=0.5
// RUN: ad-opt check %s --entry=rounded --input=%t.w.npy --input=0.7
// RUN: ad-opt check %s --entry=rounded --input=%t.w.npy --input=1.3
// RUN: ad-opt check %s --entry=rounded --input=%t.w.npy --input=2.1

// A wrong derivative is one all the same.
// RUN: not ad-opt check %s --entry=wrong --input=0.5 | FileCheck %s
// CHECK: FAILED

func.func @rounded(%w: tensor<?xf32>, %s: f32) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %w, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> f64 {
    %x = tensor.extract %w[%i] : tensor<?xf32>
    %h = arith.truncf %x : f32 to f16
    %e = arith.extf %h : f16 to f32
    %q = arith.mulf %e, %s : f32
    %t = math.tanh %q : f32
    %b = arith.truncf %t : f32 to bf16
    %d = arith.extf %b : bf16 to f64
    %square = arith.mulf %d, %d : f64
    %sum = arith.addf %a, %square : f64
    scf.yield %sum : f64
  }
  return %r : f64
}

func.func @wrong(%x: f16) -> f16 attributes {custom_vjp = @wrong_vjp} {
  %y = arith.mulf %x, %x : f16
  return %y : f16
}
func.func private @wrong_vjp(%x: f16, %y_bar: f16) -> (f16, f16) {
  %y = arith.mulf %x, %x : f16
  %x_bar = arith.mulf %x, %y_bar : f16
  return %y, %x_bar : f16, f16
}
