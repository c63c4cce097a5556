// Machine code is for this computer's own processor: loops use its widest vectors.
// RUN: ad-opt run %s --entry=fill --input=8 --save-object=%t.o
// RUN: llvm-objdump -d %t.o > %t.s
// RUN: %python %S/Inputs/vectors.py %t.s | FileCheck %s
// So it is in libraries.
// RUN: ad-opt compile %s -o %t.lib.o
// RUN: llvm-objdump -d %t.lib.o > %t.lib.s
// RUN: %python %S/Inputs/vectors.py %t.lib.s | FileCheck %s

// CHECK: as wide as the processor's
func.func @fill(%n: index) -> tensor<?xf64> {
  %is = soac.iota %n : tensor<?xindex>
  %0 = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %1 = arith.index_cast %i : index to i32
    %2 = arith.sitofp %1 : i32 to f64
    %3 = arith.mulf %2, %2 : f64
    soac.yield %3 : f64
  }
  return %0 : tensor<?xf64>
}
