// A function that returns early, and a loop that ends at its end or in its middle [Z12, Z18].
// RUN: cat %S/Inputs/dot.c.mlir %S/Inputs/dot.f90.mlir %S/Inputs/buffers.mlir %s > %t.mlir
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(3,)' 0.3 -1.2 2.1
// RUN: %python %S/../driver/Inputs/npy.py %t.y.npy '<f8' '(3,)' 1.1 0.4 -0.6
// RUN: ad-opt check %t.mlir --entry=c --input=%t.x.npy --input=%t.y.npy --input=3
// RUN: ad-opt check %t.mlir --entry=fortran --input=%t.x.npy --input=%t.y.npy --input=3
// RUN: ad-opt check %t.mlir --entry=c --input=%t.x.npy --input=%t.y.npy --input=3 --engine=interpreter
// RUN: ad-opt check %t.mlir --entry=fortran --input=%t.x.npy --input=%t.y.npy --input=3 --engine=interpreter
// RUN: ad-opt check %t.mlir --entry=c --input=%t.x.npy --input=%t.y.npy --input=0
// RUN: ad-opt check %t.mlir --entry=fortran --input=%t.x.npy --input=%t.y.npy --input=0

func.func @c(%x: tensor<?xf64>, %y: tensor<?xf64>, %n: i32) -> f64 {
  %x_m = call @buffer(%x) : (tensor<?xf64>) -> memref<?xf64>
  %y_m = call @buffer(%y) : (tensor<?xf64>) -> memref<?xf64>
  %f = call @dot(%x_m, %y_m, %n) : (memref<?xf64>, memref<?xf64>, i32) -> f64
  memref.dealloc %x_m : memref<?xf64>
  memref.dealloc %y_m : memref<?xf64>
  return %f : f64
}

func.func @fortran(%x: tensor<?xf64>, %y: tensor<?xf64>, %n: i32) -> f64 {
  %x_m = call @buffer(%x) : (tensor<?xf64>) -> memref<?xf64>
  %y_m = call @buffer(%y) : (tensor<?xf64>) -> memref<?xf64>
  %n_m = call @integer(%n) : (i32) -> memref<i32>
  %f = call @_QPdot(%x_m, %y_m, %n_m) : (memref<?xf64>, memref<?xf64>, memref<i32>) -> f64
  memref.dealloc %x_m : memref<?xf64>
  memref.dealloc %y_m : memref<?xf64>
  memref.dealloc %n_m : memref<i32>
  return %f : f64
}
