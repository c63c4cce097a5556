// Derivatives through functions with an inverse are those without, to rounding, also of second order [Z17].
// RUN: %python %S/../../driver/Inputs/npy.py %t.x.npy '<f8' '(3,)' 0.5 2 -1
// RUN: %python %S/../../driver/Inputs/npy.py %t.y.npy '<f8' '(3,)' 0.1 0.2 0.3
// RUN: ad-opt check %s --entry=blocks --input=1.3 --input=0.2 --input=4
// RUN: ad-opt check %s --entry=blocks --input=1.3 --input=0.2 --input=1
// RUN: ad-opt check %s --entry=blocks --input=1.3 --input=0.2 --input=0
// RUN: ad-opt check %s --entry=blocks --input=1.3 --input=0.2 --input=4 --engine=interpreter
// RUN: ad-opt check %s --entry=read --input=1.3 --input=0.2 --input=4
// RUN: ad-opt check %s --entry=layers --input=%t.x.npy --input=%t.y.npy --input=4
// RUN: ad-opt check %s --entry=layers --input=%t.x.npy --input=%t.y.npy --input=0
// RUN: ad-opt check %s --entry=line --input=1.3 --input=0.2
// RUN: ad-opt check %s --entry=nest --input=1.3 --input=0.2 --input=3
// RUN: ad-opt check %s --entry=branch --input=1.3 --input=0.2 --input=4
// RUN: ad-opt check %s --entry=slope --input=1.3 --input=0.2 --input=3
// RUN: ad-opt run %s --entry=wrong --input=1.0 --input=2 | FileCheck %s

func.func private @scale(%x: f64, %w: f64) -> f64 attributes {ad.inverse = @unscale} {
  %s = math.exp %w : f64
  %y = arith.mulf %x, %s : f64
  return %y : f64
}
func.func private @unscale(%y: f64, %w: f64) -> f64 {
  %s = math.exp %w : f64
  %x = arith.divf %y, %s : f64
  return %x : f64
}
func.func @blocks(%x: f64, %w: f64, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  cf.br ^header(%x, %n : f64, index)
^header(%a: f64, %k: index):
  %more = arith.cmpi sgt, %k, %zero : index
  cf.cond_br %more, ^body, ^exit
^body:
  %b = func.call @scale(%a, %w) : (f64, f64) -> f64
  %k1 = arith.subi %k, %one : index
  cf.br ^header(%b, %k1 : f64, index)
^exit:
  return %a : f64
}
func.func @read(%x: f64, %w: f64, %n: index) -> (f64, f64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %s0 = arith.constant 0.0 : f64
  cf.br ^header(%x, %s0, %n : f64, f64, index)
^header(%a: f64, %s: f64, %k: index):
  %more = arith.cmpi sgt, %k, %zero : index
  cf.cond_br %more, ^body, ^exit
^body:
  %c = math.sin %a : f64
  %s1 = arith.addf %s, %c : f64
  %b = func.call @scale(%a, %w) : (f64, f64) -> f64
  %k1 = arith.subi %k, %one : index
  cf.br ^header(%b, %s1, %k1 : f64, f64, index)
^exit:
  return %a, %s : f64, f64
}
func.func private @couple(%x: tensor<?xf64>, %y: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
    attributes {ad.inverse = @uncouple} {
  %s = math.sin %x : tensor<?xf64>
  %z = arith.addf %y, %s : tensor<?xf64>
  return %z, %x : tensor<?xf64>, tensor<?xf64>
}
func.func private @uncouple(%z: tensor<?xf64>, %x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %s = math.sin %x : tensor<?xf64>
  %y = arith.subf %z, %s : tensor<?xf64>
  return %x, %y : tensor<?xf64>, tensor<?xf64>
}
func.func @layers(%x: tensor<?xf64>, %y: tensor<?xf64>, %n: index) -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<?xf64>, tensor<?xf64>) {
    %c:2 = func.call @couple(%a, %b) : (tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
    scf.yield %c#0, %c#1 : tensor<?xf64>, tensor<?xf64>
  }
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}
func.func @line(%x: f64, %w: f64) -> f64 {
  %a = func.call @scale(%x, %w) : (f64, f64) -> f64
  %b = func.call @scale(%a, %w) : (f64, f64) -> f64
  %t = math.sin %b : f64
  %c = func.call @scale(%t, %w) : (f64, f64) -> f64
  %d = arith.mulf %c, %b : f64
  return %d : f64
}
func.func @nest(%x: f64, %w: f64, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  cf.br ^outer(%x, %n : f64, index)
^outer(%a: f64, %k: index):
  %more = arith.cmpi sgt, %k, %zero : index
  cf.cond_br %more, ^inner(%a, %n : f64, index), ^exit
^inner(%b: f64, %j: index):
  %goes_on = arith.cmpi sgt, %j, %zero : index
  cf.cond_br %goes_on, ^body, ^after
^body:
  %c = func.call @scale(%b, %w) : (f64, f64) -> f64
  %j1 = arith.subi %j, %one : index
  cf.br ^inner(%c, %j1 : f64, index)
^after:
  %t = math.sin %b : f64
  %k1 = arith.subi %k, %one : index
  cf.br ^outer(%t, %k1 : f64, index)
^exit:
  return %a : f64
}
// The call does not run in every iteration.
func.func @branch(%x: f64, %w: f64, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  cf.br ^header(%x, %n : f64, index)
^header(%a: f64, %k: index):
  %more = arith.cmpi sgt, %k, %zero : index
  cf.cond_br %more, ^choice, ^exit
^choice:
  %rest = arith.remui %k, %two : index
  %is_even = arith.cmpi eq, %rest, %zero : index
  cf.cond_br %is_even, ^even, ^odd
^even:
  %b = func.call @scale(%a, %w) : (f64, f64) -> f64
  cf.br ^next(%b : f64)
^odd:
  %c = math.sin %a : f64
  cf.br ^next(%c : f64)
^next(%d: f64):
  %k1 = arith.subi %k, %one : index
  cf.br ^header(%d, %k1 : f64, index)
^exit:
  return %a : f64
}
func.func @slope(%x: f64, %w: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:3 = ad.vjp @blocks(%x, %w, %n) seed(%one) : (f64, f64, index), (f64) -> (f64, f64, f64)
  return %r#2 : f64
}

// The inverse is believed: here it says that each value was 10 before, so that the slope of x^4 is (2 * 10)^2.
func.func private @square(%x: f64) -> f64 attributes {ad.inverse = @ten} {
  %y = arith.mulf %x, %x : f64
  return %y : f64
}
func.func private @ten(%y: f64) -> f64 {
  %x = arith.constant 10.0 : f64
  return %x : f64
}
func.func private @squares(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> f64 {
    %b = func.call @square(%a) : (f64) -> f64
    scf.yield %b : f64
  }
  return %r : f64
}
// CHECK: 400.0
func.func @wrong(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @squares(%x, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %r#1 : f64
}
