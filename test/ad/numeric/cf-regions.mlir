// Blocks in regions that loops and branches of scf are around: these become blocks, too, and derivatives agree with central
// differences and with each other [Z07, Z14, Z15].
// RUN: ad-opt check %s --entry=alone --input=0.7
// RUN: ad-opt check %s --entry=alone --input=-0.7
// RUN: %python %S/../../driver/Inputs/npy.py %t.x.npy '<f8' '(3,)' 0.7 -0.4 1.3
// RUN: ad-opt check %s --entry=array --input=%t.x.npy --input=0
// RUN: ad-opt check %s --entry=array --input=%t.x.npy --input=1
// RUN: ad-opt check %s --entry=array --input=%t.x.npy --input=7
// RUN: ad-opt check %s --entry=newton --input=3.0 --input=true
// RUN: ad-opt check %s --entry=newton --input=3.0 --input=false
// RUN: ad-opt check %s --entry=stored --input=0.6 --input=0
// RUN: ad-opt check %s --entry=stored --input=0.6 --input=3
// RUN: ad-opt check %s --entry=alone --input=0.7 --engine=interpreter
// RUN: ad-opt check %s --entry=array --input=%t.x.npy --input=7 --engine=interpreter
// RUN: ad-opt check %s --entry=newton --input=3.0 --input=true --engine=interpreter
// RUN: ad-opt check %s --entry=stored --input=0.6 --input=3 --engine=interpreter
// RUN: ad-opt run %s --entry=alone_gradients --input=2 | FileCheck %s --check-prefix=ALONE
// RUN: ad-opt run %s --entry=newton_gradient --input=4 | FileCheck %s --check-prefix=ROOT
// RUN: ad-opt check %s --entry=newton_gradient --input=3.0

// x^3 of what is positive, else x^2.
func.func @alone(%x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %y = scf.execute_region -> f64 {
    %square = arith.mulf %x, %x : f64
    %is_positive = arith.cmpf ogt, %x, %zero : f64
    cf.cond_br %is_positive, ^positive, ^end(%square : f64)
  ^positive:
    %cube = arith.mulf %square, %x : f64
    cf.br ^end(%cube : f64)
  ^end(%r: f64):
    scf.yield %r : f64
  }
  return %y : f64
}
// 3 x^2 and 6 x.
// ALONE: 12.0
// ALONE-NEXT: 12.0
func.func @alone_gradients(%x: f64) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %g = func.call @alone_gradient(%x) : (f64) -> f64
  %y, %h = ad.jvp @alone_gradient(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %g, %h : f64, f64
}
func.func private @alone_gradient(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %g = ad.vjp @alone(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %g : f64
}

// A loop that carries an array: three sines in odd iterations, and in even ones products in place of what is negative, in a
// loop of blocks.
func.func @array(%x: tensor<3xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> tensor<3xf64> {
    %odd = arith.remui %i, %c2 : index
    %is_odd = arith.cmpi ne, %odd, %c0 : index
    %next = scf.if %is_odd -> tensor<3xf64> {
      %sines = math.sin %v : tensor<3xf64>
      scf.yield %sines : tensor<3xf64>
    } else {
      %updated = scf.execute_region -> tensor<3xf64> {
        cf.br ^head(%c0, %v : index, tensor<3xf64>)
      ^head(%k: index, %w: tensor<3xf64>):
        %more = arith.cmpi ult, %k, %c3 : index
        cf.cond_br %more, ^body, ^end
      ^body:
        %e = tensor.extract %w[%k] : tensor<3xf64>
        %first = tensor.extract %v[%c0] : tensor<3xf64>
        %is_negative = arith.cmpf olt, %e, %zero : f64
        cf.cond_br %is_negative, ^negative, ^set(%e : f64)
      ^negative:
        %p = arith.mulf %e, %first : f64
        cf.br ^set(%p : f64)
      ^set(%value: f64):
        %w1 = tensor.insert %value into %w[%k] : tensor<3xf64>
        %k1 = arith.addi %k, %c1 : index
        cf.br ^head(%k1, %w1 : index, tensor<3xf64>)
      ^end:
        scf.yield %w : tensor<3xf64>
      }
      scf.yield %updated : tensor<3xf64>
    }
    scf.yield %next : tensor<3xf64>
  }
  %a = tensor.extract %last[%c0] : tensor<3xf64>
  %b = tensor.extract %last[%c1] : tensor<3xf64>
  %c = tensor.extract %last[%c2] : tensor<3xf64>
  %ab = arith.mulf %a, %b : f64
  %abc = arith.mulf %ab, %c : f64
  return %abc : f64
}

// The square root by Newton's method until it is found, or three quarters of x: in a while loop in a branch.
func.func @newton(%x: f64, %is_root: i1) -> f64 {
  %half = arith.constant 0.5 : f64
  %three_quarters = arith.constant 0.75 : f64
  %small = arith.constant 1.0e-24 : f64
  %zero = arith.constant 0.0 : f64
  %y = scf.if %is_root -> f64 {
    %root = scf.while (%r = %x) : (f64) -> f64 {
      %square = arith.mulf %r, %r : f64
      %d = arith.subf %square, %x : f64
      %d2 = arith.mulf %d, %d : f64
      %is_far = arith.cmpf ogt, %d2, %small : f64
      scf.condition(%is_far) %r : f64
    } do {
    ^bb0(%r: f64):
      %next = scf.execute_region -> f64 {
        %is_zero = arith.cmpf oeq, %r, %zero : f64
        cf.cond_br %is_zero, ^same, ^step
      ^same:
        scf.yield %x : f64
      ^step:
        %q = arith.divf %x, %r : f64
        %sum = arith.addf %q, %r : f64
        %mean = arith.mulf %sum, %half : f64
        scf.yield %mean : f64
      }
      scf.yield %next : f64
    }
    scf.yield %root : f64
  } else {
    %part = arith.mulf %x, %three_quarters : f64
    scf.yield %part : f64
  }
  return %y : f64
}
// 1 / (2 sqrt(x))
// ROOT: 0.25
func.func @newton_gradient(%x: f64) -> f64 {
  %true = arith.constant true
  %one = arith.constant 1.0 : f64
  %y, %g = ad.vjp @newton(%x, %true) seed(%one) : (f64, i1), (f64) -> (f64, f64)
  return %g : f64
}

// What is in memory, which blocks change.
func.func @stored(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %memory = memref.alloc() : memref<f64>
  memref.store %x, %memory[] : memref<f64>
  scf.for %i = %c0 to %n step %c1 {
    scf.execute_region {
      %v = memref.load %memory[] : memref<f64>
      %is_large = arith.cmpf ogt, %v, %x : f64
      cf.cond_br %is_large, ^large, ^small
    ^large:
      %sine = math.sin %v : f64
      memref.store %sine, %memory[] : memref<f64>
      cf.br ^end
    ^small:
      %sum = arith.addf %v, %x : f64
      memref.store %sum, %memory[] : memref<f64>
      cf.br ^end
    ^end:
      scf.yield
    }
  }
  %y = memref.load %memory[] : memref<f64>
  memref.dealloc %memory : memref<f64>
  return %y : f64
}
