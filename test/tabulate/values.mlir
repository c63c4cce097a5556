// More, fewer and no elements than rows give what a loop over the elements gives, and so do derivatives.
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(9,3)' --vary=1
// RUN: %python %S/../driver/Inputs/npy.py %t.y.npy '<f4' '(11,)' --vary=2
// RUN: %python %S/../driver/Inputs/npy.py %t.x0.npy '<f8' '(0,3)'
// RUN: %python %S/../driver/Inputs/npy.py %t.x1.npy '<f8' '(1,3)' --vary=1
// RUN: %python %S/../driver/Inputs/npy.py %t.i0.npy '<i8' '(0,)'
// RUN: %python %S/../driver/Inputs/npy.py %t.i1.npy '<i8' '(1,)' 0
// RUN: %python %S/../driver/Inputs/npy.py %t.i6.npy '<i8' '(6,)' 8 3 3 0 1 8
// RUN: %python %S/../driver/Inputs/npy.py %t.i7.npy '<i8' '(7,)' 2 8 5 5 7 0 1
// RUN: %python %S/../driver/Inputs/npy.py %t.i23.npy '<i8' '(23,)' 0 4 8 3 7 2 6 1 5 0 0 8 8 4 3 2 1 0 5 6 7 8 3
// RUN: %python %S/../driver/Inputs/npy.py %t.z5.npy '<i8' '(5,)' 0 0 0 0 0
// RUN: ad-opt run %s --entry=same --input=%t.x.npy --input=%t.y.npy --input=%t.i0.npy | FileCheck %s
// RUN: ad-opt run %s --entry=same --input=%t.x.npy --input=%t.y.npy --input=%t.i1.npy | FileCheck %s
// RUN: ad-opt run %s --entry=same --input=%t.x.npy --input=%t.y.npy --input=%t.i6.npy | FileCheck %s
// RUN: ad-opt run %s --entry=same --input=%t.x.npy --input=%t.y.npy --input=%t.i7.npy | FileCheck %s
// RUN: ad-opt run %s --entry=same --input=%t.x.npy --input=%t.y.npy --input=%t.i23.npy | FileCheck %s
// RUN: ad-opt run %s --entry=same --input=%t.x0.npy --input=%t.y.npy --input=%t.i0.npy | FileCheck %s
// RUN: ad-opt run %s --entry=same --input=%t.x1.npy --input=%t.y.npy --input=%t.i1.npy | FileCheck %s
// RUN: ad-opt run %s --entry=same --input=%t.x1.npy --input=%t.y.npy --input=%t.z5.npy | FileCheck %s
// RUN: ad-opt run %s --threads=2 --entry=same --input=%t.x.npy --input=%t.y.npy --input=%t.i23.npy | FileCheck %s
// RUN: ad-opt check %s --entry=looked_up --input=%t.x.npy --input=%t.y.npy --input=%t.i6.npy
// RUN: ad-opt check %s --entry=looked_up --input=%t.x.npy --input=%t.y.npy --input=%t.i23.npy
// CHECK: {{^}}true

// Of two arrays with different numbers of rows, of two types, partly under a condition.
func.func private @one(%xs: tensor<?x3xf64>, %ys: tensor<?xf32>, %i: index, %t: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x0 = tensor.extract %xs[%i, %c0] : tensor<?x3xf64>
  %x1 = tensor.extract %xs[%i, %c1] : tensor<?x3xf64>
  %x2 = tensor.extract %xs[%i, %c2] : tensor<?x3xf64>
  %y = tensor.extract %ys[%i] : tensor<?xf32>
  %x00 = arith.mulf %x0, %x0 : f64
  %square = arith.addf %x00, %one : f64
  %root = math.sqrt %square : f64
  %sin = math.sin %x1 : f64
  %ratio = arith.divf %sin, %root : f64
  %exp = math.exp %y : f32
  %wide = arith.extf %exp : f32 to f64
  %is_positive = arith.cmpf ogt, %x2, %zero : f64
  %part = scf.if %is_positive -> f64 {
    %cos = math.cos %x2 : f64
    %product = arith.mulf %cos, %t : f64
    scf.yield %product : f64
  } else {
    scf.yield %t : f64
  }
  %a = arith.mulf %ratio, %t : f64
  %b = arith.mulf %wide, %part : f64
  %z = arith.addf %a, %b : f64
  return %z : f64
}

func.func @looked_up(%xs: tensor<?x3xf64>, %ys: tensor<?xf32>, %is: tensor<?xi64>) -> tensor<?xf64> {
  %zs = soac.map ins(%is : tensor<?xi64>) (%id: i64) -> tensor<?xf64> {
    %i = arith.index_cast %id : i64 to index
    %t = arith.sitofp %id : i64 to f64
    %z = func.call @one(%xs, %ys, %i, %t) : (tensor<?x3xf64>, tensor<?xf32>, index, f64) -> f64
    soac.yield %z : f64
  }
  return %zs : tensor<?xf64>
}

// The same, one element after the other.
func.func private @in_turn(%xs: tensor<?x3xf64>, %ys: tensor<?xf32>, %is: tensor<?xi64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %is, %c0 : tensor<?xi64>
  %empty = tensor.empty(%m) : tensor<?xf64>
  %zs = scf.for %k = %c0 to %m step %c1 iter_args(%zs = %empty) -> tensor<?xf64> {
    %id = tensor.extract %is[%k] : tensor<?xi64>
    %i = arith.index_cast %id : i64 to index
    %t = arith.sitofp %id : i64 to f64
    %z = func.call @one(%xs, %ys, %i, %t) : (tensor<?x3xf64>, tensor<?xf32>, index, f64) -> f64
    %new = tensor.insert %z into %zs[%k] : tensor<?xf64>
    scf.yield %new : tensor<?xf64>
  }
  return %zs : tensor<?xf64>
}

func.func @same(%xs: tensor<?x3xf64>, %ys: tensor<?xf32>, %is: tensor<?xi64>) -> i1 {
  %near = arith.constant 1.0e-6 : f64
  %true = arith.constant true
  %us = func.call @looked_up(%xs, %ys, %is) : (tensor<?x3xf64>, tensor<?xf32>, tensor<?xi64>) -> tensor<?xf64>
  %vs = func.call @in_turn(%xs, %ys, %is) : (tensor<?x3xf64>, tensor<?xf32>, tensor<?xi64>) -> tensor<?xf64>
  %are = soac.map ins(%us, %vs : tensor<?xf64>, tensor<?xf64>) (%u: f64, %v: f64) -> tensor<?xi1> {
    %d = arith.subf %u, %v : f64
    %size = math.absf %d : f64
    %is_near = arith.cmpf ole, %size, %near : f64
    soac.yield %is_near : i1
  }
  %all = soac.reduce ins(%are : tensor<?xi1>) neutral(%true : i1) (%a: i1, %b: i1) {
    %c = arith.andi %a, %b : i1
    soac.yield %c : i1
  }
  return %all : i1
}
