// RUN: ad-opt check %s --entry=powf --input=1.75 --input=-0.625 | FileCheck %s --check-prefixes=CHECK,BOTH
// RUN: ad-opt check %s --entry=fpowi --input=-1.75 --input=3 | FileCheck %s
// RUN: ad-opt check %s --entry=fpowi --input=1.5 --input=-2 | FileCheck %s
// RUN: ad-opt check %s --entry=fpowi --input=0 --input=1 | FileCheck %s
// RUN: ad-opt check %s --entry=fpowi --input=0 --input=0 | FileCheck %s

// CHECKLIST FP7: x**0 and x**1 at x = 0.

// CHECK: {{^}}0 {{.*}} ok
// BOTH: {{^}}1 {{.*}} ok
// CHECK: {{^}}results {{.*}} ok

func.func @powf(%x: f64, %y: f64) -> f64 {
  %r = math.powf %x, %y : f64
  return %r : f64
}

func.func @fpowi(%x: f64, %n: i32) -> f64 {
  %r = math.fpowi %x, %n : f64, i32
  return %r : f64
}
