// Every iteration reads what the one before wrote [Z18, Z21, Z23].
// RUN: cat %S/Inputs/products.c.mlir %S/Inputs/products.f90.mlir %S/Inputs/buffers.mlir %s > %t.mlir
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(4,)' 0.3 -1.2 2.1 0.7
// RUN: ad-opt check %t.mlir --entry=c --input=%t.x.npy --input=4
// RUN: ad-opt check %t.mlir --entry=fortran --input=%t.x.npy --input=4
// RUN: ad-opt check %t.mlir --entry=c --input=%t.x.npy --input=4 --engine=interpreter
// RUN: ad-opt check %t.mlir --entry=fortran --input=%t.x.npy --input=4 --engine=interpreter

func.func @c(%x: tensor<?xf64>, %n: i32) -> tensor<?xf64> {
  %x_m = call @buffer(%x) : (tensor<?xf64>) -> memref<?xf64>
  call @products(%x_m, %n) : (memref<?xf64>, i32) -> ()
  %x_new = call @array(%x_m) : (memref<?xf64>) -> tensor<?xf64>
  memref.dealloc %x_m : memref<?xf64>
  return %x_new : tensor<?xf64>
}

func.func @fortran(%x: tensor<?xf64>, %n: i32) -> tensor<?xf64> {
  %x_m = call @buffer(%x) : (tensor<?xf64>) -> memref<?xf64>
  %n_m = call @integer(%n) : (i32) -> memref<i32>
  call @_QPproducts(%x_m, %n_m) : (memref<?xf64>, memref<i32>) -> ()
  %x_new = call @array(%x_m) : (memref<?xf64>) -> tensor<?xf64>
  memref.dealloc %x_m : memref<?xf64>
  memref.dealloc %n_m : memref<i32>
  return %x_new : tensor<?xf64>
}
