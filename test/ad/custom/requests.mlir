// A custom rule may ask for derivatives: of its function in the other mode, and of other functions that
// have rules of their own. Rules say three times what is true, so that their use shows.
// RUN: ad-opt run %s --entry=forward --input=3.0 | FileCheck %s --check-prefix=FORWARD
// RUN: ad-opt run %s --entry=forward_twice --input=3.0 | FileCheck %s --check-prefix=TWICE
// RUN: ad-opt run %s --entry=reverse --input=3.0 | FileCheck %s --check-prefix=REVERSE
// RUN: ad-opt run %s --entry=of_another --input=3.0 | FileCheck %s --check-prefix=ANOTHER
// RUN: ad-opt run %s --entry=through_call --input=3.0 | FileCheck %s --check-prefix=CALL

// The tangent by the cotangent, which has no rule: 3 * 2 x, and 6.
// FORWARD: {{^}}18.0{{$}}
func.func @forward(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %y_dot = ad.jvp @square(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %y_dot : f64
}
// TWICE: {{^}}6.0{{$}}
func.func @forward_twice(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %y_dot = ad.jvp @forward(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %y_dot : f64
}
func.func private @square(%x: f64) -> f64 attributes {custom_jvp = @square_rule} {
  %y = arith.mulf %x, %x : f64
  return %y : f64
}
func.func private @square_rule(%x: f64, %x_dot: f64) -> (f64, f64) {
  %three = arith.constant 3.0 : f64
  %y, %slope = ad.vjp @square(%x) seed(%three) : (f64), (f64) -> (f64, f64)
  %y_dot = arith.mulf %slope, %x_dot : f64
  return %y, %y_dot : f64, f64
}

// The cotangent by the tangent: 3 * 3 x^2.
// REVERSE: {{^}}81.0{{$}}
func.func @reverse(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @cube(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}
func.func private @cube(%x: f64) -> f64 attributes {custom_vjp = @cube_rule} {
  %0 = arith.mulf %x, %x : f64
  %y = arith.mulf %0, %x : f64
  return %y : f64
}
func.func private @cube_rule(%x: f64, %y_bar: f64) -> (f64, f64) {
  %three = arith.constant 3.0 : f64
  %y, %slope = ad.jvp @cube(%x) seed(%three) : (f64), (f64) -> (f64, f64)
  %x_bar = arith.mulf %slope, %y_bar : f64
  return %y, %x_bar : f64, f64
}

// The rule of another function that has a rule: 3 * 3 * 3 x^2.
// ANOTHER: {{^}}243.0{{$}}
func.func @of_another(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @same(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}
func.func private @same(%x: f64) -> f64 attributes {custom_vjp = [@same_forward, @same_backward]} {
  %y = func.call @cube(%x) : (f64) -> f64
  return %y : f64
}
func.func private @same_forward(%x: f64) -> (f64, f64) {
  %y = func.call @same(%x) : (f64) -> f64
  return %y, %x : f64, f64
}
func.func private @same_backward(%x: f64, %y_bar: f64) -> f64 {
  %three = arith.constant 3.0 : f64
  %y, %slope = ad.vjp @cube(%x) seed(%three) : (f64), (f64) -> (f64, f64)
  %x_bar = arith.mulf %slope, %y_bar : f64
  return %x_bar : f64
}
// CALL: {{^}}243.0{{$}}
func.func private @caller(%x: f64) -> f64 {
  %y = func.call @same(%x) : (f64) -> f64
  return %y : f64
}
func.func @through_call(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @caller(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}
