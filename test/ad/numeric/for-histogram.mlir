// Histograms of two values into an array that a loop carries: what they overwrite is saved, not the array (F39, F54).
// RUN: %python %S/../../driver/Inputs/npy.py %t.x.npy '<f8' '(5,)' 0.5 1.5 0.7 0.3 1.2
// RUN: %python %S/../../driver/Inputs/npy.py %t.same.npy '<i8' '(2,)' 3 3
// RUN: %python %S/../../driver/Inputs/npy.py %t.ends.npy '<i8' '(2,)' 4 0
// RUN: %python %S/../../driver/Inputs/npy.py %t.outside.npy '<i8' '(2,)' -1 5
// RUN: %python %S/../../bench/Inputs/random_npy.py %t.large.npy '<f8' '(4000,)' 0.5 1.5 1
// RUN: ad-opt check %s --entry=products --input=%t.x.npy --input=%t.same.npy --input=4
// RUN: ad-opt check %s --entry=products --input=%t.x.npy --input=%t.ends.npy --input=4 --engine=interpreter
// RUN: ad-opt check %s --entry=products --input=%t.x.npy --input=%t.outside.npy --input=4
// RUN: ad-opt check %s --entry=products --input=%t.x.npy --input=%t.same.npy --input=0 --engine=interpreter
// RUN: ad-opt check %s --entry=pairs --input=%t.x.npy --input=%t.same.npy --input=4 --engine=interpreter
// RUN: ad-opt check %s --entry=pairs --input=%t.x.npy --input=%t.outside.npy --input=4
// RUN: ad-opt check %s --entry=pullback --input=%t.x.npy --input=%t.same.npy
// RUN: ad-opt run %s --entry=slopes --input=%t.large.npy --input=%t.ends.npy --input=3000 --repeat=1 2>&1 >/dev/null | FileCheck %s --check-prefix=BYTES

// Two products and the sine of an element in each iteration, of which the return sweep needs what was there. With a copy of
// the array for each iteration it would be 96 MB.
// BYTES: "peak_bytes":{{[0-9]{6},}}
func.func @slopes(%x: tensor<?xf64>, %is: tensor<2xi64>, %n: index) -> tensor<?xf64> {
  %y, %bar = ad.vjp @products(%x, %is, %n) seed(%x) {wrt = array<i64: 0>}
      : (tensor<?xf64>, tensor<2xi64>, index), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %bar : tensor<?xf64>
}

func.func @products(%x: tensor<?xf64>, %is: tensor<2xi64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<?xf64> {
    %v = tensor.extract %a[%i] : tensor<?xf64>
    %s = math.sin %v : f64
    %vs = tensor.from_elements %s, %v : tensor<2xf64>
    %b = soac.hist at(%is : tensor<2xi64>) ins(%vs : tensor<2xf64>) into(%a : tensor<?xf64>) neutral(%one : f64) (%l: f64, %q: f64) {
      %p = arith.mulf %l, %q : f64
      soac.yield %p : f64
    }
    scf.yield %b : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// Complex products of two arrays, one of them in a branch that an even iteration takes.
func.func @pairs(%x: tensor<?xf64>, %is: tensor<2xi64>, %n: index) -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%re = %x, %im = %x) -> (tensor<?xf64>, tensor<?xf64>) {
    %k = arith.remui %i, %c2 : index
    %is_even = arith.cmpi eq, %k, %c0 : index
    %b:2 = scf.if %is_even -> (tensor<?xf64>, tensor<?xf64>) {
      %u = tensor.extract %re[%i] : tensor<?xf64>
      %v = tensor.extract %im[%i] : tensor<?xf64>
      %us = tensor.from_elements %u, %v : tensor<2xf64>
      %vs = tensor.from_elements %v, %one : tensor<2xf64>
      %h:2 = soac.hist at(%is : tensor<2xi64>) ins(%us, %vs : tensor<2xf64>, tensor<2xf64>)
          into(%re, %im : tensor<?xf64>, tensor<?xf64>) neutral(%one, %zero : f64, f64) (%a: f64, %c: f64, %d: f64, %e: f64) {
        %ad = arith.mulf %a, %d : f64
        %ce = arith.mulf %c, %e : f64
        %ae = arith.mulf %a, %e : f64
        %cd = arith.mulf %c, %d : f64
        %p = arith.subf %ad, %ce : f64
        %q = arith.addf %ae, %cd : f64
        soac.yield %p, %q : f64, f64
      }
      scf.yield %h#0, %h#1 : tensor<?xf64>, tensor<?xf64>
    } else {
      scf.yield %re, %im : tensor<?xf64>, tensor<?xf64>
    }
    scf.yield %b#0, %b#1 : tensor<?xf64>, tensor<?xf64>
  }
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}

func.func @pullback(%x: tensor<?xf64>, %is: tensor<2xi64>) -> tensor<?xf64> {
  %c3 = arith.constant 3 : index
  %y, %bar = ad.vjp @products(%x, %is, %c3) seed(%x) {wrt = array<i64: 0>}
      : (tensor<?xf64>, tensor<2xi64>, index), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %bar : tensor<?xf64>
}
