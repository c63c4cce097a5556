// RUN: ad-opt check %s --entry=gradient --input=1.75 --input=0.625 | FileCheck %s

// The derivatives of a gradient: jvp of vjp and vjp of vjp.

// CHECK: {{^}}0 {{.*}} ok
// CHECK: {{^}}1 {{.*}} ok
// CHECK: {{^}}results {{.*}} ok

func.func private @f(%a: f64, %b: f64) -> f64 {
  %0 = math.powf %a, %b : f64
  %1 = math.tanh %0 : f64
  %2 = math.atan2 %1, %a : f64
  %3 = arith.maximumf %2, %b : f64
  %4 = math.log1p %3 : f64
  %5:2 = math.sincos %a : f64
  %6 = math.fma %4, %5#0, %5#1 : f64
  return %6 : f64
}

func.func @gradient(%a: f64, %b: f64) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %y, %a_bar, %b_bar = ad.vjp @f(%a, %b) seed(%one) {wrt = array<i64: 0, 1>}
      : (f64, f64), (f64) -> (f64, f64, f64)
  return %a_bar, %b_bar : f64, f64
}
