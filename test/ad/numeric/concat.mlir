// Derivatives of tensor.concat agree with central differences and with each other.
// CHECKLIST FP10.
// RUN: %python %S/../../driver/Inputs/npy.py %t.m23.npy '<f8' '(2,3)' 0.5 1.5 -0.7 2.1 0.4 0.3
// RUN: %python %S/../../driver/Inputs/npy.py %t.m21.npy '<f8' '(2,1)' 0.5 1.5
// RUN: %python %S/../../driver/Inputs/npy.py %t.m20.npy '<f8' '(2,0)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.x2.npy '<f4' '(2,)' 0.5 1.5
// RUN: ad-opt check %s --entry=columns --input=%t.m23.npy --input=%t.m21.npy
// RUN: ad-opt check %s --entry=columns --input=%t.m23.npy --input=%t.m21.npy --engine=interpreter
// RUN: ad-opt check %s --entry=columns --input=%t.m23.npy --input=%t.m20.npy
// RUN: ad-opt check %s --entry=columns --input=%t.m20.npy --input=%t.m20.npy --engine=interpreter
// RUN: ad-opt check %s --entry=static --input=%t.x2.npy
// RUN: ad-opt check %s --entry=static --input=%t.x2.npy --engine=interpreter
// RUN: ad-opt check %s --entry=pullback --input=%t.m23.npy --input=%t.m21.npy
// RUN: ad-opt check %s --entry=pullback --input=%t.m23.npy --input=%t.m21.npy --engine=interpreter

func.func @columns(%a: tensor<2x?xf64>, %b: tensor<?x?xf64>) -> tensor<2x?xf64> {
  %c = tensor.concat dim(1) %a, %b, %a : (tensor<2x?xf64>, tensor<?x?xf64>, tensor<2x?xf64>) -> tensor<2x?xf64>
  %q = arith.mulf %c, %c : tensor<2x?xf64>
  return %q : tensor<2x?xf64>
}

// A constant part, an empty part, and a part that is there twice.
func.func @static(%x: tensor<2xf32>) -> tensor<6xf32> {
  %k = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %none = tensor.empty() : tensor<0xf32>
  %c = tensor.concat dim(0) %x, %k, %none, %x : (tensor<2xf32>, tensor<2xf32>, tensor<0xf32>, tensor<2xf32>) -> tensor<6xf32>
  %q = math.exp %c : tensor<6xf32>
  return %q : tensor<6xf32>
}

// Second order.
func.func @pullback(%a: tensor<2x?xf64>, %b: tensor<?x?xf64>) -> (tensor<2x?xf64>, tensor<?x?xf64>) {
  %s = func.call @columns(%a, %b) : (tensor<2x?xf64>, tensor<?x?xf64>) -> tensor<2x?xf64>
  %r:3 = ad.vjp @columns(%a, %b) seed(%s)
      : (tensor<2x?xf64>, tensor<?x?xf64>), (tensor<2x?xf64>) -> (tensor<2x?xf64>, tensor<2x?xf64>, tensor<?x?xf64>)
  return %r#1, %r#2 : tensor<2x?xf64>, tensor<?x?xf64>
}
