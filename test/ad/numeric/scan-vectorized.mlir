// Derivatives of soac.scan with operators that combine rows element by element agree with
// central differences and with each other [F36]: products and recurrences of rows, a factor for all
// columns, a vector from outside, matrices as rows, no rows and no columns, and twice.
// RUN: %python %S/../../driver/Inputs/npy.py %t.m32.npy '<f8' '(3,2,)' 0.70 1.31 -0.13 -0.37 1.13 0.98
// RUN: %python %S/../../driver/Inputs/npy.py %t.m12.npy '<f8' '(1,2,)' 0.70 1.31
// RUN: %python %S/../../driver/Inputs/npy.py %t.m02.npy '<f8' '(0,2,)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.m30.npy '<f8' '(3,0,)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.v2.npy '<f8' '(2,)' 0.70 1.31
// RUN: %python %S/../../driver/Inputs/npy.py %t.v0.npy '<f8' '(0,)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.x3.npy '<f8' '(3,)' 1.18 0.92 -0.52
// RUN: %python %S/../../driver/Inputs/npy.py %t.x0.npy '<f8' '(0,)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.t322.npy '<f8' '(3,2,2,)' 0.70 1.31 -0.13 -0.37 1.13 0.98 -0.48 0.04 1.37 0.51 -0.60 0.55
// RUN: %python %S/../../driver/Inputs/npy.py %t.m22.npy '<f8' '(2,2,)' 0.70 1.31 -0.13 -0.37
// RUN: %python %S/../../driver/Inputs/npy.py %t.one2.npy '<f8' '(2,)' 1 1
// RUN: %python %S/../../driver/Inputs/npy.py %t.s32.npy '<f4' '(3,2)' 0.5 1.5 -0.75 1.25 0.5 2.0
// RUN: ad-opt check %s --entry=products --input=%t.m32.npy --input=%t.one2.npy
// RUN: ad-opt check %s --entry=products_ex_rev --input=%t.m32.npy --input=%t.one2.npy
// RUN: ad-opt check %s --entry=products --input=%t.m12.npy --input=%t.one2.npy
// RUN: ad-opt check %s --entry=products_ex_rev --input=%t.m12.npy --input=%t.one2.npy
// RUN: ad-opt check %s --entry=products --input=%t.m02.npy --input=%t.one2.npy
// RUN: ad-opt check %s --entry=products_ex_rev --input=%t.m02.npy --input=%t.one2.npy
// RUN: ad-opt check %s --entry=products --input=%t.m30.npy --input=%t.v0.npy
// RUN: ad-opt check %s --entry=products_ex_rev --input=%t.m30.npy --input=%t.v0.npy
// RUN: ad-opt check %s --entry=states --input=%t.x3.npy --input=%t.m32.npy
// RUN: ad-opt check %s --entry=states --input=%t.x0.npy --input=%t.m02.npy
// RUN: ad-opt check %s --entry=with_outside --input=%t.m32.npy --input=%t.v2.npy
// RUN: ad-opt check %s --entry=matrices --input=%t.t322.npy
// RUN: ad-opt check %s --entry=narrow --input=%t.s32.npy
// RUN: ad-opt check %s --entry=pullback --input=%t.m32.npy --input=%t.m32.npy
// RUN: ad-opt check %s --entry=pushforward --input=%t.m32.npy --input=%t.m32.npy

func.func @products(%xs: tensor<?x?xf64>, %e: tensor<?xf64>) -> tensor<?x?xf64> {
  %ys = soac.scan ins(%xs : tensor<?x?xf64>) neutral(%e : tensor<?xf64>)
      (%l: tensor<?xf64>, %r: tensor<?xf64>) {
    %t = soac.map ins(%l, %r : tensor<?xf64>, tensor<?xf64>) (%u: f64, %v: f64) -> tensor<?xf64> {
      %0 = arith.mulf %u, %v : f64
      soac.yield %0 : f64
    }
    soac.yield %t : tensor<?xf64>
  }
  return %ys : tensor<?x?xf64>
}

func.func @products_ex_rev(%xs: tensor<?x?xf64>, %e: tensor<?xf64>) -> tensor<?x?xf64> {
  %ys = soac.scan ins(%xs : tensor<?x?xf64>) neutral(%e : tensor<?xf64>)
      (%l: tensor<?xf64>, %r: tensor<?xf64>) attributes {exclusive, reverse} {
    %t = soac.map ins(%l, %r : tensor<?xf64>, tensor<?xf64>) (%u: f64, %v: f64) -> tensor<?xf64> {
      %0 = arith.mulf %u, %v : f64
      soac.yield %0 : f64
    }
    soac.yield %t : tensor<?xf64>
  }
  return %ys : tensor<?x?xf64>
}

// The factor of a time step is the same for all columns.
func.func @states(%a: tensor<?xf64>, %b: tensor<?x2xf64>) -> (tensor<?xf64>, tensor<?x2xf64>) {
  %one = arith.constant 1.0 : f64
  %zero = arith.constant dense<0.0> : tensor<2xf64>
  %ys:2 = soac.scan ins(%a, %b : tensor<?xf64>, tensor<?x2xf64>) neutral(%one, %zero : f64, tensor<2xf64>)
      (%a1: f64, %b1: tensor<2xf64>, %a2: f64, %b2: tensor<2xf64>) {
    %0 = arith.mulf %a1, %a2 : f64
    %s = tensor.splat %a2 : tensor<2xf64>
    %1 = arith.mulf %b1, %s : tensor<2xf64>
    %2 = arith.addf %1, %b2 : tensor<2xf64>
    soac.yield %0, %2 : f64, tensor<2xf64>
  }
  return %ys#0, %ys#1 : tensor<?xf64>, tensor<?x2xf64>
}

// l + r + k l r, with a k for each column.
func.func @with_outside(%xs: tensor<?x?xf64>, %k: tensor<?xf64>) -> tensor<?x?xf64> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %m = tensor.dim %xs, %c1 : tensor<?x?xf64>
  %e = soac.replicate %zero, %m : f64 -> tensor<?xf64>
  %ys = soac.scan ins(%xs : tensor<?x?xf64>) neutral(%e : tensor<?xf64>)
      (%l: tensor<?xf64>, %r: tensor<?xf64>) attributes {reverse} {
    %s = arith.addf %l, %r : tensor<?xf64>
    %t = soac.map ins(%l, %k, %r, %s : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
        (%u: f64, %ku: f64, %v: f64, %w: f64) -> tensor<?xf64> {
      %0 = arith.mulf %u, %v : f64
      %1 = arith.mulf %0, %ku : f64
      %2 = arith.addf %1, %w : f64
      soac.yield %2 : f64
    }
    soac.yield %t : tensor<?xf64>
  }
  return %ys : tensor<?x?xf64>
}

// Matrices, multiplied entry by entry: two steps.
func.func @matrices(%xs: tensor<?x2x2xf64>) -> tensor<?x2x2xf64> {
  %one = arith.constant dense<1.0> : tensor<2x2xf64>
  %ys = soac.scan ins(%xs : tensor<?x2x2xf64>) neutral(%one : tensor<2x2xf64>)
      (%l: tensor<2x2xf64>, %r: tensor<2x2xf64>) {
    %0 = arith.mulf %l, %r : tensor<2x2xf64>
    soac.yield %0 : tensor<2x2xf64>
  }
  return %ys : tensor<?x2x2xf64>
}

func.func @narrow(%xs: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %one = arith.constant dense<1.0> : tensor<2xf32>
  %ys = soac.scan ins(%xs : tensor<?x2xf32>) neutral(%one : tensor<2xf32>)
      (%l: tensor<2xf32>, %r: tensor<2xf32>) {
    %0 = arith.mulf %l, %r : tensor<2xf32>
    soac.yield %0 : tensor<2xf32>
  }
  return %ys : tensor<?x2xf32>
}

// Second order.
func.func private @of_two(%xs: tensor<?x2xf64>) -> tensor<?x2xf64> {
  %one = arith.constant dense<1.0> : tensor<2xf64>
  %ys = soac.scan ins(%xs : tensor<?x2xf64>) neutral(%one : tensor<2xf64>)
      (%l: tensor<2xf64>, %r: tensor<2xf64>) attributes {exclusive} {
    %0 = arith.mulf %l, %r : tensor<2xf64>
    soac.yield %0 : tensor<2xf64>
  }
  return %ys : tensor<?x2xf64>
}
func.func @pullback(%xs: tensor<?x2xf64>, %s: tensor<?x2xf64>) -> tensor<?x2xf64> {
  %r:2 = ad.vjp @of_two(%xs) seed(%s) : (tensor<?x2xf64>), (tensor<?x2xf64>) -> (tensor<?x2xf64>, tensor<?x2xf64>)
  return %r#1 : tensor<?x2xf64>
}
func.func @pushforward(%xs: tensor<?x2xf64>, %s: tensor<?x2xf64>) -> tensor<?x2xf64> {
  %r:2 = ad.jvp @of_two(%xs) seed(%s) : (tensor<?x2xf64>), (tensor<?x2xf64>) -> (tensor<?x2xf64>, tensor<?x2xf64>)
  return %r#1 : tensor<?x2xf64>
}
