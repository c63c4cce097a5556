// RUN: ad-opt check %s --entry=all --input=0.625 | FileCheck %s
// RUN: ad-opt check %s --entry=narrow --input=0.625 | FileCheck %s

// Roots.

// CHECK: {{^}}0 {{.*}} ok
// CHECK: {{^}}results {{.*}} ok

func.func @all(%x: f64) -> (f64, f64, f64) {
  %0 = math.sqrt %x : f64
  %1 = math.rsqrt %x : f64
  %2 = math.cbrt %x : f64
  return %0, %1, %2 : f64, f64, f64
}

func.func @narrow(%x: f32) -> (f32, f32, f32) {
  %0 = math.sqrt %x : f32
  %1 = math.rsqrt %x : f32
  %2 = math.cbrt %x : f32
  return %0, %1, %2 : f32, f32, f32
}
