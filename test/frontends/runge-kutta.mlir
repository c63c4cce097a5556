// Local arrays that a callee fills, of two dimensions in C [Z18, Z21].
// RUN: cat %S/Inputs/runge_kutta.c.mlir %S/Inputs/runge_kutta.f90.mlir %S/Inputs/buffers.mlir %s > %t.mlir
// RUN: %python %S/../driver/Inputs/npy.py %t.y.npy '<f8' '(2,)' 0.7 -0.3
// RUN: ad-opt check %t.mlir --entry=c --input=%t.y.npy --input=0.2 --input=4
// RUN: ad-opt check %t.mlir --entry=fortran --input=%t.y.npy --input=0.2 --input=4
// RUN: ad-opt check %t.mlir --entry=c --input=%t.y.npy --input=0.2 --input=4 --engine=interpreter
// RUN: ad-opt check %t.mlir --entry=fortran --input=%t.y.npy --input=0.2 --input=4 --engine=interpreter

func.func @c(%y: tensor<?xf64>, %h: f64, %steps: i32) -> tensor<?xf64> {
  %y_m = call @buffer(%y) : (tensor<?xf64>) -> memref<?xf64>
  call @runge_kutta(%y_m, %h, %steps) : (memref<?xf64>, f64, i32) -> ()
  %y_new = call @array(%y_m) : (memref<?xf64>) -> tensor<?xf64>
  memref.dealloc %y_m : memref<?xf64>
  return %y_new : tensor<?xf64>
}

func.func @fortran(%y: tensor<?xf64>, %h: f64, %steps: i32) -> tensor<?xf64> {
  %y_m = call @buffer(%y) : (tensor<?xf64>) -> memref<?xf64>
  %h_m = call @number(%h) : (f64) -> memref<f64>
  %steps_m = call @integer(%steps) : (i32) -> memref<i32>
  %y_2 = memref.cast %y_m : memref<?xf64> to memref<2xf64>
  call @_QPrunge_kutta(%y_2, %h_m, %steps_m) : (memref<2xf64>, memref<f64>, memref<i32>) -> ()
  %y_new = call @array(%y_m) : (memref<?xf64>) -> tensor<?xf64>
  memref.dealloc %y_m : memref<?xf64>
  memref.dealloc %h_m : memref<f64>
  memref.dealloc %steps_m : memref<i32>
  return %y_new : tensor<?xf64>
}
