// Elements that are overwritten by what other elements were overwritten with [Z18, Z21, Z23].
// RUN: cat %S/Inputs/lu.c.mlir %S/Inputs/lu.f90.mlir %S/Inputs/buffers.mlir %s > %t.mlir
// RUN: %python %S/../driver/Inputs/npy.py %t.a.npy '<f8' '(9,)' 2.3 -1.2 0.4 0.7 3.1 0.5 -0.1 0.8 2.6
// RUN: ad-opt check %t.mlir --entry=c --input=%t.a.npy --input=3
// RUN: ad-opt check %t.mlir --entry=fortran --input=%t.a.npy --input=3
// RUN: ad-opt check %t.mlir --entry=c --input=%t.a.npy --input=3 --engine=interpreter
// RUN: ad-opt check %t.mlir --entry=fortran --input=%t.a.npy --input=3 --engine=interpreter

func.func @c(%a: tensor<?xf64>, %n: i32) -> tensor<?xf64> {
  %a_m = call @buffer(%a) : (tensor<?xf64>) -> memref<?xf64>
  call @lu(%a_m, %n) : (memref<?xf64>, i32) -> ()
  %a_new = call @array(%a_m) : (memref<?xf64>) -> tensor<?xf64>
  memref.dealloc %a_m : memref<?xf64>
  return %a_new : tensor<?xf64>
}

func.func @fortran(%a: tensor<?xf64>, %n: i32) -> tensor<?xf64> {
  %a_m = call @buffer(%a) : (tensor<?xf64>) -> memref<?xf64>
  %n_m = call @integer(%n) : (i32) -> memref<i32>
  call @_QPlu(%a_m, %n_m) : (memref<?xf64>, memref<i32>) -> ()
  %a_new = call @array(%a_m) : (memref<?xf64>) -> tensor<?xf64>
  memref.dealloc %a_m : memref<?xf64>
  memref.dealloc %n_m : memref<i32>
  return %a_new : tensor<?xf64>
}
