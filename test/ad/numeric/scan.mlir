// RUN: ad-opt run %s --entry=inclusive | FileCheck %s --check-prefix=INC
// RUN: ad-opt run %s --entry=reversed | FileCheck %s --check-prefix=REV
// RUN: ad-opt run %s --entry=gradient | FileCheck %s --check-prefix=GRAD
// RUN: ad-opt check %s --entry=sums_of_products --input=0.5 --input=-1.25 --input=0.75
//
// Products 2, 6, 24 of 2, 3, 4. The suffixes without the element itself are 12, 4, 1.
func.func @inclusive() -> tensor<3xf64> {
  %xs = arith.constant dense<[2.0, 3.0, 4.0]> : tensor<3xf64>
  %one = arith.constant 1.0 : f64
  %ys = soac.scan ins(%xs : tensor<3xf64>) neutral(%one : f64) (%l: f64, %r: f64) {
    %0 = arith.mulf %l, %r : f64
    soac.yield %0 : f64
  }
  return %ys : tensor<3xf64>
}
// INC: [2.0, 6.0, 24.0]

func.func @reversed() -> tensor<3xf64> {
  %xs = arith.constant dense<[2.0, 3.0, 4.0]> : tensor<3xf64>
  %one = arith.constant 1.0 : f64
  %ys = soac.scan ins(%xs : tensor<3xf64>) neutral(%one : f64) (%l: f64, %r: f64)
      attributes {exclusive, reverse} {
    %0 = arith.mulf %l, %r : f64
    soac.yield %0 : f64
  }
  return %ys : tensor<3xf64>
}
// REV: [12.0, 4.0, 1.0]

func.func @sums_of_products(%a: f64, %b: f64, %c: f64) -> f64 {
  %xs = tensor.from_elements %a, %b, %c : tensor<3xf64>
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %ys = soac.scan ins(%xs : tensor<3xf64>) neutral(%one : f64) (%l: f64, %r: f64) {
    %0 = arith.mulf %l, %r : f64
    soac.yield %0 : f64
  }
  %s = soac.reduce ins(%ys : tensor<3xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %0 = arith.addf %l, %r : f64
    soac.yield %0 : f64
  }
  return %s : f64
}

// The sum a + ab + abc at 2, 0, 4: a zero in the array is no special case.
// d/da = 1 + b + bc = 1, d/db = a + ac = 10, d/dc = ab = 0.
func.func @gradient() -> (f64, f64, f64) {
  %a = arith.constant 2.0 : f64
  %b = arith.constant 0.0 : f64
  %c = arith.constant 4.0 : f64
  %one = arith.constant 1.0 : f64
  %r:4 = ad.vjp @sums_of_products(%a, %b, %c) seed(%one)
      : (f64, f64, f64), (f64) -> (f64, f64, f64, f64)
  return %r#1, %r#2, %r#3 : f64, f64, f64
}
// GRAD: 1.0
// GRAD-NEXT: 10.0
// GRAD-NEXT: 0.0
