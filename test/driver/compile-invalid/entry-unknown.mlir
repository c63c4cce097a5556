// An entry that is not there; the message lists those that are.
// RUN: rm -rf %t && mkdir %t
// RUN: not ad-opt compile %s --entry=f --entry=g -o %t/f.so 2>&1 | FileCheck %s
// RUN: ls -A %t | count 0

// CHECK: error: cannot compile {{.*}}: there is no function @g; the public functions are
// CHECK-NEXT: @f(f64) -> f64
func.func @f(%x: f64) -> f64 {
  return %x : f64
}
