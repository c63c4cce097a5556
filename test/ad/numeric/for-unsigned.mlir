// Derivatives of scf.for with unsigned bounds agree with central differences and with
// each other; the bounds are beyond the largest signed number, or apart by one step.
// RUN: ad-opt check %s --entry=f --input=0.7 --input=126 --input=131
// RUN: ad-opt check %s --entry=f --input=0.7 --input=126 --input=131 --engine=interpreter
// RUN: ad-opt check %s --entry=f --input=0.7 --input=3 --input=3
// RUN: ad-opt check %s --entry=f --input=0.7 --input=131 --input=126
// RUN: ad-opt check %s --entry=second --input=0.7 --input=126 --input=131
// RUN: ad-opt run %s --entry=f --input=3 --input=126 --input=131 | FileCheck %s

// i = 126, 128, 130: 3 + 126 * 3, then three times the like.
// CHECK: {{^}}6438519.0{{$}}
func.func @f(%x: f64, %l: i32, %u: i32) -> f64 {
  %s = arith.constant 2 : i8
  %lower = arith.trunci %l : i32 to i8
  %upper = arith.trunci %u : i32 to i8
  %y = scf.for unsigned %i = %lower to %upper step %s iter_args(%a = %x) -> f64 : i8 {
    %f = arith.uitofp %i : i8 to f64
    %p = arith.mulf %a, %f : f64
    %q = arith.addf %p, %a : f64
    scf.yield %q : f64
  }
  return %y : f64
}

// Second order.
func.func @second(%x: f64, %l: i32, %u: i32) -> f64 {
  %r:2 = ad.vjp @f(%x, %l, %u) seed(%x) : (f64, i32, i32), (f64) -> (f64, f64)
  return %r#1 : f64
}
