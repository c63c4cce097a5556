// Two loops, a branch in one of them, and functions of the C library [Z18].
// RUN: cat %S/Inputs/log_sum_exp.c.mlir %S/Inputs/log_sum_exp.f90.mlir %S/Inputs/buffers.mlir %s > %t.mlir
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(4,)' 0.3 -1.2 2.1 0.9
// RUN: ad-opt check %t.mlir --entry=c --input=%t.x.npy --input=4
// RUN: ad-opt check %t.mlir --entry=fortran --input=%t.x.npy --input=4
// RUN: ad-opt check %t.mlir --entry=c --input=%t.x.npy --input=4 --engine=interpreter
// RUN: ad-opt check %t.mlir --entry=fortran --input=%t.x.npy --input=4 --engine=interpreter
// RUN: %python %S/../driver/Inputs/npy.py %t.x1.npy '<f8' '(1,)' 0.3
// RUN: ad-opt check %t.mlir --entry=c --input=%t.x1.npy --input=1
// RUN: ad-opt check %t.mlir --entry=fortran --input=%t.x1.npy --input=1

func.func @c(%x: tensor<?xf64>, %n: i32) -> f64 {
  %x_m = call @buffer(%x) : (tensor<?xf64>) -> memref<?xf64>
  %f = call @log_sum_exp(%x_m, %n) : (memref<?xf64>, i32) -> f64
  memref.dealloc %x_m : memref<?xf64>
  return %f : f64
}

func.func @fortran(%x: tensor<?xf64>, %n: i32) -> f64 {
  %x_m = call @buffer(%x) : (tensor<?xf64>) -> memref<?xf64>
  %n_m = call @integer(%n) : (i32) -> memref<i32>
  %f = call @_QPlog_sum_exp(%x_m, %n_m) : (memref<?xf64>, memref<i32>) -> f64
  memref.dealloc %x_m : memref<?xf64>
  memref.dealloc %n_m : memref<i32>
  return %f : f64
}
