// Loops that count in a short type run more often than its largest signed number: 40,000 times by 16 bits, or 200 times by 8
// bits without a sign. The number of an iteration was taken for negative, so that a tape was written in front of its
// beginning, and an unsigned loop did not run at all. x + x n is what they make, so that the derivative is n + 1.
//
// RUN: ad-opt run %s --entry=signed_gradient --input=0.5 --input=-20000 --input=20000 | FileCheck %s --check-prefix=SIGNED
// RUN: ad-opt run %s --entry=unsigned_gradient --input=0.5 --input=0 --input=200 | FileCheck %s --check-prefix=UNSIGNED
// RUN: ad-opt run %s --entry=unsigned_tangent --input=0.5 --input=0 --input=200 | FileCheck %s --check-prefix=UNSIGNED
// RUN: ad-opt check %s --entry=unsigned --input=0.5 --input=0 --input=200
// SIGNED: 20000.5
// SIGNED-NEXT: 40001.0
// UNSIGNED: 100.5
// UNSIGNED-NEXT: 201.0

func.func @signed(%x: f64, %low: i16, %high: i16) -> f64 {
  %one = arith.constant 1 : i16
  %r = scf.for %i = %low to %high step %one iter_args(%sum = %x) -> f64 : i16 {
    %square = arith.mulf %sum, %sum : f64
    %root = math.sqrt %square : f64
    %next = arith.addf %root, %x : f64
    scf.yield %next : f64
  }
  return %r : f64
}

func.func @signed_gradient(%x: f64, %low: i16, %high: i16) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @signed(%x, %low, %high) seed(%one) : (f64, i16, i16), (f64) -> (f64, f64)
  return %y, %x_bar : f64, f64
}

func.func @unsigned(%x: f64, %low: i8, %high: i8) -> f64 {
  %one = arith.constant 1 : i8
  %r = scf.for unsigned %i = %low to %high step %one iter_args(%sum = %x) -> f64 : i8 {
    %square = arith.mulf %sum, %sum : f64
    %root = math.sqrt %square : f64
    %next = arith.addf %root, %x : f64
    scf.yield %next : f64
  }
  return %r : f64
}

func.func @unsigned_gradient(%x: f64, %low: i8, %high: i8) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @unsigned(%x, %low, %high) seed(%one) : (f64, i8, i8), (f64) -> (f64, f64)
  return %y, %x_bar : f64, f64
}

func.func @unsigned_tangent(%x: f64, %low: i8, %high: i8) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %y, %x_dot = ad.jvp @unsigned(%x, %low, %high) seed(%one) {wrt = array<i64: 0>} : (f64, i8, i8), (f64) -> (f64, f64)
  return %y, %x_dot : f64, f64
}
