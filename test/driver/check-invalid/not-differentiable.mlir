// What cannot be differentiated is an error at the operation, with a note at the request.
// RUN: not ad-opt check %s --entry=f --input=1 2>&1 | FileCheck %s

// CHECK: [[#@LINE+4]]:{{[0-9]+}}: error: 'func.call' op 
// CHECK: error: @f cannot be differentiated
func.func private @erased(f64) -> f64
func.func @f(%x: f64) -> f64 {
  %y = func.call @erased(%x) : (f64) -> f64
  return %y : f64
}
