// A custom_jvp is used wherever the function is differentiated in forward mode; reverse mode takes the
// body, or the custom_vjp beside it. The rule says three times what is true (FP3).
// RUN: %python %S/../../driver/Inputs/npy.py %t.npy '<f8' '(3,)' 1 2 3
// RUN: ad-opt run %s --entry=request --input=3.0 --input=2.0 | FileCheck %s --check-prefix=REQUEST
// RUN: ad-opt run %s --entry=in_map --input=%t.npy | FileCheck %s --check-prefix=MAP
// RUN: ad-opt run %s --entry=in_loop --input=2.0 | FileCheck %s --check-prefix=LOOP
// RUN: ad-opt run %s --entry=reverse --input=3.0 --input=2.0 | FileCheck %s --check-prefix=REVERSE
// RUN: ad-opt run %s --entry=hessian --input=3.0 --input=2.0 | FileCheck %s --check-prefix=HESSIAN

func.func private @product(%x: f64, %y: f64) -> f64 attributes {custom_jvp = @product_rule} {
  %z = arith.mulf %x, %y : f64
  return %z : f64
}
func.func private @product_rule(%x: f64, %y: f64, %x_dot: f64, %y_dot: f64) -> (f64, f64) {
  %three = arith.constant 3.0 : f64
  %z = arith.mulf %x, %y : f64
  %a = arith.mulf %x_dot, %y : f64
  %b = arith.mulf %x, %y_dot : f64
  %ab = arith.addf %a, %b : f64
  %z_dot = arith.mulf %three, %ab : f64
  return %z, %z_dot : f64, f64
}

// With respect to y only: the other tangent is zero.
// REQUEST: 9.0
func.func @request(%x: f64, %y: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %z, %z_dot = ad.jvp @product(%x, %y) seed(%one) {wrt = array<i64: 1>}
      : (f64, f64), (f64) -> (f64, f64)
  return %z_dot : f64
}

func.func private @mapped(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = func.call @product(%x, %x) : (f64, f64) -> f64
    soac.yield %y : f64
  }
  return %ys : tensor<?xf64>
}
// MAP: [6.0, 24.0, 54.0]
func.func @in_map(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %ys, %ys_dot = ad.jvp @mapped(%xs) seed(%xs)
      : (tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %ys_dot : tensor<?xf64>
}

func.func private @repeated(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %y = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %x) -> (f64) {
    %b = func.call @product(%a, %a) : (f64, f64) -> f64
    scf.yield %b : f64
  }
  return %y : f64
}
// LOOP: 288.0
func.func @in_loop(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %y_dot = ad.jvp @repeated(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %y_dot : f64
}

// REVERSE: 3.0
func.func @reverse(%x: f64, %y: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %z, %y_bar = ad.vjp @product(%x, %y) seed(%one) {wrt = array<i64: 1>}
      : (f64, f64), (f64) -> (f64, f64)
  return %y_bar : f64
}

// The derivative of the rule's tangent 3 (x_dot y + x y_dot) with respect to x, at y_dot = 1.
// HESSIAN: 3.0
func.func @hessian(%x: f64, %y: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %z, %x_bar = ad.vjp @request(%x, %y) seed(%one) {wrt = array<i64: 0>}
      : (f64, f64), (f64) -> (f64, f64)
  return %x_bar : f64
}
