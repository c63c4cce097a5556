// A loop over a number in memory, which counts in memory, too: the power of any exponent [Z07].
// RUN: cat %S/Inputs/power.c.mlir %S/Inputs/power.f90.mlir %S/Inputs/buffers.mlir %s > %t.mlir
// RUN: ad-opt check %t.mlir --entry=c --input=1.3 --input=5
// RUN: ad-opt check %t.mlir --entry=fortran --input=1.3 --input=5
// RUN: ad-opt check %t.mlir --entry=c --input=1.3 --input=5 --engine=interpreter
// RUN: ad-opt check %t.mlir --entry=fortran --input=1.3 --input=5 --engine=interpreter
// RUN: ad-opt check %t.mlir --entry=c --input=-0.7 --input=0
// RUN: ad-opt check %t.mlir --entry=fortran --input=-0.7 --input=0

func.func @c(%x: f64, %n: i32) -> f64 {
  %f = call @power(%x, %n) : (f64, i32) -> f64
  return %f : f64
}

func.func @fortran(%x: f64, %n: i32) -> f64 {
  %x_m = call @number(%x) : (f64) -> memref<f64>
  %n_m = call @integer(%n) : (i32) -> memref<i32>
  %f = call @_QPpower(%x_m, %n_m) : (memref<f64>, memref<i32>) -> f64
  memref.dealloc %x_m : memref<f64>
  memref.dealloc %n_m : memref<i32>
  return %f : f64
}
