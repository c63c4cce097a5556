// Arrays are passed in row-major order.
// RUN: rm -rf %t.out
// RUN: not ad-opt run %s --entry=f --input=1 --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: not test -e %t.out
// RUN: not ad-opt run %s --entry=g 2>&1 | FileCheck %s --check-prefix=RESULT
// RUN: not ad-opt compile %s --entry=g -o %t.o 2>&1 | FileCheck %s --check-prefix=RESULT
// RUN: not ad-opt compile %s --entry=h -o %t.o 2>&1 | FileCheck %s --check-prefix=MAP

// CHECK: [[#@LINE+4]]:1: error: argument 0 of @f has type memref<?xf64, strided<[2]>>, which cannot be passed
// CHECK-NEXT: func.func @f
// CHECK-NEXT: ^
// CHECK-NEXT: note: numbers can, and ranked tensors and row-major memrefs of them
func.func @f(%x: memref<?xf64, strided<[2]>>) -> memref<?xf64, strided<[2]>> {
  return %x : memref<?xf64, strided<[2]>>
}

// RESULT: [[#@LINE+4]]:1: error: result 0 of @g has type memref<2xf64, strided<[1], offset: 1>>, which cannot be passed
// RESULT-NEXT: func.func @g
// RESULT-NEXT: ^
// RESULT-NEXT: note: numbers can, and ranked tensors and row-major memrefs of them
func.func @g() -> memref<2xf64, strided<[1], offset: 1>> {
  %all = memref.alloc() : memref<4xf64>
  %part = memref.subview %all[1] [2] [1] : memref<4xf64> to memref<2xf64, strided<[1], offset: 1>>
  return %part : memref<2xf64, strided<[1], offset: 1>>
}

// MAP: error: result 1 of @h has type memref<2x2xf64, affine_map<(d0, d1) -> (d1, d0)>>, which cannot be passed
func.func @h(%x: f64) -> (f64, memref<2x2xf64, affine_map<(d0, d1) -> (d1, d0)>>) {
  %m = memref.alloc() : memref<2x2xf64, affine_map<(d0, d1) -> (d1, d0)>>
  return %x, %m : f64, memref<2x2xf64, affine_map<(d0, d1) -> (d1, d0)>>
}
