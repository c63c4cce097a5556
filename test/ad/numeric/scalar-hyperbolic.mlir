// RUN: ad-opt check %s --entry=all --input=0.625 | FileCheck %s
// RUN: ad-opt check %s --entry=narrow --input=0.625 | FileCheck %s

// Hyperbolic functions and their inverses; the last is shifted into its domain.

// CHECK: {{^}}0 {{.*}} ok
// CHECK: {{^}}results {{.*}} ok

func.func @all(%x: f64) -> (f64, f64, f64, f64, f64, f64) {
  %0 = math.sinh %x : f64
  %1 = math.cosh %x : f64
  %2 = math.tanh %x : f64
  %3 = math.asinh %x : f64
  %4 = math.atanh %x : f64
  %one = arith.constant 1.0 : f64
  %above = arith.addf %x, %one : f64
  %5 = math.acosh %above : f64
  return %0, %1, %2, %3, %4, %5 : f64, f64, f64, f64, f64, f64
}

func.func @narrow(%x: f32) -> (f32, f32, f32, f32, f32, f32) {
  %0 = math.sinh %x : f32
  %1 = math.cosh %x : f32
  %2 = math.tanh %x : f32
  %3 = math.asinh %x : f32
  %4 = math.atanh %x : f32
  %one = arith.constant 1.0 : f32
  %above = arith.addf %x, %one : f32
  %5 = math.acosh %above : f32
  return %0, %1, %2, %3, %4, %5 : f32, f32, f32, f32, f32, f32
}
