// A private function is no entry.
// RUN: not ad-opt run %s --entry=hidden --input=1 2>&1 | FileCheck %s

// CHECK: [[#@LINE+6]]:1: error: function @hidden is private
// CHECK: note: the public functions are
// CHECK-NEXT: @f(f64) -> f64
func.func @f(%x: f64) -> f64 {
  return %x : f64
}
func.func private @hidden(%x: f64) -> f64 {
  return %x : f64
}
