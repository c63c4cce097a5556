// What is no product of matrices is not stored: the accumulator stays, and there is no more memory.
// RUN: ad-opt %s --ad-optimize | FileCheck %s
// RUN: %python %S/../driver/Inputs/npy.py %t.a.npy '<f8' '(3, 3)' 1 0.5 -2 0.25 1 -1 0.5 0.5 1
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(2, 3)' 1 0.5 -2 0.25 1 -1
// RUN: %python %S/../driver/Inputs/npy.py %t.v.npy '<f8' '(3,)' 1 0.5 -2
// RUN: ad-opt check %s --entry=triangle --input=%t.a.npy --input=%t.x.npy
// RUN: ad-opt check %s --entry=vector --input=%t.a.npy --input=%t.v.npy
// RUN: ad-opt check %s --entry=branch --input=%t.x.npy --input=%t.a.npy

// The rows of a triangle have different widths: a contraction of the square would do twice the work.
// CHECK-LABEL: func.func @triangle_vjp(
// CHECK-NOT: linalg.generic
// CHECK: soac.with_acc
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @triangle(%q: tensor<?x?xf64>, %x: tensor<?x?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %q, %c0 : tensor<?x?xf64>
  %is = soac.iota %n : tensor<?xindex>
  %sums = soac.map ins(%x : tensor<?x?xf64>) (%point: tensor<?xf64>) -> tensor<?xf64> {
    %squares = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
      %width = arith.addi %i, %c1 : index
      %ks = soac.iota %width : tensor<?xindex>
      %products = soac.map ins(%ks : tensor<?xindex>) (%k: index) -> tensor<?xf64> {
        %a = tensor.extract %q[%i, %k] : tensor<?x?xf64>
        %b = tensor.extract %point[%k] : tensor<?xf64>
        %p = arith.mulf %a, %b : f64
        soac.yield %p : f64
      }
      %c = func.call @sum(%products) : (tensor<?xf64>) -> f64
      %square = arith.mulf %c, %c : f64
      soac.yield %square : f64
    }
    %sum = func.call @sum(%squares) : (tensor<?xf64>) -> f64
    soac.yield %sum : f64
  }
  %total = func.call @sum(%sums) : (tensor<?xf64>) -> f64
  return %total : f64
}
func.func @triangle_vjp(%q: tensor<?x?xf64>, %x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @triangle(%q, %x) seed(%one) {wrt = array<i64: 0>}
      : (tensor<?x?xf64>, tensor<?x?xf64>), (f64) -> (f64, tensor<?x?xf64>)
  return %r#1 : tensor<?x?xf64>
}

// The elements of a matrix times a vector are read once.
// CHECK-LABEL: func.func @vector_vjp(
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @vector(%a: tensor<?x?xf64>, %x: tensor<?xf64>) -> f64 {
  %squares = soac.map ins(%a : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?xf64> {
    %products = soac.map ins(%row, %x : tensor<?xf64>, tensor<?xf64>) (%u: f64, %v: f64) -> tensor<?xf64> {
      %p = arith.mulf %u, %v : f64
      soac.yield %p : f64
    }
    %c = func.call @sum(%products) : (tensor<?xf64>) -> f64
    %square = arith.mulf %c, %c : f64
    soac.yield %square : f64
  }
  %total = func.call @sum(%squares) : (tensor<?xf64>) -> f64
  return %total : f64
}
func.func @vector_vjp(%a: tensor<?x?xf64>, %x: tensor<?xf64>) -> (tensor<?x?xf64>, tensor<?xf64>) {
  %one = arith.constant 1.0 : f64
  %r:3 = ad.vjp @vector(%a, %x) seed(%one)
      : (tensor<?x?xf64>, tensor<?xf64>), (f64) -> (f64, tensor<?x?xf64>, tensor<?xf64>)
  return %r#1, %r#2 : tensor<?x?xf64>, tensor<?xf64>
}

// A branch decides about each element: nothing is computed where it is not taken.
// CHECK-LABEL: func.func @branch_vjp(
// CHECK-NOT: linalg.generic
// CHECK: scf.if
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @branch(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %sums = soac.map ins(%a : tensor<?x?xf64>) (%u: tensor<?xf64>) -> tensor<?xf64> {
    %squares = soac.map ins(%b : tensor<?x?xf64>) (%v: tensor<?xf64>) -> tensor<?xf64> {
      %first = tensor.extract %v[%c0] : tensor<?xf64>
      %wanted = arith.cmpf ogt, %first, %zero : f64
      %square = scf.if %wanted -> (f64) {
        %products = soac.map ins(%u, %v : tensor<?xf64>, tensor<?xf64>) (%x: f64, %y: f64) -> tensor<?xf64> {
          %p = arith.mulf %x, %y : f64
          soac.yield %p : f64
        }
        %c = func.call @sum(%products) : (tensor<?xf64>) -> f64
        %square = arith.mulf %c, %c : f64
        scf.yield %square : f64
      } else {
        scf.yield %zero : f64
      }
      soac.yield %square : f64
    }
    %sum = func.call @sum(%squares) : (tensor<?xf64>) -> f64
    soac.yield %sum : f64
  }
  %total = func.call @sum(%sums) : (tensor<?xf64>) -> f64
  return %total : f64
}
func.func @branch_vjp(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %one = arith.constant 1.0 : f64
  %r:3 = ad.vjp @branch(%a, %b) seed(%one)
      : (tensor<?x?xf64>, tensor<?x?xf64>), (f64) -> (f64, tensor<?x?xf64>, tensor<?x?xf64>)
  return %r#1, %r#2 : tensor<?x?xf64>, tensor<?x?xf64>
}

func.func private @sum(%v: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %sum = soac.reduce ins(%v : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return %sum : f64
}
