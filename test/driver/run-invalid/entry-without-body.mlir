// A declaration cannot be run.
// RUN: rm -rf %t.out
// RUN: not ad-opt run %s --entry=f --input=1 --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: not test -e %t.out

// CHECK: [[#@LINE+1]]:1: error: function @f is private
func.func private @f(f64) -> f64
