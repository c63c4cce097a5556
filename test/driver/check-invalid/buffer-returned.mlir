// Buffers are not compared, neither those that a function takes nor those that it returns.
// RUN: not ad-opt check %s --entry=f --input=2.0 2>&1 | FileCheck %s

// CHECK: error: 'f' returns a buffer; floats and tensors of them are compared, not buffers
func.func @f(%s: f64) -> memref<f64> {
  %o = memref.alloc() : memref<f64>
  memref.store %s, %o[] : memref<f64>
  return %o : memref<f64>
}
