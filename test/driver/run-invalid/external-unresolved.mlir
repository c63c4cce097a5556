// A function without body that no library has.
// RUN: rm -rf %t.out
// RUN: not ad-opt run %s --entry=f --input=1 --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: not test -e %t.out

// CHECK: [[#@LINE+4]]:1: error: function @nowhere has no body, and no library has it
// CHECK-NEXT: func.func private @nowhere
// CHECK-NEXT: ^
// CHECK-NEXT: note: define it in the module
func.func private @nowhere(f64) -> f64
func.func @f(%x: f64) -> f64 {
  %y = func.call @nowhere(%x) : (f64) -> f64
  return %y : f64
}
