// Derivatives of programs with tapes agree with central differences and with closed forms [Z24].
// RUN: ad-opt check %s --entry=straight --input=0.5 --input=0.8
// RUN: ad-opt check %s --entry=straight --input=0.5 --input=0.8 --engine=interpreter
// RUN: ad-opt check %s --entry=own --input=0.5 --input=4
// RUN: ad-opt check %s --entry=own --input=0.5 --input=4 --engine=interpreter
// RUN: ad-opt check %s --entry=perhaps --input=true --input=0.6 --input=3
// RUN: ad-opt check %s --entry=perhaps --input=true --input=0.6 --input=0 --engine=interpreter
// RUN: ad-opt check %s --entry=perhaps --input=true --input=0.6 --input=3 --engine=interpreter
// RUN: ad-opt check %s --entry=perhaps --input=false --input=0.6 --input=3
// RUN: ad-opt check %s --entry=perhaps --input=false --input=0.6 --input=3 --engine=interpreter
// RUN: ad-opt run %s --entry=curve --input=1.5 --input=4 | FileCheck %s
// RUN: ad-opt run %s --entry=curve --input=1.5 --input=0 | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %s --entry=curve_of_rows --input=1.5 --input=4 | FileCheck %s --check-prefix=ROWS

// A call that may do anything with tapes keeps entries from being forwarded.
func.func private @look() attributes {no_inline} {
  return
}

func.func @straight(%x: f64, %y: f64) -> f64 {
  %t = ad.tape_create : !ad.tape<f64, tensor<2xf64>>
  %p = arith.mulf %x, %y : f64
  %a = tensor.from_elements %x, %p : tensor<2xf64>
  ad.tape_push %t, %p, %a : !ad.tape<f64, tensor<2xf64>>
  %e = math.exp %x : f64
  %b = tensor.from_elements %e, %y : tensor<2xf64>
  ad.tape_push %t, %e, %b : !ad.tape<f64, tensor<2xf64>>
  func.call @look() : () -> ()
  %f, %c = ad.tape_pop %t : !ad.tape<f64, tensor<2xf64>>
  func.call @look() : () -> ()
  %q, %d = ad.tape_pop %t : !ad.tape<f64, tensor<2xf64>>
  ad.tape_free %t : !ad.tape<f64, tensor<2xf64>>
  %one = arith.constant 1 : index
  %u = tensor.extract %c[%one] : tensor<2xf64>
  %v = tensor.extract %d[%one] : tensor<2xf64>
  %g = arith.mulf %f, %q : f64
  %h = arith.mulf %u, %v : f64
  %s = math.sin %h : f64
  %r = arith.mulf %g, %s : f64
  return %r : f64
}

// A tape of each iteration: the return sweep of the loop has one of its own in each iteration, too.
func.func @own(%x: f64, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 1.0 : f64
  %y = scf.for %i = %zero to %n step %one iter_args(%r = %start) -> f64 {
    %t = ad.tape_create : !ad.tape<f64>
    %s = math.sin %r : f64
    ad.tape_push %t, %s : !ad.tape<f64>
    func.call @look() : () -> ()
    %p = arith.mulf %r, %x : f64
    %q = ad.tape_pop %t : !ad.tape<f64>
    ad.tape_free %t : !ad.tape<f64>
    %w = arith.addf %p, %q : f64
    scf.yield %w : f64
  }
  return %y : f64
}

// The slope of x^4 and its own slope: 4 x^3, 12 x^2.
// CHECK: 13.5
// CHECK-NEXT: 27.0
// NONE: 0.0
// NONE-NEXT: 0.0
func.func @curve(%x: f64, %n: index) -> (f64, f64) {
  %x_dot = arith.constant 1.0 : f64
  %r:2 = ad.jvp @slope(%x, %n) seed(%x_dot) : (f64, index), (f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
func.func private @slope(%x: f64, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 1.0 : f64
  %none = arith.constant 0.0 : f64
  %t = ad.tape_create : !ad.tape<f64>
  %y = scf.for %i = %zero to %n step %one iter_args(%r = %start) -> f64 {
    ad.tape_push %t, %r : !ad.tape<f64>
    %p = arith.mulf %r, %x : f64
    scf.yield %p : f64
  }
  %g:2 = scf.for %i = %zero to %n step %one iter_args(%r_bar = %start, %x_bar = %none) -> (f64, f64) {
    %r = ad.tape_pop %t : !ad.tape<f64>
    %d = arith.mulf %r_bar, %r : f64
    %s = arith.addf %x_bar, %d : f64
    %q = arith.mulf %r_bar, %x : f64
    scf.yield %q, %s : f64, f64
  }
  ad.tape_free %t : !ad.tape<f64>
  return %g#1 : f64
}

// The same of rows of i + 1 times x^i: the sum of (i + 1) x^i, whose slope is that of i (i + 1) x^(i - 1).
// ROWS: 24.25
// ROWS-NEXT: 38.0
func.func @curve_of_rows(%x: f64, %n: index) -> (f64, f64) {
  %x_dot = arith.constant 1.0 : f64
  %r:2 = ad.jvp @rows(%x, %n) seed(%x_dot) : (f64, index), (f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
func.func private @rows(%x: f64, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 1.0 : f64
  %none = arith.constant 0.0 : f64
  %t = ad.tape_create : !ad.tape<tensor<?xf64>>
  %y = scf.for %i = %zero to %n step %one iter_args(%r = %start) -> f64 {
    %size = arith.addi %i, %one : index
    %row = tensor.splat %r[%size] : tensor<?xf64>
    ad.tape_push %t, %row : !ad.tape<tensor<?xf64>>
    %p = arith.mulf %r, %x : f64
    scf.yield %p : f64
  }
  %sum = scf.for %i = %zero to %n step %one iter_args(%s = %none) -> f64 {
    %row = ad.tape_pop %t : !ad.tape<tensor<?xf64>>
    %size = tensor.dim %row, %zero : tensor<?xf64>
    %u = scf.for %j = %zero to %size step %one iter_args(%a = %s) -> f64 {
      %e = tensor.extract %row[%j] : tensor<?xf64>
      %b = arith.addf %a, %e : f64
      scf.yield %b : f64
    }
    scf.yield %u : f64
  }
  ad.tape_free %t : !ad.tape<tensor<?xf64>>
  return %sum : f64
}

// A tape of blocks that may not run, with loops that push and pop. The interpreter tells if a tape stays.
func.func @perhaps(%c: i1, %x: f64, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  cf.cond_br %c, ^then, ^end(%x : f64)
^then:
  %t = ad.tape_create : !ad.tape<f64>
  cf.br ^push(%x, %zero : f64, index)
^push(%r: f64, %i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^on, ^back
^on:
  ad.tape_push %t, %r : !ad.tape<f64>
  %s = math.sin %r : f64
  %p = arith.addf %s, %x : f64
  %i1 = arith.addi %i, %one : index
  cf.br ^push(%p, %i1 : f64, index)
^back:
  cf.br ^pop(%r, %n : f64, index)
^pop(%u: f64, %k: index):
  %some = arith.cmpi sgt, %k, %zero : index
  cf.cond_br %some, ^off, ^done
^off:
  %v = ad.tape_pop %t : !ad.tape<f64>
  %e = math.exp %v : f64
  %w = arith.mulf %u, %e : f64
  %k1 = arith.subi %k, %one : index
  cf.br ^pop(%w, %k1 : f64, index)
^done:
  ad.tape_free %t : !ad.tape<f64>
  cf.br ^end(%u : f64)
^end(%y: f64):
  %z = math.cos %y : f64
  return %z : f64
}
