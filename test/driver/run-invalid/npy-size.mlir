// An array of another static size.
// RUN: rm -rf %t.out
// RUN: %python %S/../Inputs/npy.py %t.npy '<f8' '(1, 2)' 1 2
// RUN: not ad-opt run %s --entry=f --input=%t.npy --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: not test -e %t.out

// CHECK: error: input 0 of @f(tensor<?x3xf64>) -> (tensor<?x3xf64>): cannot use {{.*}}.npy: it does not fit: has shape (1, 2), which does not fit tensor<?x3xf64> in dimension 1
func.func @f(%x: tensor<?x3xf64>) -> tensor<?x3xf64> {
  return %x : tensor<?x3xf64>
}
