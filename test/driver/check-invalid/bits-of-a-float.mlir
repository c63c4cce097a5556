// Whole numbers have no derivative, so the bits of a float have none either: the check shows what is lost.
// RUN: not ad-opt check %s --entry=f --input=1 2>&1 | FileCheck %s

// CHECK: argument type jvp vs differences vjp vs jvp
// CHECK-NEXT: 0 f64 1.0e0 0.0e0 FAILED
// CHECK-NEXT: results unchanged 0.0e0 ok
// CHECK-NEXT: error: the derivatives of @f fail the check
func.func @f(%x: f64) -> f64 {
  %y = arith.bitcast %x : f64 to i64
  %z = arith.bitcast %y : i64 to f64
  return %z : f64
}
