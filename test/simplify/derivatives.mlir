// After simplification a derivative is what one would write by hand.
// RUN: ad-opt %s --ad-optimize | FileCheck %s

// The derivative of 5 x + 3 is the constant 5, in both modes (Z38).
// CHECK-LABEL: func.func @line_vjp
// CHECK-NEXT: %[[C:[a-z0-9_]+]] = arith.constant 5.000000e+00 : f64
// CHECK-NEXT: return %[[C]]
// CHECK-LABEL: func.func @line_jvp
// CHECK-NEXT: %[[C:[a-z0-9_]+]] = arith.constant 5.000000e+00 : f64
// CHECK-NEXT: return %[[C]]
func.func private @line(%x: f64) -> f64 {
  %c5 = arith.constant 5.0 : f64
  %c3 = arith.constant 3.0 : f64
  %0 = arith.mulf %c5, %x : f64
  %1 = arith.addf %0, %c3 : f64
  return %1 : f64
}
func.func @line_vjp(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @line(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}
func.func @line_jvp(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %y_dot = ad.jvp @line(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %y_dot : f64
}

// d/dx x^3 y^4 = 3 x^2 y^4, nothing else; functions that the program calls are gone (M16).
// CHECK-LABEL: func.func @power_vjp
// CHECK-SAME: %[[X:[a-z0-9_]+]]: f64, %[[Y:[a-z0-9_]+]]: f64
// CHECK-DAG: %[[C3:[a-z0-9_]+]] = arith.constant 3.000000e+00 : f64
// CHECK-DAG: %[[C2:[a-z0-9_]+]] = arith.constant 2.000000e+00 : f64
// CHECK-DAG: %[[C4:[a-z0-9_]+]] = arith.constant 4.000000e+00 : f64
// CHECK-DAG: %[[Y4:[a-z0-9_]+]] = math.powf %[[Y]], %[[C4]]
// CHECK-DAG: %[[X2:[a-z0-9_]+]] = math.powf %[[X]], %[[C2]]
// CHECK-NEXT: %[[P:[a-z0-9_]+]] = arith.mulf %[[X2]], %[[C3]]
// CHECK-NEXT: %[[R:[a-z0-9_]+]] = arith.mulf %[[Y4]], %[[P]]
// CHECK-NEXT: return %[[R]]
func.func private @power(%x: f64, %n: f64) -> f64 {
  %0 = math.powf %x, %n : f64
  return %0 : f64
}
func.func private @product(%x: f64, %y: f64) -> f64 {
  %c3 = arith.constant 3.0 : f64
  %c4 = arith.constant 4.0 : f64
  %0 = func.call @power(%x, %c3) : (f64, f64) -> f64
  %1 = func.call @power(%y, %c4) : (f64, f64) -> f64
  %2 = arith.mulf %0, %1 : f64
  return %2 : f64
}
func.func @power_vjp(%x: f64, %y: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %v, %x_bar = ad.vjp @product(%x, %y) seed(%one) {wrt = array<i64: 0>} : (f64, f64), (f64) -> (f64, f64)
  return %x_bar : f64
}

// The gradient of a constant is zero, and nothing that computes it is left (M17).
// CHECK-LABEL: func.func @constant_vjp
// CHECK-NEXT: %[[C:[a-z0-9_]+]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT: return %[[C]]
// CHECK-NOT: func.func private
func.func private @constant(%x: f64) -> f64 {
  %c3 = arith.constant 3.0 : f64
  return %c3 : f64
}
func.func @constant_vjp(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @constant(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}
