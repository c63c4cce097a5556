// Recursion without end.
// RUN: rm -rf %t.out
// RUN: not ad-opt run %s --entry=f --input=3 --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: not test -e %t.out

// CHECK: error: the compiled program was stopped: it accessed memory out of bounds, or recursed too deeply
func.func @f(%n: i32) -> i32 {
  %a = func.call @f(%n) : (i32) -> i32
  %b = arith.muli %a, %n : i32
  %c = func.call @f(%b) : (i32) -> i32
  return %c : i32
}
