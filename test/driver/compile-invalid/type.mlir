// A type that cannot be passed, and a program that cannot be differentiated: nothing is written over.
// RUN: rm -rf %t && mkdir %t && echo before > %t/f.so && echo before > %t/f.h
// RUN: not ad-opt compile %s --entry=f -o %t/f.so 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not ad-opt compile %s --entry=g -o %t/f.so 2>&1 | FileCheck %s --check-prefix=DERIVATIVE
// RUN: cat %t/f.so %t/f.h | FileCheck %s --check-prefix=FILES
// RUN: ls -A %t | count 2

// FILES: before
// FILES-NEXT: before
// TYPE: :[[# @LINE + 2]]:{{.*}}error: argument 0 of @f has type vector<2xf64>, which cannot be passed
// TYPE: note: numbers can
func.func @f(%x: vector<2xf64>) -> vector<2xf64> {
  return %x : vector<2xf64>
}
// DERIVATIVE: error:
func.func private @unknown(f64) -> f64
func.func @h(%x: f64) -> f64 {
  %0 = func.call @unknown(%x) : (f64) -> f64
  return %0 : f64
}
func.func @g(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @h(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}
