// Integers without a sign would be printed with one.
// RUN: rm -rf %t.out
// RUN: not ad-opt run %s --entry=f --input=1 --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: not test -e %t.out

// CHECK: [[#@LINE+1]]:1: error: argument 0 of @f has type ui8, which cannot be passed
func.func @f(%x: ui8) -> ui8 {
  return %x : ui8
}
