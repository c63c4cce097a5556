// Nested loops, a result by an argument, a pointer to a row, and columns one after the other [Z18, Z21, Z28].
// RUN: cat %S/Inputs/multiply.c.mlir %S/Inputs/multiply.f90.mlir %S/Inputs/buffers.mlir %s > %t.mlir
// The gradients are products, too, and keep nothing on tapes (F45).
// RUN: ad-opt %t.mlir --ad-lift-to-loops --ad-optimize | FileCheck %s
// RUN: %python %S/../driver/Inputs/npy.py %t.a.npy '<f8' '(4,)' 0.3 -1.2 2.1 0.7
// RUN: %python %S/../driver/Inputs/npy.py %t.b.npy '<f8' '(4,)' 1.1 0.4 -0.6 0.2
// RUN: %python %S/../driver/Inputs/npy.py %t.c.npy '<f8' '(4,)' 9 9 9 9
// RUN: ad-opt check %t.mlir --entry=c --input=%t.a.npy --input=%t.b.npy --input=%t.c.npy --input=2
// RUN: ad-opt check %t.mlir --entry=fortran --input=%t.a.npy --input=%t.b.npy --input=%t.c.npy --input=2
// RUN: ad-opt check %t.mlir --entry=c --input=%t.a.npy --input=%t.b.npy --input=%t.c.npy --input=2 --engine=interpreter
// RUN: ad-opt check %t.mlir --entry=fortran --input=%t.a.npy --input=%t.b.npy --input=%t.c.npy --input=2 --engine=interpreter

func.func @c(%a: tensor<?xf64>, %b: tensor<?xf64>, %c: tensor<?xf64>, %n: i32) -> tensor<?xf64> {
  %a_m = call @buffer(%a) : (tensor<?xf64>) -> memref<?xf64>
  %b_m = call @buffer(%b) : (tensor<?xf64>) -> memref<?xf64>
  %c_m = call @buffer(%c) : (tensor<?xf64>) -> memref<?xf64>
  call @multiply(%a_m, %b_m, %c_m, %n) : (memref<?xf64>, memref<?xf64>, memref<?xf64>, i32) -> ()
  %c_new = call @array(%c_m) : (memref<?xf64>) -> tensor<?xf64>
  memref.dealloc %a_m : memref<?xf64>
  memref.dealloc %b_m : memref<?xf64>
  memref.dealloc %c_m : memref<?xf64>
  return %c_new : tensor<?xf64>
}

func.func @fortran(%a: tensor<?xf64>, %b: tensor<?xf64>, %c: tensor<?xf64>, %n: i32) -> tensor<?xf64> {
  %a_m = call @buffer(%a) : (tensor<?xf64>) -> memref<?xf64>
  %b_m = call @buffer(%b) : (tensor<?xf64>) -> memref<?xf64>
  %c_m = call @buffer(%c) : (tensor<?xf64>) -> memref<?xf64>
  %n_m = call @integer(%n) : (i32) -> memref<i32>
  call @_QPmultiply(%a_m, %b_m, %c_m, %n_m) : (memref<?xf64>, memref<?xf64>, memref<?xf64>, memref<i32>) -> ()
  %c_new = call @array(%c_m) : (memref<?xf64>) -> tensor<?xf64>
  memref.dealloc %a_m : memref<?xf64>
  memref.dealloc %b_m : memref<?xf64>
  memref.dealloc %c_m : memref<?xf64>
  memref.dealloc %n_m : memref<i32>
  return %c_new : tensor<?xf64>
}

// CHECK-LABEL: func.func @c_gradient(
// CHECK-NOT: ad.tape
// CHECK-COUNT-2: iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: return
func.func @c_gradient(%a: tensor<?xf64>, %b: tensor<?xf64>, %c: tensor<?xf64>, %n: i32) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:3 = ad.vjp @c(%a, %b, %c, %n) seed(%c) {wrt = array<i64: 0, 1>}
      : (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, i32), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %r#1, %r#2 : tensor<?xf64>, tensor<?xf64>
}

// CHECK-LABEL: func.func @fortran_gradient(
// CHECK-NOT: ad.tape
// CHECK-COUNT-2: iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: return
func.func @fortran_gradient(%a: tensor<?xf64>, %b: tensor<?xf64>, %c: tensor<?xf64>, %n: i32) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:3 = ad.vjp @fortran(%a, %b, %c, %n) seed(%c) {wrt = array<i64: 0, 1>}
      : (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, i32), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %r#1, %r#2 : tensor<?xf64>, tensor<?xf64>
}
