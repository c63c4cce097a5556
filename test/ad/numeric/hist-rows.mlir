// Derivatives of soac.hist on rows with elementwise operators agree with central
// differences and with each other [F32].
// RUN: %python %S/../../driver/Inputs/npy.py %t.m.npy '<f8' '(4,3)' 1.5 2 -3 4 5 0.5 0 7 8 0.5 1.25 2.5
// RUN: %python %S/../../driver/Inputs/npy.py %t.d.npy '<f8' '(2,3)' 1 0.75 0.25 -1 2 3
// RUN: %python %S/../../driver/Inputs/npy.py %t.i4.npy '<i4' '(4,)' 1 0 1 -1
// RUN: %python %S/../../driver/Inputs/npy.py %t.none.npy '<f8' '(4,0)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.into.npy '<f8' '(2,0)'
// RUN: ad-opt check %s --entry=products --input=%t.i4.npy --input=%t.m.npy --input=%t.d.npy
// RUN: ad-opt check %s --entry=products --engine=interpreter --input=%t.i4.npy --input=%t.m.npy --input=%t.d.npy
// RUN: ad-opt check %s --entry=products --input=%t.i4.npy --input=%t.none.npy --input=%t.into.npy
// RUN: ad-opt check %s --entry=bounds --input=%t.i4.npy --input=%t.m.npy --input=%t.d.npy
// RUN: ad-opt check %s --entry=bounds --engine=interpreter --input=%t.i4.npy --input=%t.m.npy --input=%t.d.npy

// The operator is a map over both rows.
func.func @products(%is: tensor<?xi32>, %vs: tensor<?x?xf64>, %dest: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %one = arith.constant 1.0 : f64
  %c1 = arith.constant 1 : index
  %w = tensor.dim %vs, %c1 : tensor<?x?xf64>
  %ones = tensor.splat %one[%w] : tensor<?xf64>
  %h = soac.hist at(%is : tensor<?xi32>) ins(%vs : tensor<?x?xf64>) into(%dest : tensor<?x?xf64>)
      neutral(%ones : tensor<?xf64>) (%l: tensor<?xf64>, %r: tensor<?xf64>) {
    %p = soac.map ins(%l, %r : tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64) -> tensor<?xf64> {
      %q = arith.mulf %a, %b : f64
      soac.yield %q : f64
    }
    soac.yield %p : tensor<?xf64>
  }
  return %h : tensor<?x?xf64>
}

// The operator is one operation on tensors.
func.func @bounds(%is: tensor<?xi32>, %vs: tensor<?x3xf64>, %dest: tensor<2x3xf64>) -> tensor<2x3xf64> {
  %neg = arith.constant dense<0xFFF0000000000000> : tensor<3xf64>
  %h = soac.hist at(%is : tensor<?xi32>) ins(%vs : tensor<?x3xf64>) into(%dest : tensor<2x3xf64>)
      neutral(%neg : tensor<3xf64>) (%l: tensor<3xf64>, %r: tensor<3xf64>) {
    %m = arith.maximumf %l, %r : tensor<3xf64>
    soac.yield %m : tensor<3xf64>
  }
  return %h : tensor<2x3xf64>
}
