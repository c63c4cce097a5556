// Derivatives of minimum and maximum agree with central differences and with each other [F30]; of
// equal elements the first one receives the cotangent, and NaN is treated as the operation does.
// RUN: %python %S/../../driver/Inputs/npy.py %t.x0.npy '<f8' '(0,)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.x1.npy '<f8' '(1,)' 0.6
// RUN: %python %S/../../driver/Inputs/npy.py %t.x4.npy '<f8' '(4,)' 0.5 1.5 -0.7 2.1
// RUN: %python %S/../../driver/Inputs/npy.py %t.s4.npy '<f4' '(4,)' 0.5 1.5 -0.7 2.1
// RUN: %python %S/../../driver/Inputs/npy.py %t.i4.npy '<i8' '(4,)' 3 1 4 1
// RUN: ad-opt check %s --entry=minimum --input=%t.x0.npy --input=2.5
// RUN: ad-opt check %s --entry=minimum --input=%t.x1.npy --input=2.5
// RUN: ad-opt check %s --entry=minimum --input=%t.x4.npy --input=2.5
// RUN: ad-opt check %s --entry=minimum --input=%t.x4.npy --input=-1.5
// RUN: ad-opt check %s --entry=maxnum --input=%t.x4.npy
// RUN: ad-opt check %s --entry=compared --input=%t.s4.npy
// RUN: ad-opt check %s --entry=argmax --input=%t.x4.npy --input=%t.i4.npy
// RUN: ad-opt check %s --entry=second --input=%t.x4.npy
// RUN: ad-opt check %s --entry=second --input=%t.x1.npy
// RUN: ad-opt run %s --entry=edges | FileCheck %s

// The neutral element takes part: it may be the result.
func.func @minimum(%xs: tensor<?xf64>, %e: f64) -> f64 {
  %y = soac.reduce ins(%xs : tensor<?xf64>) neutral(%e : f64) (%l: f64, %r: f64) {
    %m = arith.minimumf %l, %r : f64
    soac.yield %m : f64
  }
  return %y : f64
}

func.func @maxnum(%xs: tensor<?xf64>) -> f64 {
  %e = arith.constant 0xFFF0000000000000 : f64
  %y = soac.reduce ins(%xs : tensor<?xf64>) neutral(%e : f64) (%l: f64, %r: f64) {
    %m = arith.maxnumf %r, %l : f64
    soac.yield %m : f64
  }
  %z = arith.mulf %y, %y : f64
  return %z : f64
}

func.func @compared(%xs: tensor<?xf32>) -> f32 {
  %e = arith.constant 0xFF800000 : f32
  %y = soac.reduce ins(%xs : tensor<?xf32>) neutral(%e : f32) (%l: f32, %r: f32) {
    %c = arith.cmpf olt, %r, %l : f32
    %m = arith.select %c, %l, %r : f32
    soac.yield %m : f32
  }
  return %y : f32
}

// A maximum with an integer beside it, which has no derivative.
func.func @argmax(%xs: tensor<?xf64>, %is: tensor<?xi64>) -> (f64, i64) {
  %e = arith.constant 0xFFF0000000000000 : f64
  %none = arith.constant -1 : i64
  %y:2 = soac.reduce ins(%xs, %is : tensor<?xf64>, tensor<?xi64>) neutral(%e, %none : f64, i64) (%l: f64, %i: i64, %r: f64, %j: i64) {
    %c = arith.cmpf oge, %l, %r : f64
    %m = arith.select %c, %l, %r : f64
    %k = arith.select %c, %i, %j : i64
    soac.yield %m, %k : f64, i64
  }
  return %y#0, %y#1 : f64, i64
}

// Second order, over elements that are not linear in the input.
func.func @of_cubes(%xs: tensor<?xf64>) -> f64 {
  %e = arith.constant 0xFFF0000000000000 : f64
  %cubes = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %a = arith.mulf %x, %x : f64
    %b = arith.mulf %a, %x : f64
    soac.yield %b : f64
  }
  %y = soac.reduce ins(%cubes : tensor<?xf64>) neutral(%e : f64) (%l: f64, %r: f64) {
    %m = arith.maximumf %l, %r : f64
    soac.yield %m : f64
  }
  return %y : f64
}
func.func @second(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @of_cubes(%xs) seed(%one) : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

func.func @least(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %e = arith.constant 0x7FF0000000000000 : f64
  %seed = arith.constant 2.0 : f64
  %r:3 = ad.vjp @minimum(%xs, %e) seed(%seed) : (tensor<?xf64>, f64), (f64) -> (f64, tensor<?xf64>, f64)
  return %r#1 : tensor<?xf64>
}
func.func @greatest(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %half = arith.constant 0.5 : f64
  %r:2 = ad.vjp @maxnum(%xs) seed(%half) : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

// Ties: the first of the equal elements, by minimum and by maximum.
// CHECK: {{^}}[0.0, 2.0, 0.0, 0.0]
// CHECK: {{^}}[3.0, 0.0, 0.0, 0.0]
// minimumf: the first NaN. maxnumf: the greatest number.
// CHECK: {{^}}[0.0, 0.0, 2.0, 0.0]
// CHECK: {{^}}[0.0, 5.0, 0.0, 0.0]
// No element: nothing. All NaN with maxnumf: nothing, the neutral element is the result.
// CHECK: {{^}}[]
// CHECK: {{^}}[0.0, 0.0]
func.func @edges() -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %a = arith.constant dense<[3.0, 1.0, 3.0, 1.0]> : tensor<4xf64>
  %b = arith.constant dense<[4.0, 5.0, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<4xf64>
  %c = arith.constant dense<> : tensor<0xf64>
  %d = arith.constant dense<0x7FF8000000000000> : tensor<2xf64>
  %as = tensor.cast %a : tensor<4xf64> to tensor<?xf64>
  %bs = tensor.cast %b : tensor<4xf64> to tensor<?xf64>
  %cs = tensor.cast %c : tensor<0xf64> to tensor<?xf64>
  %ds = tensor.cast %d : tensor<2xf64> to tensor<?xf64>
  %0 = func.call @least(%as) : (tensor<?xf64>) -> tensor<?xf64>
  %1 = func.call @greatest(%as) : (tensor<?xf64>) -> tensor<?xf64>
  %2 = func.call @least(%bs) : (tensor<?xf64>) -> tensor<?xf64>
  %3 = func.call @greatest(%bs) : (tensor<?xf64>) -> tensor<?xf64>
  %4 = func.call @least(%cs) : (tensor<?xf64>) -> tensor<?xf64>
  %5 = func.call @greatest(%ds) : (tensor<?xf64>) -> tensor<?xf64>
  return %0, %1, %2, %3, %4, %5 : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}
