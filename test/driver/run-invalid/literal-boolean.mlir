// A number in place of a truth value.
// RUN: rm -rf %t.out
// RUN: not ad-opt run %s --entry=f --input=2 --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: not test -e %t.out

// CHECK: error: input 0 of @f(i1) -> (i1): '2' is neither 'true' nor 'false', which i1 takes, nor a .npy file
func.func @f(%x: i1) -> i1 {
  return %x : i1
}
