// Derivatives of tensor.reshape, whose shape is a value, agree with central differences
// and with each other. CHECKLIST FP10.
// RUN: %python %S/../../driver/Inputs/npy.py %t.m23.npy '<f8' '(2,3)' 0.5 1.5 -0.7 2.1 0.4 0.3
// RUN: %python %S/../../driver/Inputs/npy.py %t.m03.npy '<f8' '(0,3)'
// RUN: ad-opt check %s --entry=f --input=%t.m23.npy --input=3 --input=2
// RUN: ad-opt check %s --entry=f --input=%t.m23.npy --input=3 --input=2 --engine=interpreter
// RUN: ad-opt check %s --entry=f --input=%t.m23.npy --input=1 --input=6
// RUN: ad-opt check %s --entry=f --input=%t.m03.npy --input=5 --input=0
// RUN: ad-opt check %s --entry=pullback --input=%t.m23.npy --input=6 --input=1

func.func @f(%m: tensor<?x3xf64>, %a: index, %b: index) -> tensor<?x?xf64> {
  %shape = tensor.from_elements %a, %b : tensor<2xindex>
  %s = math.sin %m : tensor<?x3xf64>
  %r = tensor.reshape %s(%shape) : (tensor<?x3xf64>, tensor<2xindex>) -> tensor<?x?xf64>
  %q = arith.mulf %r, %r : tensor<?x?xf64>
  return %q : tensor<?x?xf64>
}

// Second order.
func.func @pullback(%m: tensor<?x3xf64>, %a: index, %b: index) -> tensor<?x3xf64> {
  %s = func.call @f(%m, %a, %b) : (tensor<?x3xf64>, index, index) -> tensor<?x?xf64>
  %r:2 = ad.vjp @f(%m, %a, %b) seed(%s)
      : (tensor<?x3xf64>, index, index), (tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x3xf64>)
  return %r#1 : tensor<?x3xf64>
}
