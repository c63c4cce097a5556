// A header that claims more elements than fit in memory.
// RUN: rm -rf %t.out
// RUN: %python %S/../Inputs/npy.py %t.npy '<f8' '(1000000000000,)' 1 2
// RUN: not ad-opt run %s --entry=f --input=%t.npy --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: not test -e %t.out

// CHECK: error: input 0 of @f(tensor<?xf64>) -> (tensor<?xf64>): cannot use {{.*}}.npy: it is truncated: shape (1000000000000,) needs 8000000000000 bytes of elements, there are 16
func.func @f(%x: tensor<?xf64>) -> tensor<?xf64> {
  return %x : tensor<?xf64>
}
