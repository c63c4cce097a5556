// Updates by products were not compiled for a processor, nor were reductions of vectors of several dimensions.
// RUN: ad-opt run %s --entry=product --input=3 | FileCheck %s --check-prefix=PRODUCT
// RUN: ad-opt run %s --entry=integers --input=-3 | FileCheck %s --check-prefix=INTEGERS
// RUN: ad-opt run %s --entry=rows --input=3 | FileCheck %s --check-prefix=ROWS
// PRODUCT: 15.0
// INTEGERS: -15
// ROWS: 24.0

func.func @product(%x: f64) -> f64 {
  %five = arith.constant 5.0 : f64
  %m = memref.alloca() : memref<f64>
  memref.store %five, %m[] : memref<f64>
  %old = memref.atomic_rmw mulf %x, %m[] : (f64, memref<f64>) -> f64
  %y = memref.load %m[] : memref<f64>
  return %y : f64
}

func.func @integers(%x: i32) -> i32 {
  %five = arith.constant 5 : i32
  %m = memref.alloca() : memref<i32>
  memref.store %five, %m[] : memref<i32>
  %old = memref.atomic_rmw muli %x, %m[] : (i32, memref<i32>) -> i32
  %y = memref.load %m[] : memref<i32>
  return %y : i32
}

func.func @rows(%x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %all = vector.broadcast %x : f64 to vector<4x2xf64>
  %y = vector.multi_reduction <add>, %all, %zero [0, 1] : vector<4x2xf64> to f64
  return %y : f64
}
