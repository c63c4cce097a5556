// An array in place of a scalar.
// RUN: rm -rf %t.out
// RUN: %python %S/../Inputs/npy.py %t.npy '<f8' '(1,)' 1
// RUN: not ad-opt run %s --entry=f --input=%t.npy --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: not test -e %t.out

// CHECK: error: input 0 of @f(f64) -> (f64): cannot use {{.*}}.npy: it does not fit: has shape (1,), but f64 is a scalar: pass a 0-d array or a literal
func.func @f(%x: f64) -> f64 {
  return %x : f64
}
