// A header whose number of bytes does not fit in a word.
// RUN: rm -rf %t.out
// RUN: %python %S/../Inputs/npy.py %t.npy '<f8' '(4294967296, 4294967296)' 1 2
// RUN: not ad-opt run %s --entry=f --input=%t.npy --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: not test -e %t.out

// CHECK: error: input 0 of @f(tensor<?x?xf64>) -> (tensor<?x?xf64>): cannot use {{.*}}.npy: its header has the impossible shape (4294967296, 4294967296)
func.func @f(%x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  return %x : tensor<?x?xf64>
}
