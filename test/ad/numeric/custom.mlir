// `ad-opt check` compares custom rules with the body and with each other: it accepts right ones, and
// names the equation that a wrong one breaks (FP3).
// RUN: %python %S/../../driver/Inputs/npy.py %t.npy '<f8' '(3,)' 0.5 2 -1
// RUN: %python %S/../../driver/Inputs/npy.py %t0.npy '<f8' '(0,)'
// RUN: ad-opt check %s --entry=right --input=%t.npy --input=1.5
// RUN: ad-opt check %s --entry=right --input=%t0.npy --input=1.5
// RUN: ad-opt check %s --entry=right --input=%t.npy --input=1.5 --engine=interpreter
// RUN: ad-opt check %s --entry=calls_right --input=%t.npy --input=1.5
// RUN: ad-opt check %s --entry=gradient --input=%t.npy --input=1.5
// RUN: not ad-opt check %s --entry=wrong_vjp --input=1.5 | FileCheck %s --check-prefix=VJP
// RUN: not ad-opt check %s --entry=wrong_jvp --input=1.5 | FileCheck %s --check-prefix=JVP

// y = x s for an array x and a number s.
func.func @right(%xs: tensor<?xf64>, %s: f64) -> tensor<?xf64>
    attributes {custom_vjp = @right_vjp, custom_jvp = @right_jvp} {
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = arith.mulf %x, %s : f64
    soac.yield %y : f64
  }
  return %ys : tensor<?xf64>
}
func.func private @right_vjp(%xs: tensor<?xf64>, %s: f64, %ys_bar: tensor<?xf64>)
    -> (tensor<?xf64>, tensor<?xf64>, f64) {
  %zero = arith.constant 0.0 : f64
  %ys, %xs_bar, %parts = soac.map ins(%xs, %ys_bar : tensor<?xf64>, tensor<?xf64>)
      (%x: f64, %y_bar: f64) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
    %y = arith.mulf %x, %s : f64
    %x_bar = arith.mulf %y_bar, %s : f64
    %part = arith.mulf %y_bar, %x : f64
    soac.yield %y, %x_bar, %part : f64, f64, f64
  }
  %s_bar = soac.reduce ins(%parts : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.addf %l, %r : f64
    soac.yield %t : f64
  }
  return %ys, %xs_bar, %s_bar : tensor<?xf64>, tensor<?xf64>, f64
}
func.func private @right_jvp(%xs: tensor<?xf64>, %s: f64, %xs_dot: tensor<?xf64>, %s_dot: f64)
    -> (tensor<?xf64>, tensor<?xf64>) {
  %ys, %ys_dot = soac.map ins(%xs, %xs_dot : tensor<?xf64>, tensor<?xf64>)
      (%x: f64, %x_dot: f64) -> (tensor<?xf64>, tensor<?xf64>) {
    %y = arith.mulf %x, %s : f64
    %a = arith.mulf %x_dot, %s : f64
    %b = arith.mulf %x, %s_dot : f64
    %y_dot = arith.addf %a, %b : f64
    soac.yield %y, %y_dot : f64, f64
  }
  return %ys, %ys_dot : tensor<?xf64>, tensor<?xf64>
}

func.func @calls_right(%xs: tensor<?xf64>, %s: f64) -> tensor<?xf64> {
  %t = math.sin %s : f64
  %ys = call @right(%xs, %t) : (tensor<?xf64>, f64) -> tensor<?xf64>
  %zs = call @right(%ys, %s) : (tensor<?xf64>, f64) -> tensor<?xf64>
  return %zs : tensor<?xf64>
}

// Both modes of what the rule made.
func.func @gradient(%xs: tensor<?xf64>, %s: f64) -> (tensor<?xf64>, f64) {
  %ys, %xs_bar, %s_bar = ad.vjp @calls_right(%xs, %s) seed(%xs)
      : (tensor<?xf64>, f64), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, f64)
  return %xs_bar, %s_bar : tensor<?xf64>, f64
}

func.func private @three_times(%x: f64, %d: f64) -> (f64, f64) {
  %three = arith.constant 3.0 : f64
  %y = math.sin %x : f64
  %cos = math.cos %x : f64
  %slope = arith.mulf %cos, %d : f64
  %wrong = arith.mulf %slope, %three : f64
  return %y, %wrong : f64, f64
}
// VJP: 0 f64 {{[0-9.]+}}e-1{{[0-9]}} 5.0e-1 FAILED
func.func @wrong_vjp(%x: f64) -> f64 attributes {custom_vjp = @three_times} {
  %y = math.sin %x : f64
  return %y : f64
}
// JVP: 0 f64 6.7e-1 5.0e-1 FAILED
func.func @wrong_jvp(%x: f64) -> f64 attributes {custom_jvp = @three_times} {
  %y = math.sin %x : f64
  return %y : f64
}
