// A custom_vjp of two functions: the forward function takes the place of the call in the forward sweep
// and hands residuals to the backward function, so that nothing is computed twice; also for a function
// without a body, and inside a map, whose scope executes its forward sweep again (FP3).
// RUN: ad-opt %s --ad-optimize | FileCheck %s
// RUN: ad-opt run %s --entry=gradient --input=3.0 | FileCheck %s --check-prefix=VALUE
// RUN: %python %S/../../driver/Inputs/npy.py %t.npy '<f8' '(3,)' 1 2 3
// RUN: ad-opt run %s --entry=in_map --input=%t.npy | FileCheck %s --check-prefix=MAP
// RUN: ad-opt run %s --entry=request --input=3.0 | FileCheck %s --check-prefix=REQUEST
// RUN: ad-opt run %s --entry=second --input=3.0 | FileCheck %s --check-prefix=SECOND

// The residual is 2 x + 100, to be seen in the figures.
func.func private @square(%x: f64) -> f64 attributes {custom_vjp = [@forward, @backward]} {
  %y = arith.mulf %x, %x : f64
  return %y : f64
}
func.func private @forward(%x: f64) -> (f64, f64) {
  %hundred = arith.constant 100.0 : f64
  %y = arith.mulf %x, %x : f64
  %twice = arith.addf %x, %x : f64
  %residual = arith.addf %twice, %hundred : f64
  return %y, %residual : f64, f64
}
func.func private @backward(%residual: f64, %y_bar: f64) -> f64 {
  %x_bar = arith.mulf %residual, %y_bar : f64
  return %x_bar : f64
}

func.func private @cube(%x: f64) -> f64 {
  %y = func.call @square(%x) : (f64) -> f64
  %z = arith.mulf %y, %x : f64
  return %z : f64
}
// x (2 x + 100) + x^2
// VALUE: 327.0
func.func @gradient(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @cube(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}

func.func private @mapped(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = func.call @cube(%x) : (f64) -> f64
    soac.yield %y : f64
  }
  return %ys : tensor<?xf64>
}
// MAP: [103.0, 424.0, 981.0]
func.func @in_map(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %ys, %xs_bar = ad.vjp @mapped(%xs) seed(%xs)
      : (tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %xs_bar : tensor<?xf64>
}

// REQUEST: 106.0
func.func @request(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @square(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}

// Again through the bodies of both functions: (x (2 x + 100) + x^2)' = 6 x + 100.
// SECOND: 118.0
func.func @second(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @gradient(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}

// One call of each, the second with what the first left, the function itself not called.
// CHECK-LABEL: func.func @external_gradient(
// CHECK:         %[[OUT:.*]]:2 = call @library_forward(
// CHECK-NOT:     call @library(
// CHECK:         call @library_backward(%[[OUT]]#1,
// CHECK-NOT:     call @library(
// CHECK:         return
func.func private @library(f64) -> f64 attributes {custom_vjp = [@library_forward, @library_backward]}
func.func private @library_forward(f64) -> (f64, i64)
func.func private @library_backward(i64, f64) -> f64
func.func private @uses_library(%x: f64) -> f64 {
  %y = func.call @library(%x) : (f64) -> f64
  %z = arith.mulf %y, %y : f64
  return %z : f64
}
func.func @external_gradient(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @uses_library(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}
