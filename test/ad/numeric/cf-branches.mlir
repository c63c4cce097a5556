// Derivatives of branches between blocks agree with central differences and with each other
// [Z05, Z09, Z10, Z11, Z12, Z37].
// RUN: ad-opt check %s --entry=leaky --input=2.5
// RUN: ad-opt check %s --entry=leaky --input=-1.5
// RUN: ad-opt check %s --entry=returns --input=0 --input=0.7 --input=1.3
// RUN: ad-opt check %s --entry=returns --input=1 --input=0.7 --input=1.3
// RUN: ad-opt check %s --entry=returns --input=5 --input=0.7 --input=1.3
// RUN: ad-opt check %s --entry=returns --input=7 --input=0.7 --input=1.3
// RUN: ad-opt check %s --entry=twice --input=true --input=0.7 --input=1.3
// RUN: ad-opt check %s --entry=twice --input=false --input=0.7 --input=1.3
// RUN: ad-opt check %s --entry=diamonds --input=0.7 --input=0.6
// RUN: ad-opt check %s --entry=diamonds --input=0.7 --input=1.4
// RUN: ad-opt check %s --entry=diamonds --input=1.7 --input=0.6
// RUN: ad-opt check %s --entry=diamonds --input=1.7 --input=1.4
// RUN: ad-opt check %s --entry=root --input=4
// RUN: ad-opt run %s --entry=root_gradient --input=0 | FileCheck %s --check-prefix=AT-0

// The function of ZYG 3.1, with a block argument.
func.func @leaky(%x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %slope = arith.constant 0.01 : f64
  %positive = arith.cmpf ogt, %x, %zero : f64
  cf.cond_br %positive, ^join(%x : f64), ^small
^small:
  %y = arith.mulf %slope, %x : f64
  cf.br ^join(%y : f64)
^join(%r: f64):
  return %r : f64
}

// Several returns behind a switch, of which two edges lead to one block.
func.func @returns(%c: i32, %x: f64, %y: f64) -> f64 {
  cf.switch %c : i32, [
    default: ^other(%x : f64),
    0: ^zero,
    1: ^one(%y : f64),
    5: ^other(%y: f64)
  ]
^zero:
  %e = math.exp %x : f64
  return %e : f64
^one(%v: f64):
  %p = arith.mulf %v, %x : f64
  %q = math.sin %p : f64
  return %q : f64
^other(%w: f64):
  %z = arith.mulf %w, %w : f64
  return %z : f64
}

// Both edges of a branch lead to one block.
func.func @twice(%c: i1, %x: f64, %y: f64) -> f64 {
  %e = math.exp %x : f64
  cf.cond_br %c, ^next(%e, %y : f64, f64), ^next(%y, %y : f64, f64)
^next(%a: f64, %b: f64):
  %p = arith.mulf %a, %b : f64
  %q = arith.mulf %p, %e : f64
  return %q : f64
}

// Values of one branch are read in another one; a result is read and returned.
func.func @diamonds(%x: f64, %y: f64) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %c = arith.cmpf ogt, %x, %one : f64
  cf.cond_br %c, ^a, ^b
^a:
  %s = math.sin %x : f64
  %k = arith.mulf %s, %y : f64
  cf.br ^c(%k, %s : f64, f64)
^b:
  %l = math.log %x : f64
  cf.br ^c(%l, %y : f64, f64)
^c(%u: f64, %v: f64):
  %d = arith.cmpf ogt, %y, %one : f64
  cf.cond_br %d, ^e, ^f(%u : f64)
^e:
  %m = arith.mulf %u, %v : f64
  %t = math.tanh %m : f64
  %g = arith.cmpf ogt, %t, %one : f64
  cf.cond_br %g, ^f(%t : f64), ^h
^h:
  %n = arith.divf %t, %x : f64
  cf.br ^f(%n : f64)
^f(%z: f64):
  %r = arith.mulf %z, %v : f64
  return %r, %u : f64, f64
}

// The square root and the logarithm are not chosen at 0, so their infinite derivatives do not matter.
func.func @root(%x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %r = math.sqrt %x : f64
  %l = math.log %x : f64
  %c = arith.cmpf ogt, %x, %zero : f64
  cf.cond_br %c, ^chosen, ^join(%x : f64)
^chosen:
  %p = arith.mulf %r, %l : f64
  cf.br ^join(%p : f64)
^join(%y: f64):
  return %y : f64
}
// AT-0: 1.0
func.func @root_gradient(%x: f64) -> f64 {
  %s = arith.constant 1.0 : f64
  %r:2 = ad.vjp @root(%x) seed(%s) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}
