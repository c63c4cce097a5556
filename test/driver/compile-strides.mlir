// A copy between different layouts, which the C library does not have, comes with the library.
// RUN: rm -rf %t && mkdir %t
// RUN: ad-opt compile %s -o %t/strides.so
// RUN: llvm-nm %t/strides.so | FileCheck %s --check-prefix=NAMES
// RUN: %python %S/Inputs/strides.py %t/strides.so | FileCheck %s

// NAMES: t ad_copy
// NAMES-NOT: U memrefCopy
// CHECK: [9.0, 9.0, 9.0, 9.0, 9.0, 1.0, 2.0, 9.0, 9.0, 3.0, 4.0, 9.0]
// CHECK: [1.0, 5.0, 9.0, 3.0, 7.0, 11.0]
func.func @inside(%x: memref<3x4xf64>, %y: memref<2x2xf64>) {
  %0 = memref.subview %x[1, 1] [2, 2] [1, 1] : memref<3x4xf64> to memref<2x2xf64, strided<[4, 1], offset: 5>>
  memref.copy %y, %0 : memref<2x2xf64> to memref<2x2xf64, strided<[4, 1], offset: 5>>
  return
}
func.func @across(%x: memref<3x4xf64>, %y: memref<2x3xf64>) {
  %0 = memref.subview %x[0, 0] [3, 2] [1, 2] : memref<3x4xf64> to memref<3x2xf64, strided<[4, 2]>>
  %1 = memref.transpose %0 (i, j) -> (j, i) : memref<3x2xf64, strided<[4, 2]>> to memref<2x3xf64, strided<[2, 4]>>
  memref.copy %1, %y : memref<2x3xf64, strided<[2, 4]>> to memref<2x3xf64>
  return
}
