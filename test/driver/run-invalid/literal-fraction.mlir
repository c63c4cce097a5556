// A fraction in place of a whole number.
// RUN: rm -rf %t.out
// RUN: not ad-opt run %s --entry=f --input=2.5 --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: not test -e %t.out

// CHECK: error: input 0 of @f(i32) -> (i32): '2.5' is neither a whole number, which i32 takes, nor a .npy file
func.func @f(%x: i32) -> i32 {
  return %x : i32
}
