// A loop over time and two buffers; `continue`, and short-circuit conditions [Z18, Z21].
// RUN: cat %S/Inputs/heat.c.mlir %S/Inputs/heat.f90.mlir %S/Inputs/buffers.mlir %s > %t.mlir
// RUN: %python %S/../driver/Inputs/npy.py %t.u.npy '<f8' '(5,)' 0.3 -1.2 2.1 0.7 0.5
// RUN: %python %S/../driver/Inputs/npy.py %t.v.npy '<f8' '(5,)' 0 0 0 0 0
// RUN: ad-opt check %t.mlir --entry=c --input=%t.u.npy --input=%t.v.npy --input=5 --input=3 --input=0.2
// RUN: ad-opt check %t.mlir --entry=fortran --input=%t.u.npy --input=%t.v.npy --input=5 --input=3 --input=0.2
// RUN: ad-opt check %t.mlir --entry=c --input=%t.u.npy --input=%t.v.npy --input=5 --input=3 --input=0.2 --engine=interpreter
// RUN: ad-opt check %t.mlir --entry=fortran --input=%t.u.npy --input=%t.v.npy --input=5 --input=3 --input=0.2 --engine=interpreter

func.func @c(%u: tensor<?xf64>, %v: tensor<?xf64>, %n: i32, %steps: i32, %k: f64) -> tensor<?xf64> {
  %u_m = call @buffer(%u) : (tensor<?xf64>) -> memref<?xf64>
  %v_m = call @buffer(%v) : (tensor<?xf64>) -> memref<?xf64>
  call @heat(%u_m, %v_m, %n, %steps, %k) : (memref<?xf64>, memref<?xf64>, i32, i32, f64) -> ()
  %u_new = call @array(%u_m) : (memref<?xf64>) -> tensor<?xf64>
  memref.dealloc %u_m : memref<?xf64>
  memref.dealloc %v_m : memref<?xf64>
  return %u_new : tensor<?xf64>
}

func.func @fortran(%u: tensor<?xf64>, %v: tensor<?xf64>, %n: i32, %steps: i32, %k: f64) -> tensor<?xf64> {
  %u_m = call @buffer(%u) : (tensor<?xf64>) -> memref<?xf64>
  %v_m = call @buffer(%v) : (tensor<?xf64>) -> memref<?xf64>
  %n_m = call @integer(%n) : (i32) -> memref<i32>
  %steps_m = call @integer(%steps) : (i32) -> memref<i32>
  %k_m = call @number(%k) : (f64) -> memref<f64>
  call @_QPheat(%u_m, %v_m, %n_m, %steps_m, %k_m) : (memref<?xf64>, memref<?xf64>, memref<i32>, memref<i32>, memref<f64>) -> ()
  %u_new = call @array(%u_m) : (memref<?xf64>) -> tensor<?xf64>
  memref.dealloc %u_m : memref<?xf64>
  memref.dealloc %v_m : memref<?xf64>
  memref.dealloc %n_m : memref<i32>
  memref.dealloc %steps_m : memref<i32>
  memref.dealloc %k_m : memref<f64>
  return %u_new : tensor<?xf64>
}
