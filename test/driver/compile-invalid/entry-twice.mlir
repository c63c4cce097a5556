// The same entry twice.
// RUN: not ad-opt compile %s --entry=f --entry=f -o %t.so 2>&1 | FileCheck %s

// CHECK: error: cannot compile {{.*}}: --entry=f is given twice
func.func @f(%x: f64) -> f64 {
  return %x : f64
}
