// A switch, of which one case goes on in the next, and one returns [Z10, Z12, Z18].
// RUN: cat %S/Inputs/choice.c.mlir %S/Inputs/choice.f90.mlir %S/Inputs/buffers.mlir %s > %t.mlir
// RUN: ad-opt check %t.mlir --entry=c --input=0.7 --input=0
// RUN: ad-opt check %t.mlir --entry=fortran --input=0.7 --input=0
// RUN: ad-opt check %t.mlir --entry=c --input=0.7 --input=0 --engine=interpreter
// RUN: ad-opt check %t.mlir --entry=fortran --input=0.7 --input=0 --engine=interpreter
// RUN: ad-opt check %t.mlir --entry=c --input=0.7 --input=1
// RUN: ad-opt check %t.mlir --entry=fortran --input=0.7 --input=1
// RUN: ad-opt check %t.mlir --entry=c --input=0.7 --input=2
// RUN: ad-opt check %t.mlir --entry=fortran --input=0.7 --input=2
// RUN: ad-opt check %t.mlir --entry=c --input=-0.7 --input=5
// RUN: ad-opt check %t.mlir --entry=fortran --input=-0.7 --input=5
// RUN: ad-opt check %t.mlir --entry=c --input=0.7 --input=7
// RUN: ad-opt check %t.mlir --entry=fortran --input=0.7 --input=7

func.func @c(%x: f64, %kind: i32) -> f64 {
  %f = call @choice(%x, %kind) : (f64, i32) -> f64
  return %f : f64
}

func.func @fortran(%x: f64, %kind: i32) -> f64 {
  %x_m = call @number(%x) : (f64) -> memref<f64>
  %kind_m = call @integer(%kind) : (i32) -> memref<i32>
  %f = call @_QPchoice(%x_m, %kind_m) : (memref<f64>, memref<i32>) -> f64
  memref.dealloc %x_m : memref<f64>
  memref.dealloc %kind_m : memref<i32>
  return %f : f64
}
