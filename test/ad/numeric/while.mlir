// Derivatives of scf.while agree with central differences and with each other; F51 with a
// bound, F52 with an inspector.
// RUN: %python %S/../../driver/Inputs/npy.py %t.x4.npy '<f8' '(4,)' 0.5 1.5 3.7 2.1
// RUN: ad-opt check %s --entry=newton --input=2.5
// RUN: ad-opt check %s --entry=newton_bounded --input=2.5
// RUN: ad-opt check %s --entry=newton_single --input=2.5
// RUN: ad-opt check %s --entry=several --input=1.3 --input=4
// RUN: ad-opt check %s --entry=several --input=1.3 --input=0
// RUN: ad-opt check %s --entry=inside --input=%t.x4.npy
// RUN: ad-opt check %s --entry=newton_twice --input=2.5 --input=0.7
// RUN: ad-opt run %s --entry=newton --input=2.25 | FileCheck %s --check-prefix=ROOT
// RUN: ad-opt run %s --entry=newton_twice --input=2.25 --input=1.0 | FileCheck %s --check-prefix=SLOPE
// ROOT: 1.5
// SLOPE: 0.33333333

// The square root by Newton's method. The test is computed in the condition's region.
func.func @newton(%a: f64) -> f64 {
  %half = arith.constant 0.5 : f64
  %eps = arith.constant 1.0e-13 : f64
  %r = scf.while (%x = %a) : (f64) -> f64 {
    %s = arith.mulf %x, %x : f64
    %d = arith.subf %s, %a : f64
    %e = math.absf %d : f64
    %c = arith.cmpf ogt, %e, %eps : f64
    scf.condition(%c) %x : f64
  } do {
  ^bb0(%x: f64):
    %q = arith.divf %a, %x : f64
    %t = arith.addf %x, %q : f64
    %y = arith.mulf %t, %half : f64
    scf.yield %y : f64
  }
  return %r : f64
}

func.func @newton_bounded(%a: f64) -> f64 {
  %half = arith.constant 0.5 : f64
  %eps = arith.constant 1.0e-13 : f64
  %r = scf.while (%x = %a) : (f64) -> f64 {
    %s = arith.mulf %x, %x : f64
    %d = arith.subf %s, %a : f64
    %e = math.absf %d : f64
    %c = arith.cmpf ogt, %e, %eps : f64
    scf.condition(%c) %x : f64
  } do {
  ^bb0(%x: f64):
    %q = arith.divf %a, %x : f64
    %t = arith.addf %x, %q : f64
    %y = arith.mulf %t, %half : f64
    scf.yield %y : f64
  } attributes {ad.bound = 20 : i64}
  return %r : f64
}

func.func @newton_single(%a: f32) -> f32 {
  %half = arith.constant 0.5 : f32
  %ten = arith.constant 10 : i32
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %r:2 = scf.while (%x = %a, %k = %zero) : (f32, i32) -> (f32, i32) {
    %c = arith.cmpi slt, %k, %ten : i32
    scf.condition(%c) %x, %k : f32, i32
  } do {
  ^bb0(%x: f32, %k: i32):
    %q = arith.divf %a, %x : f32
    %t = arith.addf %x, %q : f32
    %y = arith.mulf %t, %half : f32
    %l = arith.addi %k, %one : i32
    scf.yield %y, %l : f32, i32
  }
  return %r#0 : f32
}

// The results differ from the initial values in number and type.
func.func @several(%x: f64, %n: index) -> (f64, f64) {
  %c1 = arith.constant 1 : index
  %r:3 = scf.while (%k = %n, %p = %x) : (index, f64) -> (f64, index, f64) {
    %c0 = arith.constant 0 : index
    %c = arith.cmpi ugt, %k, %c0 : index
    %s = math.sin %p : f64
    %t = arith.mulf %s, %x : f64
    scf.condition(%c) %t, %k, %p : f64, index, f64
  } do {
  ^bb0(%t: f64, %k: index, %p: f64):
    %l = arith.subi %k, %c1 : index
    %q = arith.mulf %t, %p : f64
    scf.yield %l, %q : index, f64
  }
  return %r#0, %r#2 : f64, f64
}

// A while loop in a map, and one in the other.
func.func @inside(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %r = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %ten = arith.constant 10.0 : f64
    %two = arith.constant 2.0 : f64
    %y = scf.while (%a = %x) : (f64) -> f64 {
      %c = arith.cmpf olt, %a, %ten : f64
      scf.condition(%c) %a : f64
    } do {
    ^bb0(%a: f64):
      %z = scf.while (%d = %a) : (f64) -> f64 {
        %c = arith.cmpf olt, %d, %two : f64
        %e = arith.mulf %d, %x : f64
        %f = arith.addf %e, %two : f64
        scf.condition(%c) %f : f64
      } do {
      ^bb0(%d: f64):
        scf.yield %d : f64
      }
      %g = arith.mulf %z, %a : f64
      scf.yield %g : f64
    }
    soac.yield %y : f64
  }
  return %r : tensor<?xf64>
}

// Second order.
func.func @newton_twice(%a: f64, %bar: f64) -> f64 {
  %r:2 = ad.vjp @newton(%a) seed(%bar) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}
