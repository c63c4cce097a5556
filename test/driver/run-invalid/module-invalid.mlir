// A module that does not verify.
// RUN: rm -rf %t.out
// RUN: not ad-opt run %s --entry=f --input=1 --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: not test -e %t.out

// CHECK: [[#@LINE+4]]:3: error: type of return operand 0 ('f64') doesn't match function result type ('f32')
// CHECK-NEXT: return %x : f64
// CHECK-NEXT: ^
func.func @f(%x: f64) -> f32 {
  return %x : f64
}
