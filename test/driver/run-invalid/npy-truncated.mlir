// A file that ends within its elements.
// RUN: rm -rf %t.out
// RUN: %python %S/../Inputs/npy.py %t.npy '<f8' '(2,)' 1 2 --bytes=-3
// RUN: not ad-opt run %s --entry=f --input=%t.npy --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: not test -e %t.out

// CHECK: error: input 0 of @f(tensor<?xf64>) -> (tensor<?xf64>): cannot use {{.*}}.npy: it is truncated: shape (2,) needs 16 bytes of elements, there are 13
func.func @f(%x: tensor<?xf64>) -> tensor<?xf64> {
  return %x : tensor<?xf64>
}
