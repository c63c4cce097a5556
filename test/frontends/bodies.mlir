// Pointers to locals that a callee writes to, and updates of arguments in place [Z18, Z21].
// RUN: cat %S/Inputs/bodies.c.mlir %S/Inputs/bodies.f90.mlir %S/Inputs/buffers.mlir %s > %t.mlir
// RUN: %python %S/../driver/Inputs/npy.py %t.at.npy '<f8' '(6,)' 0.1 0.2 1.1 -0.4 -0.8 0.9
// RUN: %python %S/../driver/Inputs/npy.py %t.speed.npy '<f8' '(6,)' 0.5 -0.2 0.1 0.3 -0.6 0.4
// RUN: %python %S/../driver/Inputs/npy.py %t.mass.npy '<f8' '(3,)' 1.2 0.7 0.4
// RUN: ad-opt check %t.mlir --entry=c --input=%t.at.npy --input=%t.speed.npy --input=%t.mass.npy --input=3 --input=0.1
// RUN: ad-opt check %t.mlir --entry=fortran --input=%t.at.npy --input=%t.speed.npy --input=%t.mass.npy --input=3 --input=0.1
// RUN: ad-opt check %t.mlir --entry=c --input=%t.at.npy --input=%t.speed.npy --input=%t.mass.npy --input=3 --input=0.1 --engine=interpreter
// RUN: ad-opt check %t.mlir --entry=fortran --input=%t.at.npy --input=%t.speed.npy --input=%t.mass.npy --input=3 --input=0.1 --engine=interpreter

func.func @c(%at: tensor<?xf64>, %speed: tensor<?xf64>, %mass: tensor<?xf64>, %n: i32, %dt: f64) -> (tensor<?xf64>, tensor<?xf64>) {
  %at_m = call @buffer(%at) : (tensor<?xf64>) -> memref<?xf64>
  %speed_m = call @buffer(%speed) : (tensor<?xf64>) -> memref<?xf64>
  %mass_m = call @buffer(%mass) : (tensor<?xf64>) -> memref<?xf64>
  call @bodies(%at_m, %speed_m, %mass_m, %n, %dt) : (memref<?xf64>, memref<?xf64>, memref<?xf64>, i32, f64) -> ()
  %at_new = call @array(%at_m) : (memref<?xf64>) -> tensor<?xf64>
  %speed_new = call @array(%speed_m) : (memref<?xf64>) -> tensor<?xf64>
  memref.dealloc %at_m : memref<?xf64>
  memref.dealloc %speed_m : memref<?xf64>
  memref.dealloc %mass_m : memref<?xf64>
  return %at_new, %speed_new : tensor<?xf64>, tensor<?xf64>
}

func.func @fortran(%at: tensor<?xf64>, %speed: tensor<?xf64>, %mass: tensor<?xf64>, %n: i32, %dt: f64) -> (tensor<?xf64>, tensor<?xf64>) {
  %at_m = call @buffer(%at) : (tensor<?xf64>) -> memref<?xf64>
  %speed_m = call @buffer(%speed) : (tensor<?xf64>) -> memref<?xf64>
  %mass_m = call @buffer(%mass) : (tensor<?xf64>) -> memref<?xf64>
  %n_m = call @integer(%n) : (i32) -> memref<i32>
  %dt_m = call @number(%dt) : (f64) -> memref<f64>
  call @_QPbodies(%at_m, %speed_m, %mass_m, %n_m, %dt_m) : (memref<?xf64>, memref<?xf64>, memref<?xf64>, memref<i32>, memref<f64>) -> ()
  %at_new = call @array(%at_m) : (memref<?xf64>) -> tensor<?xf64>
  %speed_new = call @array(%speed_m) : (memref<?xf64>) -> tensor<?xf64>
  memref.dealloc %at_m : memref<?xf64>
  memref.dealloc %speed_m : memref<?xf64>
  memref.dealloc %mass_m : memref<?xf64>
  memref.dealloc %n_m : memref<i32>
  memref.dealloc %dt_m : memref<f64>
  return %at_new, %speed_new : tensor<?xf64>, tensor<?xf64>
}
