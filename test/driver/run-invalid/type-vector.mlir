// Vectors have no form outside of a program.
// RUN: rm -rf %t.out
// RUN: not ad-opt run %s --entry=f --input=1 --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: not test -e %t.out

// CHECK: [[#@LINE+4]]:1: error: argument 0 of @f has type vector<4xf64>, which cannot be passed
// CHECK-NEXT: func.func @f
// CHECK-NEXT: ^
// CHECK-NEXT: note: numbers can, and ranked tensors and row-major memrefs of them
func.func @f(%x: vector<4xf64>) -> vector<4xf64> {
  return %x : vector<4xf64>
}
