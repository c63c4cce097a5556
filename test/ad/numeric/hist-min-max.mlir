// Derivatives of soac.hist with min and max agree with central differences and with
// each other [F32, FP1].
// RUN: %python %S/../../driver/Inputs/npy.py %t.d3.npy '<f8' '(3,)' 0.5 1.5 -0.7
// RUN: %python %S/../../driver/Inputs/npy.py %t.v7.npy '<f8' '(7,)' 1.25 -0.5 0.75 0.3 0.9 -1.1 0.6
// RUN: %python %S/../../driver/Inputs/npy.py %t.v1.npy '<f8' '(1,)' 1.25
// RUN: %python %S/../../driver/Inputs/npy.py %t.v0.npy '<f8' '(0,)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.i7.npy '<i8' '(7,)' 2 0 2 -3 3 1 2
// RUN: %python %S/../../driver/Inputs/npy.py %t.i1.npy '<i8' '(1,)' 1
// RUN: %python %S/../../driver/Inputs/npy.py %t.i0.npy '<i8' '(0,)'
// RUN: ad-opt check %s --entry=bounds --input=%t.i7.npy --input=%t.v7.npy --input=%t.d3.npy
// RUN: ad-opt check %s --entry=bounds --engine=interpreter --input=%t.i7.npy --input=%t.v7.npy --input=%t.d3.npy
// RUN: ad-opt check %s --entry=bounds --input=%t.i1.npy --input=%t.v1.npy --input=%t.d3.npy
// RUN: ad-opt check %s --entry=bounds --input=%t.i0.npy --input=%t.v0.npy --input=%t.d3.npy
// RUN: ad-opt check %s --entry=bounds --input=%t.i7.npy --input=%t.v7.npy --input=%t.v0.npy
// RUN: ad-opt check %s --entry=gradient --input=%t.i7.npy --input=%t.v7.npy --input=%t.d3.npy
// RUN: ad-opt check %s --entry=gradient --engine=interpreter --input=%t.i7.npy --input=%t.v7.npy --input=%t.d3.npy
// RUN: ad-opt run %s --entry=ties | FileCheck %s

func.func @bounds(%is: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<?xf64>)
    -> (tensor<?xf64>, tensor<?xf64>) {
  %inf = arith.constant 0x7FF0000000000000 : f64
  %neg = arith.constant 0xFFF0000000000000 : f64
  %ws = soac.map ins(%vs : tensor<?xf64>) (%v: f64) -> tensor<?xf64> {
    %w = math.exp %v : f64
    soac.yield %w : f64
  }
  %h:2 = soac.hist at(%is : tensor<?xindex>) ins(%vs, %ws : tensor<?xf64>, tensor<?xf64>)
      into(%dest, %dest : tensor<?xf64>, tensor<?xf64>) neutral(%inf, %neg : f64, f64)
      (%a: f64, %b: f64, %c: f64, %d: f64) {
    %least = arith.minimumf %a, %c : f64
    %most = arith.maxnumf %b, %d : f64
    soac.yield %least, %most : f64, f64
  }
  %q = soac.map ins(%h#0 : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = arith.mulf %x, %x : f64
    soac.yield %y : f64
  }
  return %q, %h#1 : tensor<?xf64>, tensor<?xf64>
}

func.func @gradient(%is: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<?xf64>)
    -> (tensor<?xf64>, tensor<?xf64>) {
  %r:4 = ad.vjp @bounds(%is, %vs, %dest) seed(%dest, %dest)
      : (tensor<?xindex>, tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>, tensor<?xf64>)
      -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %r#2, %r#3 : tensor<?xf64>, tensor<?xf64>
}

func.func @plain(%is: tensor<6xindex>, %vs: tensor<6xf64>, %dest: tensor<3xf64>) -> tensor<3xf64> {
  %inf = arith.constant 0x7FF0000000000000 : f64
  %h = soac.hist at(%is : tensor<6xindex>) ins(%vs : tensor<6xf64>) into(%dest : tensor<3xf64>)
      neutral(%inf : f64) (%l: f64, %r: f64) {
    %m = arith.minimumf %l, %r : f64
    soac.yield %m : f64
  }
  return %h : tensor<3xf64>
}

// Bin 0: 2 twice: the first of them. Bin 1: 5 in the
// destination and among the values: the destination. Bin 2: only the destination.
func.func @ties() -> (tensor<3xf64>, tensor<6xf64>, tensor<3xf64>) {
  %is = arith.constant dense<[0, 0, 1, 0, -1, 3]> : tensor<6xindex>
  %vs = arith.constant dense<[3.0, 2.0, 5.0, 2.0, 0.0, 0.0]> : tensor<6xf64>
  %dest = arith.constant dense<[4.0, 5.0, 6.0]> : tensor<3xf64>
  %seed = arith.constant dense<[1.0, 10.0, 100.0]> : tensor<3xf64>
  %r:3 = ad.vjp @plain(%is, %vs, %dest) seed(%seed)
      : (tensor<6xindex>, tensor<6xf64>, tensor<3xf64>), (tensor<3xf64>)
      -> (tensor<3xf64>, tensor<6xf64>, tensor<3xf64>)
  return %r#0, %r#1, %r#2 : tensor<3xf64>, tensor<6xf64>, tensor<3xf64>
}
// CHECK: [2.0, 5.0, 6.0]
// CHECK-NEXT: [0.0, 1.0, 0.0, 0.0, 0.0, 0.0]
// CHECK-NEXT: [0.0, 10.0, 100.0]
