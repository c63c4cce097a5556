// Derivatives of reductions of rows agree with central differences and with each other: products,
// with zeros too, maxima, an operator with a free variable, and rows of rows.
// RUN: %python %S/../../driver/Inputs/npy.py %t.m.npy '<f8' '(3,2)' 0.5 1.5 -0.7 2.1 1.1 0.4
// RUN: %python %S/../../driver/Inputs/npy.py %t.z.npy '<f8' '(3,2)' 0.0 0.0 -0.7 2.1 1.1 0.0
// RUN: %python %S/../../driver/Inputs/npy.py %t.m0.npy '<f8' '(0,2)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.0m.npy '<f8' '(3,0)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.m1.npy '<f8' '(1,2)' 0.5 1.5
// RUN: %python %S/../../driver/Inputs/npy.py %t.f.npy '<f4' '(3,2)' 0.5 1.5 -0.7 2.1 1.1 0.4
// RUN: %python %S/../../driver/Inputs/npy.py %t.c.npy '<f8' '(2,2,2)' 0.5 1.5 -0.7 2.1 1.1 0.4 0.9 1.7
// RUN: %python %S/../../driver/Inputs/npy.py %t.e.npy '<f8' '(2,)' 1.0 1.0
// RUN: %python %S/../../driver/Inputs/npy.py %t.e0.npy '<f8' '(0,)'
// RUN: ad-opt check %s --entry=products --input=%t.m.npy --input=%t.e.npy
// RUN: ad-opt check %s --entry=products --input=%t.z.npy --input=%t.e.npy
// RUN: ad-opt check %s --entry=products --input=%t.m0.npy --input=%t.e.npy
// RUN: ad-opt check %s --entry=products --input=%t.0m.npy --input=%t.e0.npy
// RUN: ad-opt check %s --entry=products --input=%t.m1.npy --input=%t.e.npy
// RUN: ad-opt check %s --entry=maxima --input=%t.f.npy
// RUN: ad-opt check %s --entry=free --input=%t.m.npy --input=0.3
// RUN: ad-opt check %s --entry=free --input=%t.m0.npy --input=0.3
// RUN: ad-opt check %s --entry=cubes --input=%t.c.npy
// RUN: ad-opt check %s --entry=second --input=%t.z.npy --input=%t.e.npy
// RUN: ad-opt check %s --entry=second --input=%t.m.npy --input=%t.e.npy

func.func @products(%xs: tensor<?x?xf64>, %ones: tensor<?xf64>) -> tensor<?xf64> {
  %y = soac.reduce ins(%xs : tensor<?x?xf64>) neutral(%ones : tensor<?xf64>) (%l: tensor<?xf64>, %r: tensor<?xf64>) {
    %p = soac.map ins(%r, %l : tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64) -> tensor<?xf64> {
      %q = arith.mulf %a, %b : f64
      soac.yield %q : f64
    }
    soac.yield %p : tensor<?xf64>
  }
  return %y : tensor<?xf64>
}

func.func @maxima(%xs: tensor<3x2xf32>) -> tensor<2xf32> {
  %e = arith.constant dense<0xFF800000> : tensor<2xf32>
  %y = soac.reduce ins(%xs : tensor<3x2xf32>) neutral(%e : tensor<2xf32>) (%l: tensor<2xf32>, %r: tensor<2xf32>) {
    %c = arith.cmpf ogt, %l, %r : tensor<2xf32>
    %m = arith.select %c, %l, %r : tensor<2xi1>, tensor<2xf32>
    soac.yield %m : tensor<2xf32>
  }
  return %y : tensor<2xf32>
}

// l + r + k l r, with k from outside.
func.func @free(%xs: tensor<?x2xf64>, %k: f64) -> tensor<2xf64> {
  %e = arith.constant dense<0.0> : tensor<2xf64>
  %y = soac.reduce ins(%xs : tensor<?x2xf64>) neutral(%e : tensor<2xf64>) (%l: tensor<2xf64>, %r: tensor<2xf64>) {
    %p = soac.map ins(%l, %r : tensor<2xf64>, tensor<2xf64>) (%a: f64, %b: f64) -> tensor<2xf64> {
      %s = arith.addf %a, %b : f64
      %ab = arith.mulf %a, %b : f64
      %kab = arith.mulf %k, %ab : f64
      %t = arith.addf %s, %kab : f64
      soac.yield %t : f64
    }
    soac.yield %p : tensor<2xf64>
  }
  return %y : tensor<2xf64>
}

func.func @cubes(%xs: tensor<?x2x2xf64>) -> tensor<2x2xf64> {
  %e = arith.constant dense<1.0> : tensor<2x2xf64>
  %y = soac.reduce ins(%xs : tensor<?x2x2xf64>) neutral(%e : tensor<2x2xf64>) (%l: tensor<2x2xf64>, %r: tensor<2x2xf64>) {
    %p = arith.mulf %l, %r : tensor<2x2xf64>
    soac.yield %p : tensor<2x2xf64>
  }
  return %y : tensor<2x2xf64>
}

func.func @second(%xs: tensor<?x?xf64>, %ones: tensor<?xf64>) -> tensor<?x?xf64> {
  %r:2 = ad.vjp @products(%xs, %ones) seed(%ones) {wrt = array<i64: 0>} : (tensor<?x?xf64>, tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>)
  return %r#1 : tensor<?x?xf64>
}
