// The message lists the entries that there are.
// RUN: not ad-opt check %s --entry=g --input=1 2>&1 | FileCheck %s

// CHECK: error: cannot check {{.*}}: there is no function @g; the public functions are
// CHECK-NEXT: @f(f64) -> f64
func.func @f(%x: f64) -> f64 {
  return %x : f64
}
