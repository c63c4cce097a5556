// Derivatives of tensor.pad agree with central differences and with each other.
// RUN: %python %S/../../driver/Inputs/npy.py %t.m23.npy '<f8' '(2,3)' 0.5 1.5 -0.7 2.1 0.4 0.3
// RUN: %python %S/../../driver/Inputs/npy.py %t.m11.npy '<f8' '(1,1)' 0.5
// RUN: %python %S/../../driver/Inputs/npy.py %t.m03.npy '<f8' '(0,3)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.x2.npy '<f4' '(2,)' 0.5 1.5
// RUN: ad-opt check %s --entry=dynamic --input=%t.m23.npy --input=1.3 --input=1 --input=2
// RUN: ad-opt check %s --entry=dynamic --input=%t.m23.npy --input=1.3 --input=1 --input=2 --engine=interpreter
// RUN: ad-opt check %s --entry=dynamic --input=%t.m23.npy --input=1.3 --input=0 --input=0
// RUN: ad-opt check %s --entry=dynamic --input=%t.m11.npy --input=1.3 --input=0 --input=1
// RUN: ad-opt check %s --entry=dynamic --input=%t.m03.npy --input=1.3 --input=2 --input=0
// RUN: ad-opt check %s --entry=dynamic --input=%t.m03.npy --input=1.3 --input=2 --input=0 --engine=interpreter
// RUN: ad-opt check %s --entry=static --input=%t.x2.npy
// RUN: ad-opt check %s --entry=static --input=%t.x2.npy --engine=interpreter
// RUN: ad-opt check %s --entry=varying --input=%t.m23.npy --input=1.3
// RUN: ad-opt check %s --entry=varying --input=%t.m23.npy --input=1.3 --engine=interpreter
// RUN: ad-opt check %s --entry=pullback --input=%t.m23.npy --input=1.3 --input=1 --input=2
// RUN: ad-opt check %s --entry=pullback --input=%t.m23.npy --input=1.3 --input=1 --input=2 --engine=interpreter

// An active padding value, sizes known at run time only, in two dimensions.
func.func @dynamic(%m: tensor<?x?xf64>, %v: f64, %l: index, %h: index) -> tensor<?x?xf64> {
  %s = math.sin %m : tensor<?x?xf64>
  %p = tensor.pad %s low[%l, 1] high[0, %h] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f64
  } : tensor<?x?xf64> to tensor<?x?xf64>
  %q = arith.mulf %p, %p : tensor<?x?xf64>
  return %q : tensor<?x?xf64>
}

func.func @static(%x: tensor<2xf32>) -> tensor<5xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x nofold low[2] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<2xf32> to tensor<5xf32>
  %q = math.exp %p : tensor<5xf32>
  return %q : tensor<5xf32>
}

// The padding depends on the index and on a free number.
func.func @varying(%m: tensor<?x?xf64>, %v: f64) -> tensor<?x?xf64> {
  %p = tensor.pad %m low[1, 0] high[1, 2] {
  ^bb0(%i: index, %j: index):
    %k = arith.addi %i, %j : index
    %n = arith.index_cast %k : index to i64
    %f = arith.sitofp %n : i64 to f64
    %w = arith.mulf %f, %v : f64
    tensor.yield %w : f64
  } : tensor<?x?xf64> to tensor<?x?xf64>
  %q = arith.mulf %p, %p : tensor<?x?xf64>
  return %q : tensor<?x?xf64>
}

// Second order.
func.func @pullback(%m: tensor<?x?xf64>, %v: f64, %l: index, %h: index) -> (tensor<?x?xf64>, f64) {
  %s = func.call @dynamic(%m, %v, %l, %h) : (tensor<?x?xf64>, f64, index, index) -> tensor<?x?xf64>
  %r:3 = ad.vjp @dynamic(%m, %v, %l, %h) seed(%s)
      : (tensor<?x?xf64>, f64, index, index), (tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>, f64)
  return %r#1, %r#2 : tensor<?x?xf64>, f64
}
