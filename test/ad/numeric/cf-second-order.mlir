// Reverse mode of what reverse mode makes of loops of blocks: tapes of cotangents beside tapes [Z24, M02].
// RUN: ad-opt check %s --entry=pow_gradient --input=1.3 --input=0
// RUN: ad-opt check %s --entry=pow_gradient --input=1.3 --input=5
// RUN: ad-opt check %s --entry=nest_gradient --input=1.3 --input=3 --input=4
// RUN: ad-opt check %s --entry=nest_gradient --input=1.3 --input=0 --input=3
// RUN: ad-opt check %s --entry=irreducible_gradient --input=true --input=1.1 --input=5
// RUN: ad-opt check %s --entry=irreducible_gradient --input=false --input=1.1 --input=8
// RUN: ad-opt check %s --entry=shared_gradient --input=0.4 --input=7
// RUN: ad-opt check %s --entry=shared_gradient --input=0.4 --input=10
// RUN: ad-opt check %s --entry=after_gradient --input=0.4 --input=3 --input=2
// The same from a file in which the first derivative has been made: the tape of the second loop is created after the first.
// RUN: ad-opt %s --ad-optimize -o %t.first.mlir
// RUN: FileCheck %s --check-prefix=FIRST --input-file=%t.first.mlir
// RUN: ad-opt check %t.first.mlir --entry=after_gradient --input=0.4 --input=3 --input=2
// RUN: ad-opt check %t.first.mlir --entry=after_gradient --input=0.4 --input=0 --input=2 --engine=interpreter
// RUN: ad-opt run %s --entry=pow_third --input=2 --input=5 | FileCheck %s
// CHECK: 240.0

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
func.func @pow_gradient(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %bar = ad.vjp @pow(%x, %n) seed(%one) {wrt = array<i64: 0>} : (f64, index), (f64) -> (f64, f64)
  return %bar : f64
}

func.func @pow_second(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %bar = ad.vjp @pow_gradient(%x, %n) seed(%one) {wrt = array<i64: 0>} : (f64, index), (f64) -> (f64, f64)
  return %bar : f64
}

// 60 x^2
func.func @pow_third(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %bar = ad.vjp @pow_second(%x, %n) seed(%one) {wrt = array<i64: 0>} : (f64, index), (f64) -> (f64, f64)
  return %bar : f64
}

func.func @nest_gradient(%x: f64, %n: index, %m: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %bar = ad.vjp @nest(%x, %n, %m) seed(%one) {wrt = array<i64: 0>} : (f64, index, index), (f64) -> (f64, f64)
  return %bar : f64
}

func.func @irreducible_gradient(%c: i1, %x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %bar = ad.vjp @irreducible(%c, %x, %n) seed(%one) {wrt = array<i64: 1>} : (i1, f64, index), (f64) -> (f64, f64)
  return %bar : f64
}

func.func @shared_gradient(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %bar = ad.vjp @shared(%x, %n) seed(%one) {wrt = array<i64: 0>} : (f64, index), (f64) -> (f64, f64)
  return %bar : f64
}

// FIRST-LABEL: func.func @after_gradient(
// FIRST: cf.cond_br
// FIRST: ad.tape_create
// FIRST: return
func.func @after_gradient(%x: f64, %n: index, %m: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %bar = ad.vjp @pow(%x, %n) seed(%one) {wrt = array<i64: 0>} : (f64, index), (f64) -> (f64, f64)
  %z, %second = ad.vjp @pow(%bar, %m) seed(%y) {wrt = array<i64: 0>} : (f64, index), (f64) -> (f64, f64)
  return %second : f64
}
