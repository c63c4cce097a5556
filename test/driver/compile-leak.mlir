// A million calls leave no memory behind: tapes of loops, branches that give new buffers, histograms,
// and arrays with private sums.
// RUN: rm -rf %t && mkdir %t
// RUN: ad-opt compile %s --entry=gradient -o %t/gradient.so
// RUN: cc -std=c99 -Wall -Wextra -Werror -I%t %S/Inputs/leak.c %t/gradient.so -Wl,-rpath,%t -o %t/leak
// RUN: %t/leak | FileCheck %s
// CHECK: 1000000 calls: 0 bytes more

func.func private @objective(%x: tensor<?xf64>, %ix: tensor<?xi64>, %steps: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %walked = scf.for %i = %c0 to %steps step %c1 iter_args(%v = %x) -> (tensor<?xf64>) {
    %first = tensor.extract %v[%c0] : tensor<?xf64>
    %is_large = arith.cmpf ogt, %first, %zero : f64
    %next = scf.if %is_large -> (tensor<?xf64>) {
      %s = soac.map ins(%v : tensor<?xf64>) (%e: f64) -> tensor<?xf64> {
        %sin = math.sin %e : f64
        %p = arith.mulf %sin, %e : f64
        soac.yield %p : f64
      }
      scf.yield %s : tensor<?xf64>
    } else {
      %s = soac.scan ins(%v : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
        %c = arith.addf %a, %b : f64
        soac.yield %c : f64
      }
      scf.yield %s : tensor<?xf64>
    }
    scf.yield %next : tensor<?xf64>
  }
  %empty = tensor.splat %zero[%n] : tensor<?xf64>
  %h = soac.hist at(%ix : tensor<?xi64>) ins(%walked : tensor<?xf64>)
      into(%empty : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  %dots = soac.map ins(%h : tensor<?xf64>) (%e: f64) -> tensor<?xf64> {
    %products = soac.map ins(%walked : tensor<?xf64>) (%w: f64) -> tensor<?xf64> {
      %p = arith.mulf %e, %w : f64
      %cos = math.cos %p : f64
      soac.yield %cos : f64
    }
    %d = soac.reduce ins(%products : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    soac.yield %d : f64
  }
  %y = soac.reduce ins(%dots : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %y : f64
}

func.func @gradient(%x: tensor<?xf64>, %ix: tensor<?xi64>, %steps: index) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @objective(%x, %ix, %steps) seed(%one) {wrt = array<i64: 0>}
      : (tensor<?xf64>, tensor<?xi64>, index), (f64) -> (f64, tensor<?xf64>)
  return %x_bar : tensor<?xf64>
}
