// An entry that is not there; the message lists those that are.
// RUN: not ad-opt run %s --entry=g 2>&1 | FileCheck %s

// CHECK: error: cannot run {{.*}}: there is no function @g; the public functions are
// CHECK-NEXT: @f(f64, tensor<?xi32>) -> tensor<?xi32>
// CHECK-NOT: @hidden
func.func @f(%x: f64, %n: tensor<?xi32>) -> tensor<?xi32> {
  return %n : tensor<?xi32>
}
func.func private @hidden(%x: f64) -> f64 {
  return %x : f64
}
