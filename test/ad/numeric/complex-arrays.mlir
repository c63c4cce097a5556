// Arrays of complex numbers in combinators, loops, branches and slices: derivatives
// agree with central differences and with each other.
// RUN: %python %S/../../driver/Inputs/npy.py %t.z3.npy '<c16' '(3,)' 0.5 1 1.5 -0.3 -0.7 0.2
// RUN: %python %S/../../driver/Inputs/npy.py %t.z1.npy '<c16' '(1,)' 0.5 1
// RUN: %python %S/../../driver/Inputs/npy.py %t.z0.npy '<c16' '(0,)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.m23.npy '<c8' '(2,3)' 1 1 0.5 0 0 -1 0.25 2 1.5 0 -0.5 -0.5
// RUN: ad-opt check %s --entry=norm --input=%t.z3.npy
// RUN: ad-opt check %s --entry=norm --input=%t.z3.npy --engine=interpreter
// RUN: ad-opt check %s --entry=norm --input=%t.z1.npy
// RUN: ad-opt check %s --entry=norm --input=%t.z0.npy
// RUN: ad-opt check %s --entry=norm --input=%t.z0.npy --engine=interpreter
// RUN: ad-opt check %s --entry=product --input=%t.z3.npy
// RUN: ad-opt check %s --entry=product --input=%t.z3.npy --engine=interpreter
// RUN: ad-opt check %s --entry=product --input=%t.z1.npy
// RUN: ad-opt check %s --entry=product --input=%t.z0.npy
// RUN: ad-opt check %s --entry=loop --input=%t.z3.npy --input=2
// RUN: ad-opt check %s --entry=loop --input=%t.z3.npy --input=2 --engine=interpreter
// RUN: ad-opt check %s --entry=free --input=%t.z3.npy --input=0.5-0.5j
// RUN: ad-opt check %s --entry=free --input=%t.z3.npy --input=0.5-0.5j --engine=interpreter
// RUN: ad-opt check %s --entry=rows --input=%t.m23.npy
// RUN: ad-opt check %s --entry=rows --input=%t.m23.npy --engine=interpreter
// RUN: ad-opt check %s --entry=pullback --input=%t.z3.npy --input=0.9
// RUN: ad-opt check %s --entry=pullback --input=%t.z3.npy --input=0.9 --engine=interpreter

func.func @norm(%zs: tensor<?xcomplex<f64>>) -> f64 {
  %zero = complex.constant [0.0, 0.0] : complex<f64>
  %ss = soac.map ins(%zs : tensor<?xcomplex<f64>>) (%z: complex<f64>) -> tensor<?xcomplex<f64>> {
    %c = complex.conj %z : complex<f64>
    %s = complex.mul %z, %c : complex<f64>
    soac.yield %s : complex<f64>
  }
  %s = soac.reduce ins(%ss : tensor<?xcomplex<f64>>) neutral(%zero : complex<f64>) (%l: complex<f64>, %r: complex<f64>) {
    %t = complex.add %l, %r : complex<f64>
    soac.yield %t : complex<f64>
  }
  %x = complex.re %s : complex<f64>
  return %x : f64
}

func.func @product(%zs: tensor<?xcomplex<f64>>) -> complex<f64> {
  %one = complex.constant [1.0, 0.0] : complex<f64>
  %p = soac.reduce ins(%zs : tensor<?xcomplex<f64>>) neutral(%one : complex<f64>) (%l: complex<f64>, %r: complex<f64>) {
    %t = complex.mul %l, %r : complex<f64>
    soac.yield %t : complex<f64>
  }
  return %p : complex<f64>
}

func.func @loop(%zs: tensor<?xcomplex<f64>>, %n: index) -> tensor<?xcomplex<f64>> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%ws = %zs) -> tensor<?xcomplex<f64>> {
    %z = tensor.extract %ws[%i] : tensor<?xcomplex<f64>>
    %j = arith.addi %i, %c1 : index
    %w = tensor.extract %ws[%j] : tensor<?xcomplex<f64>>
    %p = complex.mul %z, %w : complex<f64>
    %vs = tensor.insert %p into %ws[%i] : tensor<?xcomplex<f64>>
    scf.yield %vs : tensor<?xcomplex<f64>>
  }
  return %r : tensor<?xcomplex<f64>>
}

// A free number and a free array, read at indices of its own.
func.func @free(%zs: tensor<?xcomplex<f64>>, %k: complex<f64>) -> tensor<3xcomplex<f64>> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %is = soac.iota : tensor<3xindex>
  %ys = soac.map ins(%is : tensor<3xindex>) (%i: index) -> tensor<3xcomplex<f64>> {
    %c = arith.cmpi ult, %i, %c1 : index
    %j = arith.select %c, %c2, %c1 : index
    %z = tensor.extract %zs[%j] : tensor<?xcomplex<f64>>
    %y = scf.if %c -> complex<f64> {
      %p = complex.mul %z, %k : complex<f64>
      scf.yield %p : complex<f64>
    } else {
      %p = complex.exp %z : complex<f64>
      scf.yield %p : complex<f64>
    }
    soac.yield %y : complex<f64>
  }
  return %ys : tensor<3xcomplex<f64>>
}

// Rows are read twice, so that whole rows of cotangents are added.
func.func @rows(%m: tensor<2x3xcomplex<f32>>) -> tensor<3xcomplex<f32>> {
  %zero = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %r0 = tensor.extract_slice %m[0, 0] [1, 3] [1, 1] : tensor<2x3xcomplex<f32>> to tensor<3xcomplex<f32>>
  %k = arith.constant dense<[(1.0, 2.0), (0.5, 0.0), (0.0, -1.0)]> : tensor<3xcomplex<f32>>
  %e = tensor.splat %zero : tensor<3xcomplex<f32>>
  %s = soac.reduce ins(%m : tensor<2x3xcomplex<f32>>) neutral(%e : tensor<3xcomplex<f32>>) (%l: tensor<3xcomplex<f32>>, %r: tensor<3xcomplex<f32>>) {
    %t = soac.map ins(%l, %r : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) (%a: complex<f32>, %b: complex<f32>) -> tensor<3xcomplex<f32>> {
      %c = complex.add %a, %b : complex<f32>
      soac.yield %c : complex<f32>
    }
    soac.yield %t : tensor<3xcomplex<f32>>
  }
  %y = soac.map ins(%r0, %s, %k : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) (%a: complex<f32>, %b: complex<f32>, %c: complex<f32>) -> tensor<3xcomplex<f32>> {
    %p = complex.mul %a, %b : complex<f32>
    %q = complex.mul %p, %c : complex<f32>
    soac.yield %q : complex<f32>
  }
  return %y : tensor<3xcomplex<f32>>
}

// Second order: the gradient of the squared norm is twice the conjugate.
func.func @pullback(%zs: tensor<?xcomplex<f64>>, %s: f64) -> tensor<?xcomplex<f64>> {
  %r:2 = ad.vjp @norm(%zs) seed(%s) : (tensor<?xcomplex<f64>>), (f64) -> (f64, tensor<?xcomplex<f64>>)
  return %r#1 : tensor<?xcomplex<f64>>
}
