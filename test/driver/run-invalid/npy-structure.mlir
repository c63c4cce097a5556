// Elements that are structures.
// RUN: rm -rf %t.out
// RUN: %python %S/../Inputs/npy.py %t.npy "[('a', '<f8')]" '(2,)' 1 2
// RUN: not ad-opt run %s --entry=f --input=%t.npy --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: not test -e %t.out

// CHECK: error: input 0 of @f(tensor<?xf64>) -> (tensor<?xf64>): cannot use {{.*}}.npy: its elements are structures
func.func @f(%x: tensor<?xf64>) -> tensor<?xf64> {
  return %x : tensor<?xf64>
}
