// A failed assertion stops the program; nothing is written.
// RUN: rm -rf %t.out
// RUN: not ad-opt run %s --entry=f --input=false --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: not test -e %t.out

// CHECK: error: the compiled program was stopped: an assertion failed
func.func @f(%x: i1) -> i1 {
  cf.assert %x, "must hold"
  return %x : i1
}
