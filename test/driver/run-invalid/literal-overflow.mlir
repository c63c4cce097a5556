// A number that a narrow float cannot hold.
// RUN: rm -rf %t.out
// RUN: not ad-opt run %s --entry=f --input=1e39 --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: not test -e %t.out

// CHECK: error: input 0 of @f(f32) -> (f32): '1e39' is too large for f32
func.func @f(%x: f32) -> f32 {
  return %x : f32
}
