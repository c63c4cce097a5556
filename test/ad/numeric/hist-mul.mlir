// Derivatives of soac.hist with * agree with central differences and with each other,
// also with zeros among the values and in the destination [F32, FP1].
// RUN: %python %S/../../driver/Inputs/npy.py %t.d3.npy '<f8' '(3,)' 0.5 1.5 -0.7
// RUN: %python %S/../../driver/Inputs/npy.py %t.z3.npy '<f8' '(3,)' 0.5 1.5 0
// RUN: %python %S/../../driver/Inputs/npy.py %t.v7.npy '<f8' '(7,)' 1.25 -0.5 0.75 0.3 0.9 -1.1 0.6
// RUN: %python %S/../../driver/Inputs/npy.py %t.z7.npy '<f8' '(7,)' 0 0 0 0.3 0.9 -1.1 0.6
// RUN: %python %S/../../driver/Inputs/npy.py %t.v1.npy '<f8' '(1,)' 1.25
// RUN: %python %S/../../driver/Inputs/npy.py %t.v0.npy '<f8' '(0,)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.i7.npy '<i8' '(7,)' 2 0 2 -3 3 1 2
// RUN: %python %S/../../driver/Inputs/npy.py %t.i1.npy '<i8' '(1,)' 1
// RUN: %python %S/../../driver/Inputs/npy.py %t.i0.npy '<i8' '(0,)'
// RUN: ad-opt check %s --entry=products --input=%t.i7.npy --input=%t.v7.npy --input=%t.d3.npy
// RUN: ad-opt check %s --entry=products --engine=interpreter --input=%t.i7.npy --input=%t.v7.npy --input=%t.d3.npy
// RUN: ad-opt check %s --entry=products --input=%t.i7.npy --input=%t.z7.npy --input=%t.d3.npy
// RUN: ad-opt check %s --entry=products --input=%t.i7.npy --input=%t.z7.npy --input=%t.z3.npy
// RUN: ad-opt check %s --entry=products --input=%t.i1.npy --input=%t.v1.npy --input=%t.z3.npy
// RUN: ad-opt check %s --entry=products --input=%t.i0.npy --input=%t.v0.npy --input=%t.d3.npy
// RUN: ad-opt check %s --entry=products --input=%t.i7.npy --input=%t.v7.npy --input=%t.v0.npy
// RUN: ad-opt check %s --entry=gradient --input=%t.i7.npy --input=%t.v7.npy --input=%t.d3.npy
// Second derivatives at one zero and at two.
// RUN: ad-opt check %s --entry=gradient --engine=interpreter --input=%t.i7.npy --input=%t.z7.npy --input=%t.d3.npy
// RUN: ad-opt check %s --entry=gradient --input=%t.i7.npy --input=%t.z7.npy --input=%t.d3.npy
// RUN: ad-opt run %s --entry=values | FileCheck %s

func.func @products(%is: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %h = soac.hist at(%is : tensor<?xindex>) ins(%vs : tensor<?xf64>) into(%dest : tensor<?xf64>)
      neutral(%one : f64) (%l: f64, %r: f64) {
    %p = arith.mulf %l, %r : f64
    soac.yield %p : f64
  }
  return %h : tensor<?xf64>
}

func.func @gradient(%is: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<?xf64>)
    -> (tensor<?xf64>, tensor<?xf64>) {
  %r:3 = ad.vjp @products(%is, %vs, %dest) seed(%dest)
      : (tensor<?xindex>, tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>)
      -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %r#1, %r#2 : tensor<?xf64>, tensor<?xf64>
}

func.func @plain(%is: tensor<8xindex>, %vs: tensor<8xf64>, %dest: tensor<4xf64>) -> tensor<4xf64> {
  %one = arith.constant 1.0 : f64
  %h = soac.hist at(%is : tensor<8xindex>) ins(%vs : tensor<8xf64>) into(%dest : tensor<4xf64>)
      neutral(%one : f64) (%l: f64, %r: f64) {
    %p = arith.mulf %l, %r : f64
    soac.yield %p : f64
  }
  return %h : tensor<4xf64>
}

// Bin 0: 2 * 3 * 5, no zero. Bin 1: 4 * 0 * 6, one. Bin 2: 0 * 0 * 8, two, one of them
// in the destination. Bin 3: nothing but the destination.
func.func @values() -> (tensor<4xf64>, tensor<8xf64>, tensor<4xf64>) {
  %is = arith.constant dense<[0, 1, 2, 0, 1, 2, 4, -1]> : tensor<8xindex>
  %vs = arith.constant dense<[3.0, 0.0, 0.0, 5.0, 6.0, 8.0, 0.0, 7.0]> : tensor<8xf64>
  %dest = arith.constant dense<[2.0, 4.0, 0.0, 9.0]> : tensor<4xf64>
  %seed = arith.constant dense<[1.0, 10.0, 100.0, 1000.0]> : tensor<4xf64>
  %r:3 = ad.vjp @plain(%is, %vs, %dest) seed(%seed)
      : (tensor<8xindex>, tensor<8xf64>, tensor<4xf64>), (tensor<4xf64>)
      -> (tensor<4xf64>, tensor<8xf64>, tensor<4xf64>)
  return %r#0, %r#1, %r#2 : tensor<4xf64>, tensor<8xf64>, tensor<4xf64>
}
// CHECK: [30.0, 0.0, 0.0, 9.0]
// CHECK-NEXT: [10.0, 240.0, 0.0, 6.0, 0.0, 0.0, 0.0, 0.0]
// CHECK-NEXT: [15.0, 0.0, 0.0, 1000.0]
