// A search whose end says what is read, and several returns [Z12, Z18].
// RUN: cat %S/Inputs/interpolate.c.mlir %S/Inputs/interpolate.f90.mlir %S/Inputs/buffers.mlir %s > %t.mlir
// RUN: %python %S/../driver/Inputs/npy.py %t.xs.npy '<f8' '(4,)' 0.1 0.5 1.2 2.0
// RUN: %python %S/../driver/Inputs/npy.py %t.ys.npy '<f8' '(4,)' 1.1 -0.4 0.6 0.2
// RUN: ad-opt check %t.mlir --entry=c --input=%t.xs.npy --input=%t.ys.npy --input=4 --input=0.9
// RUN: ad-opt check %t.mlir --entry=fortran --input=%t.xs.npy --input=%t.ys.npy --input=4 --input=0.9
// RUN: ad-opt check %t.mlir --entry=c --input=%t.xs.npy --input=%t.ys.npy --input=4 --input=0.9 --engine=interpreter
// RUN: ad-opt check %t.mlir --entry=fortran --input=%t.xs.npy --input=%t.ys.npy --input=4 --input=0.9 --engine=interpreter
// RUN: ad-opt check %t.mlir --entry=c --input=%t.xs.npy --input=%t.ys.npy --input=4 --input=-1
// RUN: ad-opt check %t.mlir --entry=fortran --input=%t.xs.npy --input=%t.ys.npy --input=4 --input=-1
// RUN: ad-opt check %t.mlir --entry=c --input=%t.xs.npy --input=%t.ys.npy --input=4 --input=3
// RUN: ad-opt check %t.mlir --entry=fortran --input=%t.xs.npy --input=%t.ys.npy --input=4 --input=3

func.func @c(%xs: tensor<?xf64>, %ys: tensor<?xf64>, %n: i32, %x: f64) -> f64 {
  %xs_m = call @buffer(%xs) : (tensor<?xf64>) -> memref<?xf64>
  %ys_m = call @buffer(%ys) : (tensor<?xf64>) -> memref<?xf64>
  %f = call @interpolate(%xs_m, %ys_m, %n, %x) : (memref<?xf64>, memref<?xf64>, i32, f64) -> f64
  memref.dealloc %xs_m : memref<?xf64>
  memref.dealloc %ys_m : memref<?xf64>
  return %f : f64
}

func.func @fortran(%xs: tensor<?xf64>, %ys: tensor<?xf64>, %n: i32, %x: f64) -> f64 {
  %xs_m = call @buffer(%xs) : (tensor<?xf64>) -> memref<?xf64>
  %ys_m = call @buffer(%ys) : (tensor<?xf64>) -> memref<?xf64>
  %n_m = call @integer(%n) : (i32) -> memref<i32>
  %x_m = call @number(%x) : (f64) -> memref<f64>
  %f = call @_QPinterpolate(%xs_m, %ys_m, %n_m, %x_m) : (memref<?xf64>, memref<?xf64>, memref<i32>, memref<f64>) -> f64
  memref.dealloc %xs_m : memref<?xf64>
  memref.dealloc %ys_m : memref<?xf64>
  memref.dealloc %n_m : memref<i32>
  memref.dealloc %x_m : memref<f64>
  return %f : f64
}
