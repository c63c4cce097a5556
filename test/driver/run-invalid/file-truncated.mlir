// A file that ends within a function.
// RUN: head -c 300 %s > %t.mlir
// RUN: not ad-opt run %t.mlir --entry=f --input=1 2>&1 | FileCheck %s

// CHECK: .mlir:{{[0-9]+}}:{{[0-9]+}}: error: 
// CHECK: error: {{.*}} is not a valid module
// CHECK-NOT: Stack dump
func.func @f(%x: f64) -> f64 {
  %y = arith.addf %x, %x : f64
  %z = arith.mulf %y, %x : f64
  return %z : f64
}
