// Each of several calls has as many inputs as the function has arguments; the message says whose input is wrong.
// RUN: rm -rf %t.out
// RUN: not ad-opt run %s --entry=f --calls=2 --input=1 --input=2 --input=3 --output-dir=%t.out 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: not ad-opt run %s --entry=f --calls=2 --input=1 --input=2 --input=3 --input=2.5 --output-dir=%t.out 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not ad-opt run %s --entry=f --calls=0 --output-dir=%t.out 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not ad-opt run %s --entry=f --calls=2 --repeat=1 --input=1 --input=2 --input=3 --input=4 --output-dir=%t.out 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not test -e %t.out

// FEW: error: @f(f64, index) -> (f64) takes 2 arguments, and is called 2 times, 3 given: pass one --input per argument and call, in order
// WRONG: error: call 1: input 1 of @f(f64, index) -> (f64): '2.5' is neither a whole number
// NONE: error: invalid value '0' for '--calls <N>'
// BOTH: error: the argument '--calls <N>' cannot be used with '--repeat <N>'
func.func @f(%x: f64, %n: index) -> f64 {
  return %x : f64
}
