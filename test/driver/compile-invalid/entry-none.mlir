// A module without public functions.
// RUN: rm -rf %t && mkdir %t
// RUN: not ad-opt compile %s -o %t/f.so 2>&1 | FileCheck %s
// RUN: ls -A %t | count 0

// CHECK: error: cannot compile {{.*}}: the module has no public function, so there is nothing to compile
func.func private @f(%x: f64) -> f64 {
  return %x : f64
}
