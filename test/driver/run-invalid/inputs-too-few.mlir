// The message shows the signature.
// RUN: rm -rf %t.out
// RUN: not ad-opt run %s --entry=f --input=1 --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: not test -e %t.out

// CHECK: error: @f(f64, index) -> (f64) takes 2 arguments, 1 given: pass one --input per argument, in order
func.func @f(%x: f64, %n: index) -> f64 {
  return %x : f64
}
