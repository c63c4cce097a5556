// Operations without derivative in both modes: their results are constants, and nothing
// crashes. CHECKLIST FP12 (isnan, not, comparisons, clz and other bit operations).
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --ad-simplify --canonicalize --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'
// RUN: ad-opt run %s --entry=values --input=2.5 | FileCheck %s --check-prefix=VALUES

func.func private @steps(%x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %k = arith.constant 3 : i64
  %true = arith.constant true
  // Decisions by floats.
  %nan = math.isnan %x : f64
  %inf = math.isinf %x : f64
  %fin = math.isfinite %x : f64
  %nor = math.isnormal %x : f64
  %less = arith.cmpf olt, %x, %zero : f64
  %not = arith.xori %less, %true : i1
  %0 = arith.ori %nan, %inf : i1
  %1 = arith.andi %fin, %nor : i1
  %2 = arith.xori %0, %1 : i1
  %3 = arith.andi %2, %not : i1
  // Bits of a float, and integers.
  %bits = arith.bitcast %x : f64 to i64
  %clz = math.ctlz %bits : i64
  %ctz = math.cttz %bits : i64
  %pop = math.ctpop %bits : i64
  %n = arith.fptosi %x : f64 to i64
  %abs = math.absi %n : i64
  %pow = math.ipowi %abs, %k : i64
  %4 = arith.addi %clz, %ctz : i64
  %5 = arith.addi %4, %pop : i64
  %6 = arith.addi %5, %pow : i64
  %7 = arith.shli %6, %k : i64
  %f = arith.sitofp %7 : i64 to f64
  %b = arith.uitofp %3 : i1 to f64
  // Steps.
  %floor = math.floor %x : f64
  %ceil = math.ceil %x : f64
  %round = math.round %x : f64
  %even = math.roundeven %x : f64
  %trunc = math.trunc %x : f64
  %8 = arith.addf %f, %b : f64
  %9 = arith.addf %8, %floor : f64
  %10 = arith.addf %9, %ceil : f64
  %11 = arith.addf %10, %round : f64
  %12 = arith.addf %11, %even : f64
  %13 = arith.addf %12, %trunc : f64
  return %13 : f64
}

// CHECK-LABEL: func.func @steps_vjp(
// CHECK-NEXT: %[[ZERO:.+]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT: return %[[ZERO]] : f64
func.func @steps_vjp(%x: f64, %y_bar: f64) -> f64 {
  %r:2 = ad.vjp @steps(%x) seed(%y_bar) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}

// CHECK-LABEL: func.func @steps_jvp(
// CHECK-NEXT: %[[ZERO:.+]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT: return %[[ZERO]] : f64
func.func @steps_jvp(%x: f64, %x_dot: f64) -> f64 {
  %r:2 = ad.jvp @steps(%x) seed(%x_dot) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}

// What is multiplied by a decision passes: x (x > 0) floor(x) has derivative 2 at 2.5.
func.func private @mixed(%x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %c = arith.cmpf ogt, %x, %zero : f64
  %b = arith.uitofp %c : i1 to f64
  %f = math.floor %x : f64
  %0 = arith.mulf %x, %b : f64
  %1 = arith.mulf %0, %f : f64
  return %1 : f64
}
// VALUES: {{^}}2.0{{$}}
// VALUES-NEXT: {{^}}2.0{{$}}
func.func @values(%x: f64) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @mixed(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  %q:2 = ad.jvp @mixed(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %r#1, %q#1 : f64, f64
}
