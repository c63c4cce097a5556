// The folder of results is a file.
// RUN: rm -rf %t.out
// RUN: touch %t.out
// RUN: not ad-opt run %s --entry=f --input=1 --output-dir=%t.out 2>&1 | FileCheck %s

// CHECK: error: cannot make {{.*}}.out: 
func.func @f(%x: f64) -> f64 {
  return %x : f64
}
