// Blocks of 4 MiB and more are asked for in pages of 2 MiB, smaller ones are not; the range that the system gets to
// know lies in the block and is made of whole pages.
// RUN: rm -rf %t && mkdir %t
// RUN: ad-opt compile %s --entry=twice -o %t/twice.so
// RUN: cc -std=c99 -Wall -Wextra -Werror -I%t %S/Inputs/pages.c %t/twice.so -Wl,-rpath,%t -o %t/pages
// RUN: %t/pages | FileCheck %s
// CHECK:      500000 numbers: 0 ranges
// CHECK-NEXT: 1000000 numbers: 1 range, whole pages: yes, in the block: yes

func.func @twice(%x: tensor<?xf64>) -> tensor<?xf64> {
  %y = soac.map ins(%x : tensor<?xf64>) (%e: f64) -> tensor<?xf64> {
    %s = arith.addf %e, %e : f64
    soac.yield %s : f64
  }
  return %y : tensor<?xf64>
}
