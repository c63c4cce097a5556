// Derivatives of tensor.gather agree with central differences and with each other; an
// element that is read twice receives both contributions. CHECKLIST FP10.
// RUN: %python %S/../../driver/Inputs/npy.py %t.m32.npy '<f8' '(3,2)' 0.5 1.5 -0.7 2.1 0.4 0.3
// RUN: %python %S/../../driver/Inputs/npy.py %t.i4.npy '<i8' '(4,1)' 2 0 2 1
// RUN: %python %S/../../driver/Inputs/npy.py %t.i1.npy '<i8' '(1,1)' 1
// RUN: %python %S/../../driver/Inputs/npy.py %t.i0.npy '<i8' '(0,1)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.ij.npy '<i4' '(2,1,2)' 2 1 0 0
// RUN: ad-opt check %s --entry=rows --input=%t.m32.npy --input=%t.i4.npy
// RUN: ad-opt check %s --entry=rows --input=%t.m32.npy --input=%t.i4.npy --engine=interpreter
// RUN: ad-opt check %s --entry=rows --input=%t.m32.npy --input=%t.i1.npy
// RUN: ad-opt check %s --entry=rows --input=%t.m32.npy --input=%t.i0.npy
// RUN: ad-opt check %s --entry=columns --input=%t.m32.npy --input=%t.i1.npy
// RUN: ad-opt check %s --entry=columns --input=%t.m32.npy --input=%t.i1.npy --engine=interpreter
// RUN: ad-opt check %s --entry=points --input=%t.m32.npy --input=%t.ij.npy
// RUN: ad-opt check %s --entry=points --input=%t.m32.npy --input=%t.ij.npy --engine=interpreter
// RUN: ad-opt check %s --entry=pullback --input=%t.m32.npy --input=%t.i4.npy
// RUN: ad-opt check %s --entry=pullback --input=%t.m32.npy --input=%t.i4.npy --engine=interpreter

func.func @rows(%m: tensor<?x2xf64>, %is: tensor<?x1xindex>) -> tensor<?x2xf64> {
  %g = tensor.gather %m[%is] gather_dims([0]) : (tensor<?x2xf64>, tensor<?x1xindex>) -> tensor<?x2xf64>
  %q = arith.mulf %g, %g : tensor<?x2xf64>
  return %q : tensor<?x2xf64>
}

// The rank is kept.
func.func @columns(%m: tensor<?x2xf64>, %is: tensor<1x1xindex>) -> tensor<1x?x1xf64> {
  %s = math.sin %m : tensor<?x2xf64>
  %g = tensor.gather %s[%is] gather_dims([1]) : (tensor<?x2xf64>, tensor<1x1xindex>) -> tensor<1x?x1xf64>
  return %g : tensor<1x?x1xf64>
}

func.func @points(%m: tensor<?x2xf64>, %is: tensor<2x1x2xi32>) -> tensor<2x1xf64> {
  %g = tensor.gather %m[%is] gather_dims([0, 1]) unique : (tensor<?x2xf64>, tensor<2x1x2xi32>) -> tensor<2x1xf64>
  %q = math.exp %g : tensor<2x1xf64>
  return %q : tensor<2x1xf64>
}

// Second order.
func.func @pullback(%m: tensor<?x2xf64>, %is: tensor<?x1xindex>) -> tensor<?x2xf64> {
  %s = func.call @rows(%m, %is) : (tensor<?x2xf64>, tensor<?x1xindex>) -> tensor<?x2xf64>
  %r:2 = ad.vjp @rows(%m, %is) seed(%s)
      : (tensor<?x2xf64>, tensor<?x1xindex>), (tensor<?x2xf64>) -> (tensor<?x2xf64>, tensor<?x2xf64>)
  return %r#1 : tensor<?x2xf64>
}
