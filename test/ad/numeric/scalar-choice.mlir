// RUN: ad-opt check %s --entry=choice --input=1.75 --input=-0.625 | FileCheck %s
// RUN: ad-opt check %s --entry=choice --input=-0.25 --input=0.625 | FileCheck %s
// RUN: ad-opt check %s --entry=choice --input=0.3 --input=0.3 | FileCheck %s --check-prefix=TIE

// Maxima, minima, bounds and signs away from kinks; at a tie the jvp lies between the slopes.

// CHECK: {{^}}0 {{.*}} ok
// CHECK: {{^}}1 {{.*}} ok
// CHECK: {{^}}results {{.*}} ok

// TIE: {{^}}0 {{.*}} ok (at a kink
// TIE: {{^}}1 {{.*}} ok (at a kink

func.func @choice(%a: f64, %b: f64) -> (f64, f64, f64, f64, f64, f64, f64) {
  %low = arith.constant -0.5 : f64
  %high = arith.constant 0.5 : f64
  %0 = arith.maximumf %a, %b : f64
  %1 = arith.minimumf %a, %b : f64
  %2 = arith.maxnumf %a, %b : f64
  %3 = arith.minnumf %a, %b : f64
  %4 = math.clampf %a to [%low, %high] : f64
  %5 = math.absf %b : f64
  %6 = math.copysign %a, %b : f64
  return %0, %1, %2, %3, %4, %5, %6 : f64, f64, f64, f64, f64, f64, f64
}
