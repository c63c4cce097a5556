// RUN: ad-opt check %s --entry=all --input=0.625 | FileCheck %s
// RUN: ad-opt check %s --entry=narrow --input=0.625 | FileCheck %s

// Exponentials and logarithms.

// CHECK: {{^}}0 {{.*}} ok
// CHECK: {{^}}results {{.*}} ok

func.func @all(%x: f64) -> (f64, f64, f64, f64, f64, f64, f64) {
  %0 = math.exp %x : f64
  %1 = math.exp2 %x : f64
  %2 = math.expm1 %x : f64
  %3 = math.log %x : f64
  %4 = math.log2 %x : f64
  %5 = math.log10 %x : f64
  %6 = math.log1p %x : f64
  return %0, %1, %2, %3, %4, %5, %6 : f64, f64, f64, f64, f64, f64, f64
}

func.func @narrow(%x: f32) -> (f32, f32, f32, f32, f32, f32, f32) {
  %0 = math.exp %x : f32
  %1 = math.exp2 %x : f32
  %2 = math.expm1 %x : f32
  %3 = math.log %x : f32
  %4 = math.log2 %x : f32
  %5 = math.log10 %x : f32
  %6 = math.log1p %x : f32
  return %0, %1, %2, %3, %4, %5, %6 : f32, f32, f32, f32, f32, f32, f32
}
