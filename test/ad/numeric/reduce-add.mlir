// Derivatives of soac.reduce with + agree with central differences and with each other.
// RUN: %python %S/../../driver/Inputs/npy.py %t.x4.npy '<f8' '(4,)' 0.5 1.5 -0.7 2.1
// RUN: %python %S/../../driver/Inputs/npy.py %t.x0.npy '<f8' '(0,)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.x1.npy '<f8' '(1,)' 0.6
// RUN: %python %S/../../driver/Inputs/npy.py %t.m23.npy '<f8' '(2,3)' 0.5 1.5 -0.7 2.1 0.4 0.3
// RUN: %python %S/../../driver/Inputs/npy.py %t.y4.npy '<f8' '(4,)' 1.2 0.3 0.9 -1.4
// RUN: ad-opt check %s --entry=sum --input=%t.x4.npy
// RUN: ad-opt check %s --entry=sum --input=%t.x0.npy
// RUN: ad-opt check %s --entry=sum --input=%t.x1.npy
// RUN: ad-opt check %s --entry=rows --input=%t.m23.npy
// RUN: ad-opt check %s --entry=pair --input=%t.x4.npy --input=%t.y4.npy
// RUN: ad-opt check %s --entry=mean --input=%t.x4.npy --input=0.4
// RUN: ad-opt check %s --entry=dot --input=%t.x4.npy --input=%t.y4.npy

// Scalars.
func.func @sum(%xs: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %s = soac.reduce ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.addf %l, %r : f64
    soac.yield %t : f64
  }
  return %s : f64
}

// Rows, added elementwise [F25].
func.func @rows(%m: tensor<?x3xf64>) -> tensor<3xf64> {
  %zero = arith.constant dense<0.0> : tensor<3xf64>
  %s = soac.reduce ins(%m : tensor<?x3xf64>) neutral(%zero : tensor<3xf64>) (%l: tensor<3xf64>, %r: tensor<3xf64>) {
    %t = arith.addf %l, %r : tensor<3xf64>
    soac.yield %t : tensor<3xf64>
  }
  return %s : tensor<3xf64>
}

// Two sums at once, operands in the other order.
func.func @pair(%xs: tensor<?xf64>, %ys: tensor<?xf64>) -> (f64, f64) {
  %zero = arith.constant 0.0 : f64
  %s:2 = soac.reduce ins(%xs, %ys : tensor<?xf64>, tensor<?xf64>) neutral(%zero, %zero : f64, f64) (%l: f64, %k: f64, %r: f64, %s: f64) {
    %t = arith.addf %r, %l : f64
    %u = arith.addf %k, %s : f64
    soac.yield %t, %u : f64, f64
  }
  return %s#0, %s#1 : f64, f64
}

// The scalar product: both adjoints are updated, in one map [F14].
func.func @dot(%xs: tensor<?xf64>, %ys: tensor<?xf64>) -> f64 {
  %p = soac.map ins(%xs, %ys : tensor<?xf64>, tensor<?xf64>) (%x: f64, %y: f64) -> tensor<?xf64> {
    %m = arith.mulf %x, %y : f64
    soac.yield %m : f64
  }
  %zero = arith.constant 0.0 : f64
  %s = soac.reduce ins(%p : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %t = arith.addf %a, %b : f64
    soac.yield %t : f64
  }
  return %s : f64
}

// A count beside the sum has no derivative and may be combined in any way.
func.func @mean(%xs: tensor<?xf64>, %limit: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %none = arith.constant 0 : i64
  %flags = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xi64> {
    %above = arith.cmpf ogt, %x, %limit : f64
    %flag = arith.extui %above : i1 to i64
    soac.yield %flag : i64
  }
  %s:2 = soac.reduce ins(%xs, %flags : tensor<?xf64>, tensor<?xi64>) neutral(%zero, %none : f64, i64) (%l: f64, %i: i64, %r: f64, %j: i64) {
    %t = arith.addf %l, %r : f64
    %k = arith.addi %i, %j : i64
    soac.yield %t, %k : f64, i64
  }
  %n = arith.sitofp %s#1 : i64 to f64
  %m = arith.divf %s#0, %n : f64
  return %m : f64
}
