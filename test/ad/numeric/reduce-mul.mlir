// Derivatives of a product without zeros, with one, and with more of them [F26, F27, F28], first and
// second ones, agree with central differences and with each other; no NaN arises. The products of
// the others are right where the product itself overflows or underflows.
// RUN: %python %S/../../driver/Inputs/npy.py %t.x0.npy '<f8' '(0,)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.x1.npy '<f8' '(1,)' 0.6
// RUN: %python %S/../../driver/Inputs/npy.py %t.x4.npy '<f8' '(4,)' 0.5 1.5 -0.7 2.1
// RUN: %python %S/../../driver/Inputs/npy.py %t.z1.npy '<f8' '(4,)' 0.5 0.0 -0.7 2.1
// RUN: %python %S/../../driver/Inputs/npy.py %t.z2.npy '<f8' '(4,)' 0.5 0.0 -0.7 0.0
// RUN: %python %S/../../driver/Inputs/npy.py %t.z4.npy '<f8' '(4,)' 0.0 0.0 0.0 0.0
// RUN: %python %S/../../driver/Inputs/npy.py %t.s4.npy '<f4' '(4,)' 0.5 1.5 -0.7 2.1
// RUN: %python %S/../../driver/Inputs/npy.py %t.s2.npy '<f4' '(4,)' 0.5 0.0 -0.7 0.0
// RUN: ad-opt check %s --entry=product --input=%t.x0.npy
// RUN: ad-opt check %s --entry=product --input=%t.x1.npy
// RUN: ad-opt check %s --entry=product --input=%t.x4.npy
// RUN: ad-opt check %s --entry=product --input=%t.z1.npy
// RUN: ad-opt check %s --entry=product --input=%t.z2.npy
// RUN: ad-opt check %s --entry=product --input=%t.z4.npy
// RUN: ad-opt check %s --entry=single --input=%t.s4.npy
// RUN: ad-opt check %s --entry=single --input=%t.s2.npy
// RUN: ad-opt check %s --entry=gradient --input=%t.x0.npy
// RUN: ad-opt check %s --entry=gradient --input=%t.x1.npy
// RUN: ad-opt check %s --entry=gradient --input=%t.x4.npy
// RUN: ad-opt check %s --entry=gradient --input=%t.z1.npy
// RUN: ad-opt check %s --entry=gradient --input=%t.z2.npy
// RUN: ad-opt check %s --entry=gradient --input=%t.z4.npy
// RUN: ad-opt check %s --entry=tangent --input=%t.z1.npy --input=%t.x4.npy
// RUN: ad-opt check %s --entry=with_neutral --input=%t.x4.npy --input=1.0
// RUN: ad-opt run %s --entry=hessian_two | FileCheck %s --check-prefix=TWO
// RUN: ad-opt run %s --entry=hessian_one | FileCheck %s --check-prefix=ONE
// RUN: ad-opt run %s --entry=edges | FileCheck %s --check-prefix=EDGES

func.func @product(%xs: tensor<?xf64>) -> f64 {
  %one = arith.constant 1.0 : f64
  %y = soac.reduce ins(%xs : tensor<?xf64>) neutral(%one : f64) (%l: f64, %r: f64) {
    %p = arith.mulf %l, %r : f64
    soac.yield %p : f64
  }
  return %y : f64
}

func.func @single(%xs: tensor<?xf32>) -> f32 {
  %one = arith.constant 1.0 : f32
  %y = soac.reduce ins(%xs : tensor<?xf32>) neutral(%one : f32) (%l: f32, %r: f32) {
    %p = arith.mulf %r, %l : f32
    soac.yield %p : f32
  }
  return %y : f32
}

// The neutral element receives the product.
func.func @with_neutral(%xs: tensor<?xf64>, %one: f64) -> f64 {
  %y = soac.reduce ins(%xs : tensor<?xf64>) neutral(%one : f64) (%l: f64, %r: f64) {
    %p = arith.mulf %l, %r : f64
    soac.yield %p : f64
  }
  return %y : f64
}

func.func @gradient(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %seed = arith.constant 1.5 : f64
  %r:2 = ad.vjp @product(%xs) seed(%seed) : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

func.func @tangent(%xs: tensor<?xf64>, %v: tensor<?xf64>) -> f64 {
  %r:2 = ad.jvp @product(%xs) seed(%v) : (tensor<?xf64>), (tensor<?xf64>) -> (f64, f64)
  return %r#1 : f64
}

// The product of x y z w at (0, 3, 0, 5): all first derivatives are zero, and of the second ones
// only that by x and z is not: it is y w = 15. The same by vjp of vjp and jvp of vjp.
// TWO: {{^}}[0.0, 0.0, 0.0, 0.0]
// TWO: {{^}}[0.0, 0.0, 22.5, 0.0]
// TWO: {{^}}[0.0, 0.0, 22.5, 0.0]
func.func @hessian_two() -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %x = arith.constant dense<[0.0, 3.0, 0.0, 5.0]> : tensor<4xf64>
  %e = arith.constant dense<[1.0, 0.0, 0.0, 0.0]> : tensor<4xf64>
  %xs = tensor.cast %x : tensor<4xf64> to tensor<?xf64>
  %es = tensor.cast %e : tensor<4xf64> to tensor<?xf64>
  %g:2 = ad.vjp @gradient(%xs) seed(%es) : (tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  %h:2 = ad.jvp @gradient(%xs) seed(%es) : (tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %g#0, %g#1, %h#1 : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

// At (2, 3, 0, 5) the derivative by z is x y w = 30 times the seed 1.5; its row of the Hessian is
// (y w, x w, 0, x y) = (15, 10, 0, 6), and that of x is (0, 0, y w, 0).
// ONE: {{^}}[0.0, 0.0, 45.0, 0.0]
// ONE: {{^}}[22.5, 15.0, 0.0, 9.0]
// ONE: {{^}}[0.0, 0.0, 22.5, 0.0]
// ONE: {{^}}[22.5, 15.0, 0.0, 9.0]
// ONE: {{^}}[0.0, 0.0, 22.5, 0.0]
func.func @hessian_one() -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %x = arith.constant dense<[2.0, 3.0, 0.0, 5.0]> : tensor<4xf64>
  %e = arith.constant dense<[0.0, 0.0, 1.0, 0.0]> : tensor<4xf64>
  %f = arith.constant dense<[1.0, 0.0, 0.0, 0.0]> : tensor<4xf64>
  %xs = tensor.cast %x : tensor<4xf64> to tensor<?xf64>
  %es = tensor.cast %e : tensor<4xf64> to tensor<?xf64>
  %fs = tensor.cast %f : tensor<4xf64> to tensor<?xf64>
  %g:2 = ad.vjp @gradient(%xs) seed(%es) : (tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  %k:2 = ad.vjp @gradient(%xs) seed(%fs) : (tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  %h:2 = ad.jvp @gradient(%xs) seed(%es) : (tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  %i:2 = ad.jvp @gradient(%xs) seed(%fs) : (tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %g#0, %g#1, %k#1, %h#1, %i#1 : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

// Overflow, underflow and infinite elements, with the seed 1.5: quotients would be infinite or NaN.
// EDGES: {{^}}[1.5{{0*1?}}e100, 1.5{{0*1?}}e100]
// EDGES: {{^}}[1.5{{0*1?}}e100, 1.5{{0*1?}}e100, inf]
// EDGES: {{^}}[3.0, inf]
// EDGES: {{^}}[1.5e-200, 1.5e-200]
// EDGES: {{^}}[0.0, 0.0, 0.0]
func.func @edges() -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %a = arith.constant dense<[1.0e+100, 1.0e+100]> : tensor<2xf64>
  %b = arith.constant dense<[1.0e+200, 1.0e+200, 1.0e-100]> : tensor<3xf64>
  %c = arith.constant dense<[0x7FF0000000000000, 2.0]> : tensor<2xf64>
  %d = arith.constant dense<[1.0e-200, 1.0e-200]> : tensor<2xf64>
  %e = arith.constant dense<[0.0, 7.0, 0.0]> : tensor<3xf64>
  %as = tensor.cast %a : tensor<2xf64> to tensor<?xf64>
  %bs = tensor.cast %b : tensor<3xf64> to tensor<?xf64>
  %cs = tensor.cast %c : tensor<2xf64> to tensor<?xf64>
  %ds = tensor.cast %d : tensor<2xf64> to tensor<?xf64>
  %es = tensor.cast %e : tensor<3xf64> to tensor<?xf64>
  %0 = func.call @gradient(%as) : (tensor<?xf64>) -> tensor<?xf64>
  %1 = func.call @gradient(%bs) : (tensor<?xf64>) -> tensor<?xf64>
  %2 = func.call @gradient(%cs) : (tensor<?xf64>) -> tensor<?xf64>
  %3 = func.call @gradient(%ds) : (tensor<?xf64>) -> tensor<?xf64>
  %4 = func.call @gradient(%es) : (tensor<?xf64>) -> tensor<?xf64>
  return %0, %1, %2, %3, %4 : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}
