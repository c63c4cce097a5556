// Values that go to no bin, in some lanes and in all but one, and no bin at all: the gradient of a product by bins, by hand.
// RUN: ad-opt run %s --entry=some | FileCheck %s
// RUN: ad-opt run %s --entry=few | FileCheck %s --check-prefix=FEW
// RUN: ad-opt run %s --entry=none | FileCheck %s --check-prefix=NONE

// Bin 0 has 4, bin 1 has 2 * 8.
// CHECK: [80.0, 0.0, 1.0, 0.0, 20.0, 0.0]
func.func @some() -> tensor<?xf64> {
  %v = arith.constant dense<[2.0, 3.0, 4.0, 5.0, 8.0, 9.0]> : tensor<6xf64>
  %ix = arith.constant dense<[1, -1, 0, 7, 1, 2]> : tensor<6xi64>
  %w = arith.constant dense<[1.0, 10.0]> : tensor<2xf64>
  %vs = tensor.cast %v : tensor<6xf64> to tensor<?xf64>
  %ixs = tensor.cast %ix : tensor<6xi64> to tensor<?xi64>
  %ws = tensor.cast %w : tensor<2xf64> to tensor<?xf64>
  %r = call @gradient(%vs, %ixs, %ws) : (tensor<?xf64>, tensor<?xi64>, tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// FEW: [0.0, 0.0, 0.0, 0.0, 3.0]
func.func @few() -> tensor<?xf64> {
  %v = arith.constant dense<[2.0, 3.0, 4.0, 5.0, 8.0]> : tensor<5xf64>
  %ix = arith.constant dense<[-1, 2, 9, -7, 0]> : tensor<5xi64>
  %w = arith.constant dense<[3.0, 10.0]> : tensor<2xf64>
  %vs = tensor.cast %v : tensor<5xf64> to tensor<?xf64>
  %ixs = tensor.cast %ix : tensor<5xi64> to tensor<?xi64>
  %ws = tensor.cast %w : tensor<2xf64> to tensor<?xf64>
  %r = call @gradient(%vs, %ixs, %ws) : (tensor<?xf64>, tensor<?xi64>, tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// NONE: [0.0, 0.0, 0.0, 0.0, 0.0]
func.func @none() -> tensor<?xf64> {
  %v = arith.constant dense<[2.0, 3.0, 4.0, 5.0, 8.0]> : tensor<5xf64>
  %ix = arith.constant dense<[0, 1, 9, -7, 0]> : tensor<5xi64>
  %c0 = arith.constant 0 : index
  %vs = tensor.cast %v : tensor<5xf64> to tensor<?xf64>
  %ixs = tensor.cast %ix : tensor<5xi64> to tensor<?xi64>
  %ws = tensor.empty(%c0) : tensor<?xf64>
  %r = call @gradient(%vs, %ixs, %ws) : (tensor<?xf64>, tensor<?xi64>, tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

func.func private @objective(%v: tensor<?xf64>, %ix: tensor<?xi64>, %w: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %bins = tensor.dim %w, %c0 : tensor<?xf64>
  %into = tensor.splat %one[%bins] : tensor<?xf64>
  %h = soac.hist at(%ix : tensor<?xi64>) ins(%v : tensor<?xf64>) into(%into : tensor<?xf64>) neutral(%one : f64) (%a: f64, %b: f64) {
    %p = arith.mulf %a, %b : f64
    soac.yield %p : f64
  }
  %terms = soac.map ins(%h, %w : tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64) -> tensor<?xf64> {
    %p = arith.mulf %a, %b : f64
    soac.yield %p : f64
  }
  %sum = soac.reduce ins(%terms : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %s = arith.addf %a, %b : f64
    soac.yield %s : f64
  }
  return %sum : f64
}

func.func private @gradient(%v: tensor<?xf64>, %ix: tensor<?xi64>, %w: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %y, %v_bar = ad.vjp @objective(%v, %ix, %w) seed(%one) {wrt = array<i64: 0>} : (tensor<?xf64>, tensor<?xi64>, tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %v_bar : tensor<?xf64>
}
