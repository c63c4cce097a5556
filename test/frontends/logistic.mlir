// Sums in sums, labels that are integers, and a choice by them [Z10, Z18].
// RUN: cat %S/Inputs/logistic.c.mlir %S/Inputs/logistic.f90.mlir %S/Inputs/buffers.mlir %s > %t.mlir
// RUN: %python %S/../driver/Inputs/npy.py %t.w.npy '<f8' '(3,)' 0.3 -1.2 0.4
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(6,)' 0.3 -1.2 2.1 0.7 0.5 -0.1
// RUN: %python %S/../driver/Inputs/npy.py %t.label.npy '<i4' '(3,)' 1 0 1
// RUN: ad-opt check %t.mlir --entry=c --input=%t.w.npy --input=%t.x.npy --input=%t.label.npy --input=3 --input=2
// RUN: ad-opt check %t.mlir --entry=fortran --input=%t.w.npy --input=%t.x.npy --input=%t.label.npy --input=3 --input=2
// RUN: ad-opt check %t.mlir --entry=c --input=%t.w.npy --input=%t.x.npy --input=%t.label.npy --input=3 --input=2 --engine=interpreter
// RUN: ad-opt check %t.mlir --entry=fortran --input=%t.w.npy --input=%t.x.npy --input=%t.label.npy --input=3 --input=2 --engine=interpreter

func.func @c(%w: tensor<?xf64>, %x: tensor<?xf64>, %label: tensor<?xi32>, %n: i32, %d: i32) -> f64 {
  %w_m = call @buffer(%w) : (tensor<?xf64>) -> memref<?xf64>
  %x_m = call @buffer(%x) : (tensor<?xf64>) -> memref<?xf64>
  %label_m = call @integers(%label) : (tensor<?xi32>) -> memref<?xi32>
  %f = call @logistic(%w_m, %x_m, %label_m, %n, %d) : (memref<?xf64>, memref<?xf64>, memref<?xi32>, i32, i32) -> f64
  memref.dealloc %w_m : memref<?xf64>
  memref.dealloc %x_m : memref<?xf64>
  memref.dealloc %label_m : memref<?xi32>
  return %f : f64
}

func.func @fortran(%w: tensor<?xf64>, %x: tensor<?xf64>, %label: tensor<?xi32>, %n: i32, %d: i32) -> f64 {
  %w_m = call @buffer(%w) : (tensor<?xf64>) -> memref<?xf64>
  %x_m = call @buffer(%x) : (tensor<?xf64>) -> memref<?xf64>
  %label_m = call @integers(%label) : (tensor<?xi32>) -> memref<?xi32>
  %n_m = call @integer(%n) : (i32) -> memref<i32>
  %d_m = call @integer(%d) : (i32) -> memref<i32>
  %f = call @_QPlogistic(%w_m, %x_m, %label_m, %n_m, %d_m) : (memref<?xf64>, memref<?xf64>, memref<?xi32>, memref<i32>, memref<i32>) -> f64
  memref.dealloc %w_m : memref<?xf64>
  memref.dealloc %x_m : memref<?xf64>
  memref.dealloc %label_m : memref<?xi32>
  memref.dealloc %n_m : memref<i32>
  memref.dealloc %d_m : memref<i32>
  return %f : f64
}
