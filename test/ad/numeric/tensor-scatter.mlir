// Derivatives of tensor.scatter agree with central differences and with each other.
// RUN: %python %S/../../driver/Inputs/npy.py %t.m42.npy '<f8' '(4,2)' 0.5 1.5 -0.7 2.1 0.4 0.3 1.1 1.2
// RUN: %python %S/../../driver/Inputs/npy.py %t.m22.npy '<f8' '(2,2)' 0.5 1.5 -0.7 2.1
// RUN: %python %S/../../driver/Inputs/npy.py %t.m02.npy '<f8' '(0,2)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.x2.npy '<f8' '(2,1,1)' 0.9 -0.4
// RUN: %python %S/../../driver/Inputs/npy.py %t.i2.npy '<i8' '(2,1)' 3 1
// RUN: %python %S/../../driver/Inputs/npy.py %t.i0.npy '<i8' '(0,1)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.ij.npy '<i4' '(2,2)' 2 1 0 0
// RUN: ad-opt check %s --entry=rows --input=%t.m22.npy --input=%t.m42.npy --input=%t.i2.npy
// RUN: ad-opt check %s --entry=rows --input=%t.m22.npy --input=%t.m42.npy --input=%t.i2.npy --engine=interpreter
// RUN: ad-opt check %s --entry=rows --input=%t.m02.npy --input=%t.m42.npy --input=%t.i0.npy
// RUN: ad-opt check %s --entry=points --input=%t.x2.npy --input=%t.m42.npy --input=%t.ij.npy
// RUN: ad-opt check %s --entry=points --input=%t.x2.npy --input=%t.m42.npy --input=%t.ij.npy --engine=interpreter
// RUN: ad-opt check %s --entry=pullback --input=%t.m22.npy --input=%t.m42.npy --input=%t.i2.npy
// RUN: ad-opt check %s --entry=pullback --input=%t.m22.npy --input=%t.m42.npy --input=%t.i2.npy --engine=interpreter

func.func @rows(%v: tensor<?x2xf64>, %m: tensor<?x2xf64>, %is: tensor<?x1xindex>) -> tensor<?x2xf64> {
  %s = tensor.scatter %v into %m[%is] scatter_dims([0]) unique
      : (tensor<?x2xf64>, tensor<?x2xf64>, tensor<?x1xindex>) -> tensor<?x2xf64>
  %q = arith.mulf %s, %s : tensor<?x2xf64>
  return %q : tensor<?x2xf64>
}

// Single elements, with the rank kept.
func.func @points(%v: tensor<2x1x1xf64>, %m: tensor<?x2xf64>, %is: tensor<2x2xi32>) -> tensor<?x2xf64> {
  %s = tensor.scatter %v into %m[%is] scatter_dims([0, 1]) unique
      : (tensor<2x1x1xf64>, tensor<?x2xf64>, tensor<2x2xi32>) -> tensor<?x2xf64>
  %q = math.exp %s : tensor<?x2xf64>
  return %q : tensor<?x2xf64>
}

// Second order.
func.func @pullback(%v: tensor<?x2xf64>, %m: tensor<?x2xf64>, %is: tensor<?x1xindex>) -> (tensor<?x2xf64>, tensor<?x2xf64>) {
  %s = func.call @rows(%v, %m, %is) : (tensor<?x2xf64>, tensor<?x2xf64>, tensor<?x1xindex>) -> tensor<?x2xf64>
  %r:3 = ad.vjp @rows(%v, %m, %is) seed(%s)
      : (tensor<?x2xf64>, tensor<?x2xf64>, tensor<?x1xindex>), (tensor<?x2xf64>) -> (tensor<?x2xf64>, tensor<?x2xf64>, tensor<?x2xf64>)
  return %r#1, %r#2 : tensor<?x2xf64>, tensor<?x2xf64>
}
