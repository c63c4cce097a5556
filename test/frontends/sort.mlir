// A loop made by `goto`, and overwriting in place in an order that the data decides [Z18, Z21].
// RUN: cat %S/Inputs/sort.c.mlir %S/Inputs/sort.f90.mlir %S/Inputs/buffers.mlir %s > %t.mlir
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(5,)' 0.3 -1.2 2.1 0.7 0.1
// RUN: %python %S/../driver/Inputs/npy.py %t.w.npy '<f8' '(5,)' 1.1 0.4 -0.6 0.2 0.9
// RUN: ad-opt check %t.mlir --entry=c --input=%t.x.npy --input=%t.w.npy --input=5
// RUN: ad-opt check %t.mlir --entry=fortran --input=%t.x.npy --input=%t.w.npy --input=5
// RUN: ad-opt check %t.mlir --entry=c --input=%t.x.npy --input=%t.w.npy --input=5 --engine=interpreter
// RUN: ad-opt check %t.mlir --entry=fortran --input=%t.x.npy --input=%t.w.npy --input=5 --engine=interpreter

func.func @c(%x: tensor<?xf64>, %w: tensor<?xf64>, %n: i32) -> (f64, tensor<?xf64>) {
  %x_m = call @buffer(%x) : (tensor<?xf64>) -> memref<?xf64>
  %w_m = call @buffer(%w) : (tensor<?xf64>) -> memref<?xf64>
  %f = call @sort(%x_m, %w_m, %n) : (memref<?xf64>, memref<?xf64>, i32) -> f64
  %x_new = call @array(%x_m) : (memref<?xf64>) -> tensor<?xf64>
  memref.dealloc %x_m : memref<?xf64>
  memref.dealloc %w_m : memref<?xf64>
  return %f, %x_new : f64, tensor<?xf64>
}

func.func @fortran(%x: tensor<?xf64>, %w: tensor<?xf64>, %n: i32) -> (f64, tensor<?xf64>) {
  %x_m = call @buffer(%x) : (tensor<?xf64>) -> memref<?xf64>
  %w_m = call @buffer(%w) : (tensor<?xf64>) -> memref<?xf64>
  %n_m = call @integer(%n) : (i32) -> memref<i32>
  %f = call @_QPsort(%x_m, %w_m, %n_m) : (memref<?xf64>, memref<?xf64>, memref<i32>) -> f64
  %x_new = call @array(%x_m) : (memref<?xf64>) -> tensor<?xf64>
  memref.dealloc %x_m : memref<?xf64>
  memref.dealloc %w_m : memref<?xf64>
  memref.dealloc %n_m : memref<i32>
  return %f, %x_new : f64, tensor<?xf64>
}
