// An operation of no dialect.
// RUN: rm -rf %t.out
// RUN: not ad-opt run %s --entry=f --input=1 --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: not test -e %t.out

// CHECK: [[#@LINE+2]]:24: error: operation being parsed with an unregistered dialect
func.func @f(%x: f64) -> f64 {
  %y = "nothing.at_all"(%x) : (f64) -> f64
  return %y : f64
}
