// The message shows the signature.
// RUN: rm -rf %t.out
// RUN: not ad-opt run %s --entry=f --input=1 --input=2 --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: not test -e %t.out

// CHECK: error: @f(f64) -> (f64) takes 1 argument, 2 given
func.func @f(%x: f64) -> f64 {
  return %x : f64
}
