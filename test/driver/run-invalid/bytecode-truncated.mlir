// Bytecode that ends early.
// RUN: ad-opt %s --emit-bytecode -o %t.full
// RUN: head -c 120 %t.full > %t.bc
// RUN: not ad-opt run %t.bc --entry=f --input=1 2>&1 | FileCheck %s

// CHECK: error: 
// CHECK: error: {{.*}} is not a valid module
func.func @f(%x: f64) -> f64 {
  return %x : f64
}
