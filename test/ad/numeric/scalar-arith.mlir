// RUN: ad-opt check %s --entry=binary --input=1.75 --input=-0.625 | FileCheck %s
// RUN: ad-opt check %s --entry=narrow --input=1.75 --input=-0.625 | FileCheck %s
// RUN: ad-opt check %s --entry=wengert --input=1.75 --input=-0.625 | FileCheck %s

// CHECKLIST Z05: a / (a + b^2) gives both partials. CHECKLIST F14: a product updates both adjoints.

// CHECK: {{^}}0 {{.*}} ok
// CHECK: {{^}}1 {{.*}} ok
// CHECK: {{^}}results {{.*}} ok

func.func @binary(%a: f64, %b: f64) -> (f64, f64, f64, f64, f64, f64, f64) {
  %sum = arith.addf %a, %b : f64
  %difference = arith.subf %a, %b : f64
  %product = arith.mulf %a, %b : f64
  %quotient = arith.divf %a, %b : f64
  %remainder = arith.remf %a, %b : f64
  %angle = math.atan2 %a, %b : f64
  %fused = math.fma %a, %b, %product : f64
  return %sum, %difference, %product, %quotient, %remainder, %angle, %fused
      : f64, f64, f64, f64, f64, f64, f64
}

func.func @narrow(%a: f32, %b: f32) -> f32 {
  %wide = arith.extf %a : f32 to f64
  %root = math.sqrt %wide : f64
  %back = arith.truncf %root : f64 to f32
  %y = arith.divf %back, %b : f32
  return %y : f32
}

func.func @wengert(%a: f64, %b: f64) -> f64 {
  %square = arith.mulf %b, %b : f64
  %sum = arith.addf %a, %square : f64
  %y = arith.divf %a, %sum : f64
  return %y : f64
}
