// Derivatives of soac.hist with + agree with central differences and with each other [F32].
// RUN: %python %S/../../driver/Inputs/npy.py %t.x3.npy '<f8' '(3,)' 0.5 1.5 -0.7
// RUN: %python %S/../../driver/Inputs/npy.py %t.v5.npy '<f8' '(5,)' 1.25 -0.5 0.75 0.3 0.9
// RUN: %python %S/../../driver/Inputs/npy.py %t.v0.npy '<f8' '(0,)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.i5.npy '<i8' '(5,)' 2 0 2 -3 3
// RUN: %python %S/../../driver/Inputs/npy.py %t.i0.npy '<i8' '(0,)'
// RUN: ad-opt check %s --entry=sums --input=%t.i5.npy --input=%t.v5.npy --input=%t.x3.npy
// RUN: ad-opt check %s --entry=sums --engine=interpreter --input=%t.i5.npy --input=%t.v5.npy --input=%t.x3.npy
// RUN: ad-opt check %s --entry=sums --input=%t.i0.npy --input=%t.v0.npy --input=%t.x3.npy
// RUN: ad-opt check %s --entry=sums --input=%t.i5.npy --input=%t.v5.npy --input=%t.v0.npy
// RUN: ad-opt check %s --entry=gradient --input=%t.i5.npy --input=%t.v5.npy --input=%t.x3.npy
// RUN: ad-opt check %s --entry=gradient --engine=interpreter --input=%t.i5.npy --input=%t.v5.npy --input=%t.x3.npy
// RUN: %python %S/../../driver/Inputs/npy.py %t.r.npy '<f4' '(3,2)' 0.5 1.5 -0.7 2.1 0.3 0.9
// RUN: %python %S/../../driver/Inputs/npy.py %t.d.npy '<f4' '(2,2,2)' 1 2 3 4 5 6 7 8
// RUN: %python %S/../../driver/Inputs/npy.py %t.j3.npy '<i4' '(3,)' 0 1 0
// RUN: ad-opt check %s --entry=rows --input=%t.j3.npy --input=%t.j3.npy --input=%t.r.npy --input=%t.d.npy
// RUN: ad-opt check %s --entry=rows --engine=interpreter --input=%t.j3.npy --input=%t.j3.npy --input=%t.r.npy --input=%t.d.npy
// RUN: ad-opt run %s --entry=values | FileCheck %s

func.func @sums(%is: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %ws = soac.map ins(%vs : tensor<?xf64>) (%v: f64) -> tensor<?xf64> {
    %w = math.sin %v : f64
    soac.yield %w : f64
  }
  %h = soac.hist at(%is : tensor<?xindex>) ins(%ws : tensor<?xf64>) into(%dest : tensor<?xf64>)
      neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  %zs = soac.map ins(%h : tensor<?xf64>) (%y: f64) -> tensor<?xf64> {
    %z = arith.mulf %y, %y : f64
    soac.yield %z : f64
  }
  return %zs : tensor<?xf64>
}

func.func @gradient(%is: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<?xf64>)
    -> (tensor<?xf64>, tensor<?xf64>) {
  %r:3 = ad.vjp @sums(%is, %vs, %dest) seed(%dest)
      : (tensor<?xindex>, tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>)
      -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %r#1, %r#2 : tensor<?xf64>, tensor<?xf64>
}

// Bins of rows, indexed by two integers.
func.func @rows(%is: tensor<?xi32>, %js: tensor<?xi32>, %vs: tensor<?x2xf32>, %dest: tensor<?x?x2xf32>)
    -> tensor<?x?x2xf32> {
  %zeros = arith.constant dense<0.0> : tensor<2xf32>
  %h = soac.hist at(%is, %js : tensor<?xi32>, tensor<?xi32>) ins(%vs : tensor<?x2xf32>)
      into(%dest : tensor<?x?x2xf32>) neutral(%zeros : tensor<2xf32>)
      (%l: tensor<2xf32>, %r: tensor<2xf32>) {
    %s = soac.map ins(%l, %r : tensor<2xf32>, tensor<2xf32>) (%a: f32, %b: f32) -> tensor<2xf32> {
      %t = arith.addf %a, %b : f32
      soac.yield %t : f32
    }
    soac.yield %s : tensor<2xf32>
  }
  return %h : tensor<?x?x2xf32>
}

func.func @plain(%is: tensor<5xindex>, %vs: tensor<5xf64>, %dest: tensor<3xf64>) -> tensor<3xf64> {
  %zero = arith.constant 0.0 : f64
  %h = soac.hist at(%is : tensor<5xindex>) ins(%vs : tensor<5xf64>) into(%dest : tensor<3xf64>)
      neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return %h : tensor<3xf64>
}

// Two values for bin 2, one for bin 0, none for bin 1, and two out of range.
func.func @values() -> (tensor<3xf64>, tensor<5xf64>, tensor<3xf64>) {
  %is = arith.constant dense<[2, -1, 0, 3, 2]> : tensor<5xindex>
  %vs = arith.constant dense<[10.0, 20.0, 30.0, 40.0, 50.0]> : tensor<5xf64>
  %dest = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %seed = arith.constant dense<[7.0, 8.0, 9.0]> : tensor<3xf64>
  %r:3 = ad.vjp @plain(%is, %vs, %dest) seed(%seed)
      : (tensor<5xindex>, tensor<5xf64>, tensor<3xf64>), (tensor<3xf64>)
      -> (tensor<3xf64>, tensor<5xf64>, tensor<3xf64>)
  return %r#0, %r#1, %r#2 : tensor<3xf64>, tensor<5xf64>, tensor<3xf64>
}
// CHECK: [31.0, 2.0, 63.0]
// CHECK-NEXT: [9.0, 0.0, 7.0, 0.0, 9.0]
// CHECK-NEXT: [7.0, 8.0, 9.0]
