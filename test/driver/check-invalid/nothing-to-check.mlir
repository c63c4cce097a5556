// A function of whole numbers has no derivative.
// RUN: not ad-opt check %s --entry=f --input=1 2>&1 | FileCheck %s

// CHECK: error: 'f' has no differentiable argument
func.func @f(%x: i64) -> i64 {
  return %x : i64
}
