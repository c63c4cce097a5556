// RUN: ad-opt run %s --entry=select --input=0.0 | FileCheck %s --check-prefix=ZERO
// RUN: ad-opt run %s --entry=select --input=4.0 | FileCheck %s --check-prefix=QUARTER
// RUN: ad-opt run %s --entry=branch --input=0.0 | FileCheck %s --check-prefix=ZERO
// RUN: ad-opt run %s --entry=branch --input=4.0 | FileCheck %s --check-prefix=QUARTER
// RUN: ad-opt run %s --entry=maximum --input=0.0 | FileCheck %s --check-prefix=ZERO
// RUN: ad-opt run %s --entry=overflow --input=1000.0 | FileCheck %s --check-prefix=ONE
// RUN: ad-opt run %s --entry=twice --input=0.0 | FileCheck %s --check-prefix=ZERO
// RUN: ad-opt run %s --entry=square --input=0.0 | FileCheck %s --check-prefix=ONE
// RUN: ad-opt run %s --entry=sinc --input=0.0 | FileCheck %s --check-prefix=ZERO
// RUN: ad-opt run %s --entry=either --input=0.0 | FileCheck %s --check-prefix=ZERO
// RUN: ad-opt run %s --entry=either --input=0.5 | FileCheck %s --check-prefix=TWO
//
// An operand that was not chosen contributes a zero that is never multiplied: the
// derivative of sqrt is infinite at 0, that of exp at 1000, and neither is taken.

// ZERO: {{^}}0.0
// QUARTER: {{^}}0.25
// ONE: {{^}}1.0
// TWO: {{^}}2.0

func.func @choose(%x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %positive = arith.cmpf ogt, %x, %zero : f64
  %root = math.sqrt %x : f64
  %y = arith.select %positive, %root, %zero : f64
  return %y : f64
}
func.func @select(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y:2 = ad.vjp @choose(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %y#1 : f64
}

func.func @one_branch(%x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %positive = arith.cmpf ogt, %x, %zero : f64
  %root = math.sqrt %x : f64
  %y = scf.if %positive -> f64 {
    scf.yield %root : f64
  } else {
    scf.yield %zero : f64
  }
  return %y : f64
}
func.func @branch(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y:2 = ad.vjp @one_branch(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %y#1 : f64
}

func.func @larger(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %root = math.sqrt %x : f64
  %y = arith.maximumf %root, %one : f64
  return %y : f64
}
func.func @maximum(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y:2 = ad.vjp @larger(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %y#1 : f64
}

// exp where it is small, x itself elsewhere; the masked zero passes two operations.
func.func @soft(%x: f64) -> f64 {
  %limit = arith.constant 30.0 : f64
  %small = arith.cmpf olt, %x, %limit : f64
  %e = math.exp %x : f64
  %f = math.exp %e : f64
  %y = arith.select %small, %f, %x : f64
  return %y : f64
}
func.func @overflow(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y:2 = ad.vjp @soft(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %y#1 : f64
}

// The derivative of the derivative is masked too.
func.func @twice(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y:2 = ad.vjp @select(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %y#1 : f64
}

// What is used twice gets two zeros, whose sum is not multiplied either.
func.func @squared(%x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %r = math.log %x : f64
  %s = arith.mulf %r, %r : f64
  %p = arith.cmpf ogt, %x, %zero : f64
  %y = arith.select %p, %s, %x : f64
  return %y : f64
}
func.func @square(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y:2 = ad.vjp @squared(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %y#1 : f64
}
func.func @sine_over(%u: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %r = math.sqrt %u : f64
  %s = math.sin %r : f64
  %q = arith.divf %s, %r : f64
  %p = arith.cmpf oeq, %r, %zero : f64
  %y = arith.select %p, %one, %q : f64
  return %y : f64
}
func.func @sinc(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y:2 = ad.vjp @sine_over(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %y#1 : f64
}

// Zeros of two choices: only where neither chose it is the sum one.
func.func @two_choices(%x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %r = math.log %x : f64
  %p = arith.cmpf ogt, %x, %zero : f64
  %q = arith.cmpf ogt, %x, %one : f64
  %a = arith.select %p, %r, %zero : f64
  %b = arith.select %q, %r, %one : f64
  %y = arith.addf %a, %b : f64
  return %y : f64
}
func.func @either(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y:2 = ad.vjp @two_choices(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %y#1 : f64
}
