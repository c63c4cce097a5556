// The gradient of a recurrent network on an emulated GPU has the CPU's values, for any number of steps: states are made in
// the rows that are kept, but for the first and the last one.
//
// RUN: %python %S/../bench/Inputs/compare_targets.py %s --entry=gradient --tolerance=1e-12 --range=-1:1 \
// RUN:   '<f8(3,4) <f8(4,4) <f8(0,5,3) <f8(5,4)' '<f8(3,4) <f8(4,4) <f8(1,5,3) <f8(5,4)' \
// RUN:   '<f8(3,4) <f8(4,4) <f8(2,5,3) <f8(5,4)' '<f8(3,4) <f8(4,4) <f8(9,5,3) <f8(5,4)' \
// RUN:   '<f8(3,4) <f8(4,4) <f8(9,1,3) <f8(1,4)'
//
// DEFINE: %{kernels} = --pass-pipeline='builtin.module(symbol-dce,ad-optimize,ad-make-kernels,ad-lower-to-kernel-buffers)' \
// DEFINE:              --remarks-filter-analyse='ad-make-in-place' -o /dev/null
// RUN: ad-opt %s %{kernels} 2>&1 | FileCheck %s
// CHECK: rare | Category:ad-make-in-place | count=1
//
// In the gradient of an LSTM (F61) these are hidden values and cells; the cotangents of the gates of all steps are where they are
// multiplied, once for each of two ways to make them.
// RUN: ad-opt %S/../../bench/programs/lstm_batched.mlir %{kernels} 2>&1 | FileCheck %s --check-prefix=LSTM
// LSTM: copies | Category:ad-make-in-place | count=2
// LSTM: rare | Category:ad-make-in-place | count=2

func.func private @matmul(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %m = tensor.dim %a, %c0 : tensor<?x?xf64>
  %n = tensor.dim %b, %c1 : tensor<?x?xf64>
  %c = tensor.splat %zero[%m, %n] : tensor<?x?xf64>
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf64>, tensor<?x?xf64>) outs(%c : tensor<?x?xf64>) -> tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}

// h = sin(x[t] W + h U), with both halves of the units exchanged; the sum of the squares of all sums of h. The derivative of
// the sine reads the sum, which is saved, and not h.
func.func @objective(%W: tensor<?x?xf64>, %U: tensor<?x?xf64>, %xs: tensor<?x?x?xf64>, %h0: tensor<?x?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %xs, %c0 : tensor<?x?x?xf64>
  %bs = tensor.dim %h0, %c0 : tensor<?x?xf64>
  %h = tensor.dim %h0, %c1 : tensor<?x?xf64>
  %zx = soac.map ins(%xs : tensor<?x?x?xf64>) (%x: tensor<?x?xf64>) -> tensor<?x?x?xf64> {
    %xW = func.call @matmul(%x, %W) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
    soac.yield %xW : tensor<?x?xf64>
  }
  %half = arith.divui %h, %c2 : index
  %units = soac.iota %h : tensor<?xindex>
  %total, %last = scf.for %t = %c0 to %n step %c1 iter_args(%sum = %zero, %hidden = %h0) -> (f64, tensor<?x?xf64>) {
    %xW = tensor.extract_slice %zx[%t, 0, 0] [1, %bs, %h] [1, 1, 1] : tensor<?x?x?xf64> to tensor<?x?xf64>
    %hU = func.call @matmul(%hidden, %U) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
    %z = arith.addf %xW, %hU : tensor<?x?xf64>
    %next, %errors = soac.map ins(%z : tensor<?x?xf64>) (%row: tensor<?xf64>) -> (tensor<?x?xf64>, tensor<?xf64>) {
      %new = soac.map ins(%units : tensor<?xindex>) (%j: index) -> tensor<?xf64> {
        %is_low = arith.cmpi ult, %j, %half : index
        %up = arith.addi %j, %half : index
        %down = arith.subi %j, %half : index
        %i = arith.select %is_low, %up, %down : index
        %y = tensor.extract %row[%i] : tensor<?xf64>
        %v = math.sin %y : f64
        soac.yield %v : f64
      }
      %e = soac.reduce ins(%new : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
        %s = arith.addf %a, %b : f64
        soac.yield %s : f64
      }
      soac.yield %new, %e : tensor<?xf64>, f64
    }
    %error = soac.reduce ins(%errors : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %s = arith.addf %a, %b : f64
      soac.yield %s : f64
    }
    %square = arith.mulf %error, %error : f64
    %sum_1 = arith.addf %sum, %square : f64
    scf.yield %sum_1, %next : f64, tensor<?x?xf64>
  }
  return %total : f64
}

func.func @gradient(%W: tensor<?x?xf64>, %U: tensor<?x?xf64>, %xs: tensor<?x?x?xf64>, %h0: tensor<?x?xf64>)
    -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %one = arith.constant 1.0 : f64
  %total, %W_bar, %U_bar, %h_bar = ad.vjp @objective(%W, %U, %xs, %h0) seed(%one) {wrt = array<i64: 0, 1, 3>}
      : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?x?xf64>, tensor<?x?xf64>), (f64)
      -> (f64, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
  return %W_bar, %U_bar, %h_bar : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}
