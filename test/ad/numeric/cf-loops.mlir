// Derivatives of loops between blocks agree with central differences and with each other
// [Z07, Z14, Z15, Z18].
// RUN: ad-opt check %s --entry=pow --input=1.3 --input=0
// RUN: ad-opt check %s --entry=sum --input=1.3 --input=0
// RUN: ad-opt check %s --entry=pow --input=1.3 --input=1
// RUN: ad-opt check %s --entry=sum --input=1.3 --input=1
// RUN: ad-opt check %s --entry=pow --input=1.3 --input=5
// RUN: ad-opt check %s --entry=sum --input=1.3 --input=5
// RUN: ad-opt check %s --entry=nest --input=1.3 --input=0 --input=3
// RUN: ad-opt check %s --entry=nest --input=1.3 --input=1 --input=0
// RUN: ad-opt check %s --entry=nest --input=1.3 --input=1 --input=4
// RUN: ad-opt check %s --entry=nest --input=1.3 --input=3 --input=4
// RUN: ad-opt check %s --entry=irreducible --input=true --input=1.1 --input=1
// RUN: ad-opt check %s --entry=irreducible --input=true --input=1.1 --input=2
// RUN: ad-opt check %s --entry=irreducible --input=true --input=1.1 --input=5
// RUN: ad-opt check %s --entry=irreducible --input=true --input=1.1 --input=8
// RUN: ad-opt check %s --entry=irreducible --input=false --input=1.1 --input=1
// RUN: ad-opt check %s --entry=irreducible --input=false --input=1.1 --input=2
// RUN: ad-opt check %s --entry=irreducible --input=false --input=1.1 --input=5
// RUN: ad-opt check %s --entry=irreducible --input=false --input=1.1 --input=8
// RUN: ad-opt check %s --entry=shared --input=0.4 --input=1
// RUN: ad-opt check %s --entry=shared --input=0.4 --input=3
// RUN: ad-opt check %s --entry=shared --input=0.4 --input=7
// RUN: ad-opt check %s --entry=shared --input=0.4 --input=10
// RUN: %python %S/../../driver/Inputs/npy.py %t.low.npy '<f8' '(4,)' 0.1 0.2 0.3 0.4
// RUN: %python %S/../../driver/Inputs/npy.py %t.high.npy '<f8' '(4,)' 1.1 1.2 1.3 0.4
// RUN: ad-opt check %s --entry=arrays --input=%t.low.npy --input=0.8
// RUN: ad-opt check %s --entry=arrays --input=%t.high.npy --input=0.8
// RUN: ad-opt run %s --entry=pow_gradient --input=2 --input=0 | FileCheck %s --check-prefix=FIRST-0
// RUN: ad-opt run %s --entry=pow_gradient --input=2 --input=1 | FileCheck %s --check-prefix=FIRST-1
// RUN: ad-opt run %s --entry=pow_gradient --input=2 --input=5 | FileCheck %s --check-prefix=FIRST-5
// RUN: ad-opt run %s --entry=pow_second --input=2 --input=0 | FileCheck %s --check-prefix=SECOND-0
// RUN: ad-opt run %s --entry=pow_second --input=2 --input=5 | FileCheck %s --check-prefix=SECOND-5
// RUN: ad-opt check %s --engine=interpreter --entry=irreducible --input=true --input=1.1 --input=5
// RUN: ad-opt check %s --engine=interpreter --entry=arrays --input=%t.low.npy --input=0.8

// The paper's x^n, for any n.
func.func @pow(%x: f64, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r0 = arith.constant 1.0 : f64
  cf.br ^header(%r0, %n : f64, index)
^header(%r: f64, %k: index):
  %more = arith.cmpi sgt, %k, %zero : index
  cf.cond_br %more, ^body, ^exit
^body:
  %r1 = arith.mulf %r, %x : f64
  %k1 = arith.subi %k, %one : index
  cf.br ^header(%r1, %k1 : f64, index)
^exit:
  return %r : f64
}

// Nothing is kept.
func.func @sum(%x: f64, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r0 = arith.constant 1.0 : f64
  cf.br ^header(%r0, %n : f64, index)
^header(%r: f64, %k: index):
  %more = arith.cmpi sgt, %k, %zero : index
  cf.cond_br %more, ^body, ^exit
^body:
  %r1 = arith.addf %r, %x : f64
  %k1 = arith.subi %k, %one : index
  cf.br ^header(%r1, %k1 : f64, index)
^exit:
  return %r : f64
}

// A loop in a loop; a value of the outer one is read in the inner one.
func.func @nest(%x: f64, %n: index, %m: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r0 = arith.constant 1.0 : f64
  cf.br ^outer(%r0, %zero : f64, index)
^outer(%r: f64, %i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^pre, ^exit
^pre:
  %w = math.sin %r : f64
  cf.br ^inner(%w, %zero : f64, index)
^inner(%s: f64, %j: index):
  %go = arith.cmpi slt, %j, %m : index
  cf.cond_br %go, ^body, ^post
^body:
  %t = arith.mulf %s, %w : f64
  %u = arith.addf %t, %x : f64
  %j1 = arith.addi %j, %one : index
  cf.br ^inner(%u, %j1 : f64, index)
^post:
  %i1 = arith.addi %i, %one : index
  %q = arith.mulf %s, %x : f64
  cf.br ^outer(%q, %i1 : f64, index)
^exit:
  return %r : f64
}

// A loop with two entries and two exits, and two returns.
func.func @irreducible(%c: i1, %x: f64, %n: index) -> f64 {
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : index
  %half = arith.constant 0.5 : f64
  %three = arith.constant 3.0 : f64
  cf.cond_br %c, ^a(%x, %n : f64, index), ^b(%half, %n : f64, index)
^a(%r: f64, %k: index):
  %r1 = arith.mulf %r, %x : f64
  %k1 = arith.subi %k, %one : index
  %more = arith.cmpi sgt, %k1, %zero : index
  cf.cond_br %more, ^b(%r1, %k1 : f64, index), ^exit(%r1 : f64)
^b(%s: f64, %l: index):
  %s1 = math.sin %s : f64
  %s2 = arith.addf %s1, %x : f64
  %l1 = arith.subi %l, %one : index
  %go = arith.cmpi sgt, %l1, %zero : index
  %big = arith.cmpf ogt, %s2, %three : f64
  cf.cond_br %big, ^early(%s2 : f64), ^on
^on:
  cf.cond_br %go, ^a(%s2, %l1 : f64, index), ^exit(%s2 : f64)
^early(%e: f64):
  %e2 = arith.mulf %e, %x : f64
  return %e2 : f64
^exit(%z: f64):
  return %z : f64
}

// Two loops with one latch; the value of the outer one that the inner one reads is a new one where they meet.
func.func @shared(%x: f64, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  cf.br ^h(%x, %zero : f64, index)
^h(%r: f64, %i: index):
  %v = math.sin %r : f64
  cf.br ^c(%v, %i : f64, index)
^c(%s: f64, %j: index):
  %t = arith.mulf %s, %v : f64
  %w = arith.addf %t, %x : f64
  %j1 = arith.addi %j, %one : index
  %m = arith.remsi %j1, %three : index
  %z = arith.cmpi ne, %m, %zero : index
  %done = arith.cmpi sge, %j1, %n : index
  cf.cond_br %done, ^exit(%w : f64), ^d
^d:
  cf.cond_br %z, ^c(%w, %j1 : f64, index), ^h(%w, %j1 : f64, index)
^exit(%y: f64):
  return %y : f64
}

// Arrays that are carried; a return in the middle of the loop.
func.func @arrays(%xs: tensor<?xf64>, %x: f64) -> (tensor<?xf64>, f64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f64
  %n = tensor.dim %xs, %zero : tensor<?xf64>
  cf.br ^h(%xs, %zero, %f0 : tensor<?xf64>, index, f64)
^h(%ys: tensor<?xf64>, %i: index, %s: f64):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^b, ^e
^b:
  %y = tensor.extract %ys[%i] : tensor<?xf64>
  %p = arith.mulf %y, %x : f64
  %q = math.sin %p : f64
  %zs = tensor.insert %q into %ys[%i] : tensor<?xf64>
  %i1 = arith.addi %i, %one : index
  %t = arith.addf %s, %q : f64
  %two = arith.constant 2.0 : f64
  %big = arith.cmpf ogt, %t, %two : f64
  cf.cond_br %big, ^out, ^h(%zs, %i1, %t : tensor<?xf64>, index, f64)
^out:
  %u = arith.mulf %t, %x : f64
  return %ys, %u : tensor<?xf64>, f64
^e:
  return %ys, %s : tensor<?xf64>, f64
}

// The second derivative, through the tape: n (n - 1) x^(n - 2) [Z24].
// SECOND-5: 160.0
// SECOND-0: 0.0
func.func @pow_second(%x: f64, %n: index) -> f64 {
  %s = arith.constant 1.0 : f64
  %r:2 = ad.jvp @pow_gradient(%x, %n) seed(%s) : (f64, index), (f64) -> (f64, f64)
  return %r#1 : f64
}
// FIRST-5: 80.0
// FIRST-1: 1.0
// FIRST-0: 0.0
func.func @pow_gradient(%x: f64, %n: index) -> f64 {
  %s = arith.constant 1.0 : f64
  %r:2 = ad.vjp @pow(%x, %n) seed(%s) : (f64, index), (f64) -> (f64, f64)
  return %r#1 : f64
}
