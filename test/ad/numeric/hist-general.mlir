// Derivatives of soac.hist with any operator agree with central differences and with
// each other [F33, FP1].
// RUN: %python %S/../../driver/Inputs/npy.py %t.d3.npy '<f8' '(3,)' 0.5 1.5 -0.7
// RUN: %python %S/../../driver/Inputs/npy.py %t.e3.npy '<f8' '(3,)' 0.2 -0.4 1.1
// RUN: %python %S/../../driver/Inputs/npy.py %t.v7.npy '<f8' '(7,)' 1.25 -0.5 0.75 0.3 0.9 -1.1 0.6
// RUN: %python %S/../../driver/Inputs/npy.py %t.w7.npy '<f8' '(7,)' 0.4 0.8 -0.3 1.2 -0.6 0.7 0.1
// RUN: %python %S/../../driver/Inputs/npy.py %t.v1.npy '<f8' '(1,)' 1.25
// RUN: %python %S/../../driver/Inputs/npy.py %t.v0.npy '<f8' '(0,)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.i7.npy '<i8' '(7,)' 2 0 2 -3 3 2 0
// RUN: %python %S/../../driver/Inputs/npy.py %t.out.npy '<i8' '(7,)' 3 3 -1 -1 3 4 9
// RUN: %python %S/../../driver/Inputs/npy.py %t.i1.npy '<i8' '(1,)' 1
// RUN: %python %S/../../driver/Inputs/npy.py %t.i0.npy '<i8' '(0,)'
// RUN: ad-opt check %s --entry=compose --input=%t.i7.npy --input=%t.v7.npy --input=%t.w7.npy --input=%t.d3.npy --input=%t.e3.npy --input=1.3
// RUN: ad-opt check %s --entry=compose --engine=interpreter --input=%t.i7.npy --input=%t.v7.npy --input=%t.w7.npy --input=%t.d3.npy --input=%t.e3.npy --input=1.3
// RUN: ad-opt check %s --entry=compose --input=%t.out.npy --input=%t.v7.npy --input=%t.w7.npy --input=%t.d3.npy --input=%t.e3.npy --input=1.3
// RUN: ad-opt check %s --entry=compose --input=%t.i1.npy --input=%t.v1.npy --input=%t.v1.npy --input=%t.d3.npy --input=%t.e3.npy --input=1.3
// RUN: ad-opt check %s --entry=compose --input=%t.i0.npy --input=%t.v0.npy --input=%t.v0.npy --input=%t.d3.npy --input=%t.e3.npy --input=1.3
// RUN: ad-opt check %s --entry=compose --input=%t.i7.npy --input=%t.v7.npy --input=%t.w7.npy --input=%t.v0.npy --input=%t.v0.npy --input=1.3
// RUN: ad-opt check %s --entry=gradient --input=%t.i7.npy --input=%t.v7.npy --input=%t.w7.npy --input=%t.d3.npy --input=%t.e3.npy --input=1.3
// RUN: ad-opt check %s --entry=gradient --engine=interpreter --input=%t.i7.npy --input=%t.v7.npy --input=%t.w7.npy --input=%t.d3.npy --input=%t.e3.npy --input=1.3
// RUN: %python %S/../../driver/Inputs/npy.py %t.m.npy '<f4' '(4,2,2)' 1 2 3 4 5 6 7 8 0.5 1.5 2.5 0.1 0.2 0.3 0.4 0.6
// RUN: %python %S/../../driver/Inputs/npy.py %t.d.npy '<f4' '(2,2,2)' 1 0.5 0.25 1 2 0.75 0.5 1
// RUN: %python %S/../../driver/Inputs/npy.py %t.j4.npy '<i4' '(4,)' 1 0 1 1
// RUN: ad-opt check %s --entry=products --input=%t.j4.npy --input=%t.m.npy --input=%t.d.npy
// RUN: ad-opt check %s --entry=in_map --input=%t.i7.npy --input=%t.v7.npy --input=%t.d3.npy
// RUN: ad-opt run %s --entry=values | FileCheck %s

// Linear functions under composition, which does not commute, with a free variable and
// a neutral element that depends on it.
func.func @compose(%is: tensor<?xindex>, %as: tensor<?xf64>, %bs: tensor<?xf64>,
    %da: tensor<?xf64>, %db: tensor<?xf64>, %w: f64) -> (tensor<?xf64>, tensor<?xf64>, f64) {
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %e = arith.divf %one, %w : f64
  %h:2 = soac.hist at(%is : tensor<?xindex>) ins(%as, %bs : tensor<?xf64>, tensor<?xf64>)
      into(%da, %db : tensor<?xf64>, tensor<?xf64>) neutral(%e, %zero : f64, f64)
      (%a1: f64, %b1: f64, %a2: f64, %b2: f64) {
    %a = arith.mulf %a1, %a2 : f64
    %aw = arith.mulf %a, %w : f64
    %c = arith.mulf %b1, %a2 : f64
    %cw = arith.mulf %c, %w : f64
    %b = arith.addf %cw, %b2 : f64
    soac.yield %aw, %b : f64, f64
  }
  // Whatever falls where, something depends on %w.
  %q = arith.mulf %w, %w : f64
  return %h#0, %h#1, %q : tensor<?xf64>, tensor<?xf64>, f64
}

func.func @gradient(%is: tensor<?xindex>, %as: tensor<?xf64>, %bs: tensor<?xf64>,
    %da: tensor<?xf64>, %db: tensor<?xf64>, %w: f64)
    -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64) {
  %r:8 = ad.vjp @compose(%is, %as, %bs, %da, %db, %w) seed(%db, %da, %w)
      : (tensor<?xindex>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64),
        (tensor<?xf64>, tensor<?xf64>, f64)
      -> (tensor<?xf64>, tensor<?xf64>, f64, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64)
  return %r#3, %r#4, %r#5, %r#6, %r#7 : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64
}

// Rows as elements: products of 2x2 matrices.
func.func @products(%is: tensor<?xi32>, %ms: tensor<?x2x2xf32>, %dest: tensor<2x2x2xf32>)
    -> tensor<2x2x2xf32> {
  %unit = arith.constant dense<[[1.0, 0.0], [0.0, 1.0]]> : tensor<2x2xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %js = soac.iota : tensor<2xindex>
  %h = soac.hist at(%is : tensor<?xi32>) ins(%ms : tensor<?x2x2xf32>) into(%dest : tensor<2x2x2xf32>)
      neutral(%unit : tensor<2x2xf32>) (%l: tensor<2x2xf32>, %r: tensor<2x2xf32>) {
    %p = soac.map ins(%l : tensor<2x2xf32>) (%row: tensor<2xf32>) -> tensor<2x2xf32> {
      %q = soac.map ins(%js : tensor<2xindex>) (%j: index) -> tensor<2xf32> {
        %l0 = tensor.extract %row[%c0] : tensor<2xf32>
        %l1 = tensor.extract %row[%c1] : tensor<2xf32>
        %r0 = tensor.extract %r[%c0, %j] : tensor<2x2xf32>
        %r1 = tensor.extract %r[%c1, %j] : tensor<2x2xf32>
        %x = arith.mulf %l0, %r0 : f32
        %y = arith.mulf %l1, %r1 : f32
        %z = arith.addf %x, %y : f32
        soac.yield %z : f32
      }
      soac.yield %q : tensor<2xf32>
    }
    soac.yield %p : tensor<2x2xf32>
  }
  return %h : tensor<2x2x2xf32>
}

func.func @in_map(%is: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<3xf64>) -> tensor<?x3xf64> {
  %zero = arith.constant 0.0 : f64
  %hs = soac.map ins(%vs : tensor<?xf64>) (%u: f64) -> tensor<?x3xf64> {
    %h = soac.hist at(%is : tensor<?xindex>) ins(%vs : tensor<?xf64>) into(%dest : tensor<3xf64>)
        neutral(%zero : f64) (%l: f64, %r: f64) {
      // x + y + u x y is associative.
      %s = arith.addf %l, %r : f64
      %p = arith.mulf %l, %r : f64
      %q = arith.mulf %p, %u : f64
      %t = arith.addf %s, %q : f64
      soac.yield %t : f64
    }
    soac.yield %h : tensor<3xf64>
  }
  return %hs : tensor<?x3xf64>
}

func.func @plain(%is: tensor<5xindex>, %vs: tensor<5xf64>, %dest: tensor<3xf64>) -> tensor<3xf64> {
  %zero = arith.constant 0.0 : f64
  %h = soac.hist at(%is : tensor<5xindex>) ins(%vs : tensor<5xf64>) into(%dest : tensor<3xf64>)
      neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    %p = arith.mulf %l, %r : f64
    %t = arith.addf %s, %p : f64
    soac.yield %t : f64
  }
  return %h : tensor<3xf64>
}

// x + y + x y is (1 + x)(1 + y) - 1. Bin 2 has 1, 2 and 5: 2 * 3 * 6 - 1 = 35. Bin 0
// has 3 and 1. With seeds 1, 10, 100 the derivatives are the products of the others.
func.func @values() -> (tensor<3xf64>, tensor<5xf64>, tensor<3xf64>) {
  %is = arith.constant dense<[2, -1, 0, 3, 2]> : tensor<5xindex>
  %vs = arith.constant dense<[2.0, 20.0, 1.0, 40.0, 5.0]> : tensor<5xf64>
  %dest = arith.constant dense<[3.0, 4.0, 1.0]> : tensor<3xf64>
  %seed = arith.constant dense<[1.0, 10.0, 100.0]> : tensor<3xf64>
  %r:3 = ad.vjp @plain(%is, %vs, %dest) seed(%seed)
      : (tensor<5xindex>, tensor<5xf64>, tensor<3xf64>), (tensor<3xf64>)
      -> (tensor<3xf64>, tensor<5xf64>, tensor<3xf64>)
  return %r#0, %r#1, %r#2 : tensor<3xf64>, tensor<5xf64>, tensor<3xf64>
}
// CHECK: [7.0, 4.0, 35.0]
// CHECK-NEXT: [1200.0, 0.0, 4.0, 0.0, 600.0]
// CHECK-NEXT: [2.0, 10.0, 1800.0]
