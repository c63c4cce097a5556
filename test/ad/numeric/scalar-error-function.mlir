// RUN: ad-opt check %s --entry=all --input=0.625 | FileCheck %s
// RUN: ad-opt check %s --entry=narrow --input=0.625 | FileCheck %s

// The error function and its complement.

// CHECK: {{^}}0 {{.*}} ok
// CHECK: {{^}}results {{.*}} ok

func.func @all(%x: f64) -> (f64, f64) {
  %0 = math.erf %x : f64
  %1 = math.erfc %x : f64
  return %0, %1 : f64, f64
}

func.func @narrow(%x: f32) -> (f32, f32) {
  %0 = math.erf %x : f32
  %1 = math.erfc %x : f32
  return %0, %1 : f32, f32
}
