// Walks over data structures: a sum over a tree in arrays, by a function that calls itself twice, and along a list, by one
// that calls itself last; with derivatives with respect to what is in the nodes [M05, Z27].
// RUN: %python %S/../driver/Inputs/npy.py %t.left.npy '<i8' '(5,)' 1 3 -1 -1 -1
// RUN: %python %S/../driver/Inputs/npy.py %t.right.npy '<i8' '(5,)' 2 4 -1 -1 -1
// RUN: %python %S/../driver/Inputs/npy.py %t.v.npy '<f8' '(5,)' 2 3 5 7 11
// RUN: ad-opt run %s --entry=tree_slopes --input=%t.v.npy --input=%t.left.npy --input=%t.right.npy | FileCheck %s --check-prefix=TREE
// RUN: ad-opt check %s --entry=tree --input=0 --input=%t.v.npy --input=%t.left.npy --input=%t.right.npy
// RUN: ad-opt run %s --entry=list_slopes --input=%t.v.npy --input=%t.left.npy | FileCheck %s --check-prefix=LIST
// RUN: ad-opt check %s --entry=list --input=0 --input=1.0 --input=%t.v.npy --input=%t.left.npy
// RUN: ad-opt %s --ad-functions-to-loops -o %t.mlir
// RUN: ad-opt run %t.mlir --entry=list_slopes --input=%t.v.npy --input=%t.left.npy | FileCheck %s --check-prefix=LIST
// RUN: ad-opt check %t.mlir --entry=list --input=0 --input=1.0 --input=%t.v.npy --input=%t.left.npy

// A node is its value times the sum of its children, plus its value: v0 (1 + v1 (1 + v3 + v4) + v2) in this tree.
func.func @tree(%node: i64, %v: tensor<5xf64>, %left: tensor<5xi64>, %right: tensor<5xi64>) -> f64 {
  %none = arith.constant 0 : i64
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %is_none = arith.cmpi slt, %node, %none : i64
  %r = scf.if %is_none -> f64 {
    scf.yield %zero : f64
  } else {
    %i = arith.index_cast %node : i64 to index
    %x = tensor.extract %v[%i] : tensor<5xf64>
    %l = tensor.extract %left[%i] : tensor<5xi64>
    %r = tensor.extract %right[%i] : tensor<5xi64>
    %a = func.call @tree(%l, %v, %left, %right) : (i64, tensor<5xf64>, tensor<5xi64>, tensor<5xi64>) -> f64
    %b = func.call @tree(%r, %v, %left, %right) : (i64, tensor<5xf64>, tensor<5xi64>, tensor<5xi64>) -> f64
    %ab = arith.addf %a, %b : f64
    %s = arith.addf %ab, %one : f64
    %t = arith.mulf %x, %s : f64
    scf.yield %t : f64
  }
  return %r : f64
}
// TREE: [63.0, 38.0, 2.0, 6.0, 6.0]
func.func @tree_slopes(%v: tensor<5xf64>, %left: tensor<5xi64>, %right: tensor<5xi64>) -> tensor<5xf64> {
  %root = arith.constant 0 : i64
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @tree(%root, %v, %left, %right) seed(%one)
      : (i64, tensor<5xf64>, tensor<5xi64>, tensor<5xi64>), (f64) -> (f64, tensor<5xf64>)
  return %r#1 : tensor<5xf64>
}

// The product of the nodes along a list: those with numbers 0, 1 and 3.
func.func @list(%node: i64, %product: f64, %v: tensor<5xf64>, %next: tensor<5xi64>) -> f64 {
  %none = arith.constant 0 : i64
  %is_none = arith.cmpi slt, %node, %none : i64
  cf.cond_br %is_none, ^end, ^more
^more:
  %i = arith.index_cast %node : i64 to index
  %x = tensor.extract %v[%i] : tensor<5xf64>
  %p = arith.mulf %product, %x : f64
  %n = tensor.extract %next[%i] : tensor<5xi64>
  %r = func.call @list(%n, %p, %v, %next) : (i64, f64, tensor<5xf64>, tensor<5xi64>) -> f64
  return %r : f64
^end:
  return %product : f64
}
// LIST: [21.0, 14.0, 0.0, 6.0, 0.0]
func.func @list_slopes(%v: tensor<5xf64>, %next: tensor<5xi64>) -> tensor<5xf64> {
  %first = arith.constant 0 : i64
  %one = arith.constant 1.0 : f64
  %r:3 = ad.vjp @list(%first, %one, %v, %next) seed(%one)
      : (i64, f64, tensor<5xf64>, tensor<5xi64>), (f64) -> (f64, f64, tensor<5xf64>)
  return %r#2 : tensor<5xf64>
}
