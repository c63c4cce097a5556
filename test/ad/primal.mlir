// A request gives the results of the function as well, in both modes (FP5), and they cost no second
// call: x^2 sin y at (3, 0), with the slopes 2 x sin y and x^2 cos y.
// RUN: ad-opt run %s --entry=reverse --input=3.0 --input=0.0 | FileCheck %s --check-prefix=REVERSE
// RUN: ad-opt run %s --entry=forward --input=3.0 --input=0.0 | FileCheck %s --check-prefix=FORWARD
// RUN: ad-opt %s --ad-optimize | FileCheck %s

func.func private @f(%x: f64, %y: f64) -> (f64, f64) {
  %square = arith.mulf %x, %x : f64
  %s = math.sin %y : f64
  %p = arith.mulf %square, %s : f64
  return %p, %square : f64, f64
}
// REVERSE:      {{^}}0.0
// REVERSE-NEXT: {{^}}9.0
// REVERSE-NEXT: {{^}}6.0
// REVERSE-NEXT: {{^}}9.0
// CHECK-LABEL: func.func @reverse(
// CHECK-COUNT-1: math.sin
// CHECK-NOT:     {{math\.sin|call}}
// CHECK:       return
func.func @reverse(%x: f64, %y: f64) -> (f64, f64, f64, f64) {
  %one = arith.constant 1.0 : f64
  %r:4 = ad.vjp @f(%x, %y) seed(%one, %one) : (f64, f64), (f64, f64) -> (f64, f64, f64, f64)
  return %r#0, %r#1, %r#2, %r#3 : f64, f64, f64, f64
}
// FORWARD:      {{^}}0.0
// FORWARD-NEXT: {{^}}9.0
// FORWARD-NEXT: {{^}}9.0
// FORWARD-NEXT: {{^}}6.0
// CHECK-LABEL: func.func @forward(
// CHECK-COUNT-1: math.sin
// CHECK-NOT:     {{math\.sin|call}}
// CHECK:       return
func.func @forward(%x: f64, %y: f64) -> (f64, f64, f64, f64) {
  %one = arith.constant 1.0 : f64
  %r:4 = ad.jvp @f(%x, %y) seed(%one, %one) : (f64, f64), (f64, f64) -> (f64, f64, f64, f64)
  return %r#0, %r#1, %r#2, %r#3 : f64, f64, f64, f64
}
