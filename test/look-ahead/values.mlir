// Scans of small whole numbers, which are exact in any order, are the same as in one step after the other, whatever is
// left of four steps; and the derivative of one in another follows the rules. [F34, F37]
// RUN: ad-opt run %s --entry=differences --input=0 | FileCheck %s
// RUN: ad-opt run %s --entry=differences --input=1 | FileCheck %s
// RUN: ad-opt run %s --entry=differences --input=3 | FileCheck %s
// RUN: ad-opt run %s --entry=differences --input=4 | FileCheck %s
// RUN: ad-opt run %s --entry=differences --input=5 | FileCheck %s
// RUN: ad-opt run %s --entry=differences --input=19 | FileCheck %s
// RUN: ad-opt check %s --entry=weighted --input=7 --input=1.01 | FileCheck %s --check-prefix=RULES

// CHECK: {{^}}0.0
// CHECK-NEXT: {{^}}0.0
// CHECK-NEXT: {{^}}0.0
// RULES: ok

// Elements 1, 2 and 1/2 in turn, and 3.
func.func private @factors(%n: index) -> tensor<?xf64> {
  %xs = tensor.generate %n {
  ^bb0(%i: index):
    %c3 = arith.constant 3 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f64
    %two = arith.constant 2.0 : f64
    %half = arith.constant 0.5 : f64
    %k = arith.remui %i, %c3 : index
    %is0 = arith.cmpi eq, %k, %c0 : index
    %is1 = arith.cmpi eq, %k, %c1 : index
    %other = arith.select %is1, %two, %half : f64
    %x = arith.select %is0, %one, %other : f64
    tensor.yield %x : f64
  } : tensor<?xf64>
  return %xs : tensor<?xf64>
}

func.func private @product(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %ys = soac.scan ins(%xs : tensor<?xf64>) neutral(%one : f64) (%a: f64, %b: f64) {
    %c = arith.mulf %a, %b : f64
    soac.yield %c : f64
  }
  return %ys : tensor<?xf64>
}

// The same from the last element on, each sum without its own.
func.func private @sum(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %ys = soac.scan ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) attributes {exclusive, reverse} {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %ys : tensor<?xf64>
}

// h = x h + x.
func.func private @linear(%as: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %fs, %hs = soac.scan ins(%as, %as : tensor<?xf64>, tensor<?xf64>) neutral(%one, %zero : f64, f64)
      (%fa: f64, %fb: f64, %ga: f64, %gb: f64) {
    %a = arith.mulf %ga, %fa : f64
    %scaled = arith.mulf %ga, %fb : f64
    %b = arith.addf %scaled, %gb : f64
    soac.yield %a, %b : f64, f64
  }
  return %hs : tensor<?xf64>
}

// Each scan against a loop over single elements.
func.func @differences(%n: index) -> (f64, f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %xs = func.call @factors(%n) : (index) -> tensor<?xf64>
  %ps = func.call @product(%xs) : (tensor<?xf64>) -> tensor<?xf64>
  %ss = func.call @sum(%xs) : (tensor<?xf64>) -> tensor<?xf64>
  %hs = func.call @linear(%xs) : (tensor<?xf64>) -> tensor<?xf64>
  %last = arith.subi %n, %c1 : index
  %all:6 = scf.for %i = %c0 to %n step %c1
      iter_args(%p = %one, %s = %zero, %h = %zero, %dp = %zero, %ds = %zero, %dh = %zero)
      -> (f64, f64, f64, f64, f64, f64) {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %back = arith.subi %last, %i : index
    %from_end = tensor.extract %xs[%back] : tensor<?xf64>
    %p1 = arith.mulf %p, %x : f64
    %s1 = arith.addf %s, %from_end : f64
    %xh = arith.mulf %x, %h : f64
    %h1 = arith.addf %xh, %x : f64
    %y = tensor.extract %ps[%i] : tensor<?xf64>
    %z = tensor.extract %ss[%back] : tensor<?xf64>
    %w = tensor.extract %hs[%i] : tensor<?xf64>
    %ep = arith.subf %y, %p1 : f64
    %es = arith.subf %z, %s : f64
    %eh = arith.subf %w, %h1 : f64
    %ap = math.absf %ep : f64
    %as = math.absf %es : f64
    %ah = math.absf %eh : f64
    %dp1 = arith.addf %dp, %ap : f64
    %ds1 = arith.addf %ds, %as : f64
    %dh1 = arith.addf %dh, %ah : f64
    scf.yield %p1, %s1, %h1, %dp1, %ds1, %dh1 : f64, f64, f64, f64, f64, f64
  }
  return %all#3, %all#4, %all#5 : f64, f64, f64
}

// The derivative of a product scan takes scans in both directions.
func.func @weighted(%n: index, %x: f64) -> tensor<?xf64> {
  %ones = func.call @factors(%n) : (index) -> tensor<?xf64>
  %xs = soac.map ins(%ones : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
    %b = arith.mulf %a, %x : f64
    soac.yield %b : f64
  }
  %ps = func.call @product(%xs) : (tensor<?xf64>) -> tensor<?xf64>
  %hs = func.call @linear(%ps) : (tensor<?xf64>) -> tensor<?xf64>
  return %hs : tensor<?xf64>
}
