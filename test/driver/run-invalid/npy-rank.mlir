// An array of another rank.
// RUN: rm -rf %t.out
// RUN: %python %S/../Inputs/npy.py %t.npy '<f8' '(2,)' 1 2
// RUN: not ad-opt run %s --entry=f --input=%t.npy --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: not test -e %t.out

// CHECK: error: input 0 of @f(tensor<?x?xf64>) -> (tensor<?x?xf64>): cannot use {{.*}}.npy: it does not fit: has shape (2,) of rank 1, but tensor<?x?xf64> has rank 2
func.func @f(%x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  return %x : tensor<?x?xf64>
}
