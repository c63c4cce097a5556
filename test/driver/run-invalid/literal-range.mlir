// A number outside of the range of its type.
// RUN: rm -rf %t.out
// RUN: not ad-opt run %s --entry=f --input=-129 --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: not test -e %t.out

// CHECK: error: input 0 of @f(i8) -> (i8): '-129' is out of range for i8
func.func @f(%x: i8) -> i8 {
  return %x : i8
}
