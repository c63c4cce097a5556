// Targets that this build does not have.
// RUN: rm -rf %t.out
// RUN: not ad-opt run %s --entry=f --input=1 --target=gpu-emulate --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: not test -e %t.out

// CHECK: error: --target=gpu-emulate is not available in this build; use --target=cpu
func.func @f(%x: f64) -> f64 {
  return %x : f64
}
