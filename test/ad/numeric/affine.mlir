// Loops and branches of `affine` over scalars and tensors are those of `scf`, in functions without buffers, too.
// RUN: %python %S/../../driver/Inputs/npy.py %t.x.npy '<f8' '(3,)' 0.3 -0.4 1.1
// RUN: ad-opt check %s --entry=scalar --input=0.7
// RUN: ad-opt check %s --entry=branch --input=0.7 --input=2
// RUN: ad-opt check %s --entry=branch --input=0.7 --input=7
// RUN: ad-opt check %s --entry=array --input=%t.x.npy
// RUN: ad-opt check %s --entry=largest --input=0.7
// RUN: ad-opt check %s --entry=scalar --input=0.7 --engine=interpreter
// RUN: ad-opt check %s --entry=array --input=%t.x.npy --engine=interpreter
// RUN: ad-opt check %s --entry=places --input=%t.x.npy --input=4
// RUN: ad-opt check %s --entry=places --input=%t.x.npy --input=4 --engine=interpreter
// RUN: ad-opt %s --ad-generate='function=scalar mode=gradient' --ad-differentiate | FileCheck %s

// CHECK-LABEL: func.func private @scalar.
// CHECK-NOT: affine.
// CHECK: scf.for
func.func @scalar(%x: f64) -> f64 {
  %r = affine.for %i = 0 to 5 iter_args(%s = %x) -> f64 {
    %t = math.sin %s : f64
    %u = arith.mulf %t, %x : f64
    affine.yield %u : f64
  }
  return %r : f64
}

func.func @branch(%x: f64, %n: index) -> f64 {
  %r = affine.if affine_set<(d0) : (d0 - 5 >= 0)>(%n) -> f64 {
    %t = math.sin %x : f64
    affine.yield %t : f64
  } else {
    %t = math.exp %x : f64
    affine.yield %t : f64
  }
  return %r : f64
}

func.func @array(%x: tensor<3xf64>) -> tensor<3xf64> {
  %r = affine.for %i = 0 to 3 iter_args(%s = %x) -> tensor<3xf64> {
    %a = tensor.extract %s[%i] : tensor<3xf64>
    %b = math.sin %a : f64
    %t = tensor.insert %b into %s[%i] : tensor<3xf64>
    affine.yield %t : tensor<3xf64>
  }
  return %r : tensor<3xf64>
}

func.func @largest(%x: f64) -> f64 {
  %r = affine.parallel (%i) = (0) to (4) reduce ("maximumf") -> f64 {
    %n = arith.index_cast %i : index to i64
    %f = arith.sitofp %n : i64 to f64
    %p = arith.mulf %x, %f : f64
    affine.yield %p : f64
  }
  return %r : f64
}

// Places in several dimensions, and in one.
func.func @places(%x: tensor<3xf64>, %n: index) -> f64 {
  %c1 = arith.constant 1 : index
  %at:2 = affine.delinearize_index %n into (3, 3) : index, index
  %a = tensor.extract %x[%at#0] : tensor<3xf64>
  %b = tensor.extract %x[%at#1] : tensor<3xf64>
  %k = affine.linearize_index [%c1, %at#1] by (2, 1) : index
  %m = arith.remui %k, %n : index
  %c = tensor.extract %x[%m] : tensor<3xf64>
  %p = arith.mulf %a, %b : f64
  %q = arith.mulf %p, %c : f64
  return %q : f64
}
