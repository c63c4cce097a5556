// A loop that counts down [Z18].
// RUN: cat %S/Inputs/horner.c.mlir %S/Inputs/horner.f90.mlir %S/Inputs/buffers.mlir %s > %t.mlir
// RUN: %python %S/../driver/Inputs/npy.py %t.c.npy '<f8' '(4,)' 0.3 -1.2 2.1 0.7
// RUN: ad-opt check %t.mlir --entry=c --input=%t.c.npy --input=4 --input=0.8
// RUN: ad-opt check %t.mlir --entry=fortran --input=%t.c.npy --input=4 --input=0.8
// RUN: ad-opt check %t.mlir --entry=c --input=%t.c.npy --input=4 --input=0.8 --engine=interpreter
// RUN: ad-opt check %t.mlir --entry=fortran --input=%t.c.npy --input=4 --input=0.8 --engine=interpreter

func.func @c(%c: tensor<?xf64>, %n: i32, %x: f64) -> f64 {
  %c_m = call @buffer(%c) : (tensor<?xf64>) -> memref<?xf64>
  %f = call @horner(%c_m, %n, %x) : (memref<?xf64>, i32, f64) -> f64
  memref.dealloc %c_m : memref<?xf64>
  return %f : f64
}

func.func @fortran(%c: tensor<?xf64>, %n: i32, %x: f64) -> f64 {
  %c_m = call @buffer(%c) : (tensor<?xf64>) -> memref<?xf64>
  %n_m = call @integer(%n) : (i32) -> memref<i32>
  %x_m = call @number(%x) : (f64) -> memref<f64>
  %f = call @_QPhorner(%c_m, %n_m, %x_m) : (memref<?xf64>, memref<i32>, memref<f64>) -> f64
  memref.dealloc %c_m : memref<?xf64>
  memref.dealloc %n_m : memref<i32>
  memref.dealloc %x_m : memref<f64>
  return %f : f64
}
