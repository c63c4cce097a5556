// Inputs are read as by run.
// RUN: not ad-opt check %s --entry=f --input=one 2>&1 | FileCheck %s

// CHECK: error: input 0 of @f(f64) -> (f64): 'one' is neither a number, which f64 takes, nor a .npy file
func.func @f(%x: f64) -> f64 {
  return %x : f64
}
