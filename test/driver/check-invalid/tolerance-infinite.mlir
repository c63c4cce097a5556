// A tolerance is finite: nothing would fail.
// RUN: not ad-opt check %s --entry=f --input=1 --tolerance=inf 2>&1 | FileCheck %s

// CHECK: error: --tolerance=inf is not positive and finite
func.func @f(%x: f64) -> f64 {
  return %x : f64
}
