// Standard passes reduce derivatives to the form that one writes by hand.
// RUN: ad-opt %s --ad-optimize | FileCheck %s --implicit-check-not='= ad.' --implicit-check-not=call

// The derivative of 5 x + 3 is the constant 5 [Z38].
// CHECK-LABEL: func.func @linear(
// CHECK-NEXT: %[[FIVE:.*]] = arith.constant 5.0{{.*}} : f64
// CHECK-NEXT: return %[[FIVE]]
func.func private @five_x_plus_three(%x: f64) -> f64 {
  %five = arith.constant 5.0 : f64
  %three = arith.constant 3.0 : f64
  %p = arith.mulf %five, %x : f64
  %s = arith.addf %p, %three : f64
  return %s : f64
}
func.func @linear(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @five_x_plus_three(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}

// d/dx x^3 y^4, written with functions that call functions, and the same by hand: all
// functions are inlined and what the result does not need is gone [M16, Z06].
func.func private @cube(%x: f64) -> f64 {
  %x2 = arith.mulf %x, %x : f64
  %x3 = arith.mulf %x2, %x : f64
  return %x3 : f64
}
func.func private @fourth(%y: f64) -> f64 {
  %y2 = arith.mulf %y, %y : f64
  %y4 = arith.mulf %y2, %y2 : f64
  return %y4 : f64
}
func.func private @x3y4(%x: f64, %y: f64) -> f64 {
  %a = call @cube(%x) : (f64) -> f64
  %b = call @fourth(%y) : (f64) -> f64
  %p = arith.mulf %a, %b : f64
  return %p : f64
}
// CHECK-LABEL: func.func @partial(
// CHECK-SAME: %[[X:[a-z0-9]+]]: f64, %[[Y:[a-z0-9]+]]: f64)
// CHECK-NOT: constant
// CHECK-DAG: %[[X2:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK-DAG: %[[Y2:.*]] = arith.mulf %[[Y]], %[[Y]]
// CHECK-DAG: %[[Y4:.*]] = arith.mulf %[[Y2]], %[[Y2]]
// CHECK: return
func.func @partial(%x: f64, %y: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @x3y4(%x, %y) seed(%one) {wrt = array<i64: 0>} : (f64, f64), (f64) -> (f64, f64)
  return %r#1 : f64
}

// The gradient of a constant is made by the transform and removed afterwards [M17].
// CHECK-LABEL: func.func @of_constant(
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0.0{{.*}} : f64
// CHECK-NEXT: return %[[ZERO]]
func.func private @constant(%x: f64, %y: f64) -> f64 {
  %two = arith.constant 2.0 : f64
  %e = math.exp %two : f64
  %z = arith.mulf %e, %y : f64
  return %z : f64
}
func.func @of_constant(%x: f64, %y: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @constant(%x, %y) seed(%one) {wrt = array<i64: 0>} : (f64, f64), (f64) -> (f64, f64)
  return %r#1 : f64
}

// A stopped value is a constant to the derivative.
// CHECK-LABEL: func.func @stopped(
// CHECK-SAME: %[[X:[a-z0-9]+]]: f64)
// CHECK-NEXT: return %[[X]]
func.func private @half(%x: f64) -> f64 {
  %s = ad.stop_gradient %x : f64
  %p = arith.mulf %s, %x : f64
  return %p : f64
}
func.func @stopped(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.jvp @half(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}
