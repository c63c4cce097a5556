// A tolerance is positive.
// RUN: not ad-opt check %s --entry=f --input=1 --tolerance=-1 2>&1 | FileCheck %s

// CHECK: error: --tolerance=-1 is not positive and finite
func.func @f(%x: f64) -> f64 {
  return %x : f64
}
