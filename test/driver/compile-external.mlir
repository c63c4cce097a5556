// A function from elsewhere is left to the linker in an object file, and an error in a shared library.
// RUN: rm -rf %t && mkdir %t
// RUN: ad-opt compile %s -o %t/external.o
// RUN: cc -I%t %S/Inputs/external.c %t/external.o -lm -o %t/external
// RUN: %t/external | FileCheck %s --check-prefix=VALUE
// RUN: not ad-opt compile %s -o %t/external.so 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: not test -e %t/external.so

// VALUE: 7
// SHARED: :[[# @LINE + 2]]:{{.*}}error: function @twice has no body, and the C library does not have it
// SHARED: note: define it in the module, or write an object file and link that with what has it
func.func private @twice(f64) -> f64
func.func @twice_and_one(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %0 = func.call @twice(%x) : (f64) -> f64
  %1 = arith.addf %0, %one : f64
  return %1 : f64
}
