// RUN: ad-opt check %s --entry=all --input=0.625 | FileCheck %s
// RUN: ad-opt check %s --entry=narrow --input=0.625 | FileCheck %s

// Circular functions and their inverses.

// CHECK: {{^}}0 {{.*}} ok
// CHECK: {{^}}results {{.*}} ok

func.func @all(%x: f64) -> (f64, f64, f64, f64, f64, f64) {
  %0 = math.sin %x : f64
  %1 = math.cos %x : f64
  %2 = math.tan %x : f64
  %3 = math.asin %x : f64
  %4 = math.acos %x : f64
  %5 = math.atan %x : f64
  return %0, %1, %2, %3, %4, %5 : f64, f64, f64, f64, f64, f64
}

func.func @narrow(%x: f32) -> (f32, f32, f32, f32, f32, f32) {
  %0 = math.sin %x : f32
  %1 = math.cos %x : f32
  %2 = math.tan %x : f32
  %3 = math.asin %x : f32
  %4 = math.acos %x : f32
  %5 = math.atan %x : f32
  return %0, %1, %2, %3, %4, %5 : f32, f32, f32, f32, f32, f32
}
