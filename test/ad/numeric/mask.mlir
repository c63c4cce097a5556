// RUN: ad-opt run %s --entry=select --input=0.0 | FileCheck %s --check-prefix=ZERO
// RUN: ad-opt run %s --entry=select --input=4.0 | FileCheck %s --check-prefix=QUARTER
// RUN: ad-opt run %s --entry=branch --input=0.0 | FileCheck %s --check-prefix=ZERO
// RUN: ad-opt run %s --entry=branch --input=4.0 | FileCheck %s --check-prefix=QUARTER
// RUN: ad-opt run %s --entry=maximum --input=0.0 | FileCheck %s --check-prefix=ZERO
// RUN: ad-opt run %s --entry=overflow --input=1000.0 | FileCheck %s --check-prefix=ONE
// RUN: ad-opt run %s --entry=twice --input=0.0 | FileCheck %s --check-prefix=ZERO
//
// An operand that was not chosen contributes a zero that is never multiplied: the
// derivative of sqrt is infinite at 0, that of exp at 1000, and neither is taken.

// ZERO: {{^}}0.0
// QUARTER: {{^}}0.25
// ONE: {{^}}1.0

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
