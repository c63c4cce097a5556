// A gradient that was stopped on purpose is not that of the program: the check shows what is lost.
// RUN: not ad-opt check %s --entry=f --input=1 2>&1 | FileCheck %s

// CHECK: argument type jvp vs differences vjp vs jvp
// CHECK-NEXT: 0 f64 1.0e0 0.0e0 FAILED
// CHECK-NEXT: results unchanged 0.0e0 ok
// CHECK-NEXT: error: the derivatives of @f fail the check
func.func @f(%x: f64) -> f64 {
  %y = ad.stop_gradient %x : f64
  return %y : f64
}
