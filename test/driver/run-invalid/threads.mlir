// Thread counts that this build does not have.
// RUN: rm -rf %t.out
// RUN: not ad-opt run %s --entry=f --input=1 --threads=2 --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: not test -e %t.out

// CHECK: error: --threads=2 is not available in this build
func.func @f(%x: f64) -> f64 {
  return %x : f64
}
