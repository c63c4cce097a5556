// A word in place of a number.
// RUN: rm -rf %t.out
// RUN: not ad-opt run %s --entry=f --input=one --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: not test -e %t.out

// CHECK: error: input 0 of @f(f64) -> (f64): 'one' is neither a number, which f64 takes, nor a .npy file
func.func @f(%x: f64) -> f64 {
  return %x : f64
}
