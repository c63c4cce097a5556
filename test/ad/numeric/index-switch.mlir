// Derivatives of scf.index_switch and scf.execute_region agree with central differences
// and with each other.
// RUN: ad-opt check %s --entry=f --input=0 --input=0.7 --input=1.3
// RUN: ad-opt check %s --entry=f --input=2 --input=0.7 --input=1.3
// RUN: ad-opt check %s --entry=f --input=2 --input=0.7 --input=1.3 --engine=interpreter
// RUN: ad-opt check %s --entry=f --input=5 --input=0.7 --input=1.3
// RUN: ad-opt check %s --entry=f --input=5 --input=0.7 --input=1.3 --engine=interpreter
// Cases that follow each other, and what is beside them on either side: halves are chosen.
// DEFINE: %{slope} = ad-opt run %s --entry=slope --input=2.0
// RUN: %{slope} --input=-2 | FileCheck %s --check-prefix=LAST
// RUN: %{slope} --input=-1 | FileCheck %s --check-prefix=FIRST
// RUN: %{slope} --input=0 | FileCheck %s --check-prefix=ZERO
// RUN: %{slope} --input=1 | FileCheck %s --check-prefix=ONE
// RUN: %{slope} --input=2 | FileCheck %s --check-prefix=TWO
// RUN: %{slope} --input=3 | FileCheck %s --check-prefix=THREE
// RUN: %{slope} --input=4 | FileCheck %s --check-prefix=LAST
// RUN: ad-opt check %s --entry=many --input=0.7 --input=3 --engine=interpreter
// RUN: ad-opt check %s --entry=pullback --input=2 --input=0.7 --input=1.3

func.func @f(%i: index, %x: f64, %y: f64) -> (f64, f64) {
  %r:2 = scf.index_switch %i -> f64, f64
  case 0 {
    %p = arith.mulf %x, %y : f64
    scf.yield %p, %x : f64, f64
  }
  case 2 {
    %s = scf.execute_region -> f64 {
      %t = math.sin %x : f64
      scf.yield %t : f64
    }
    %p = arith.mulf %s, %s : f64
    scf.yield %p, %y : f64, f64
  }
  default {
    %e = math.exp %y : f64
    scf.yield %e, %e : f64, f64
  }
  return %r#0, %r#1 : f64, f64
}

// Second order.
func.func @pullback(%i: index, %x: f64, %y: f64) -> (f64, f64) {
  %r:4 = ad.vjp @f(%i, %x, %y) seed(%x, %y) : (index, f64, f64), (f64, f64) -> (f64, f64, f64, f64)
  return %r#2, %r#3 : f64, f64
}

// FIRST: 2.0
// ZERO: 3.0
// ONE: 4.0
// TWO: 12.0
// THREE: -0.25
// LAST: 1.0
func.func @slope(%x: f64, %i: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %bar = ad.vjp @many(%x, %i) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %bar : f64
}

func.func @many(%x: f64, %i: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %three = arith.constant 3.0 : f64
  %y = scf.index_switch %i -> f64
  case 2 {
    %square = arith.mulf %x, %x : f64
    %cube = arith.mulf %square, %x : f64
    scf.yield %cube : f64
  }
  case 0 {
    %p = arith.mulf %x, %three : f64
    scf.yield %p : f64
  }
  case -1 {
    %p = arith.mulf %x, %two : f64
    scf.yield %p : f64
  }
  case 3 {
    %q = arith.divf %one, %x : f64
    scf.yield %q : f64
  }
  case 1 {
    %square = arith.mulf %x, %x : f64
    scf.yield %square : f64
  }
  default {
    scf.yield %x : f64
  }
  return %y : f64
}
