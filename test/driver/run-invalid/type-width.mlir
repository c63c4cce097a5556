// Integers of odd widths have no form outside of a program.
// RUN: rm -rf %t.out
// RUN: not ad-opt run %s --entry=f --input=1 --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: not test -e %t.out

// CHECK: [[#@LINE+4]]:1: error: argument 0 of @f has type i7, which cannot be passed
// CHECK-NEXT: func.func @f
// CHECK-NEXT: ^
// CHECK-NEXT: note: numbers can, and ranked tensors and row-major memrefs of them
func.func @f(%x: i7) -> i7 {
  return %x : i7
}
