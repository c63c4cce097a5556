// A number in place of an array.
// RUN: rm -rf %t.out
// RUN: not ad-opt run %s --entry=f --input=3 --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: not test -e %t.out

// CHECK: error: input 0 of @f(tensor<?xf64>) -> (tensor<?xf64>): there is no file '3', and tensor<?xf64> takes a .npy file
func.func @f(%x: tensor<?xf64>) -> tensor<?xf64> {
  return %x : tensor<?xf64>
}
