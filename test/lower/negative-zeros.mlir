// A maximum of numbers of which none is -0 need not tell zeros apart.
// RUN: ad-opt %s --pass-pipeline='builtin.module(lower-fast-math{flags=none})' | FileCheck %s
// RUN: ad-opt run %s --entry=values --input=-0.0 --input=0.0 | FileCheck %s --check-prefix=VALUES

// Squares, and bins that start from 0.
// CHECK-LABEL: func.func @squares(
// CHECK: arith.maximumf %{{.*}}, %{{.*}} fastmath<nsz> : f64
func.func @squares(%at: tensor<?xindex>, %xs: tensor<?xf64>) -> tensor<4xf64> {
  %zero = arith.constant 0.0 : f64
  %lowest = arith.constant 0xFFF0000000000000 : f64
  %start = tensor.splat %zero : tensor<4xf64>
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = arith.mulf %x, %x : f64
    soac.yield %y : f64
  }
  %h = soac.hist at(%at : tensor<?xindex>) ins(%ys : tensor<?xf64>) into(%start : tensor<4xf64>) neutral(%lowest : f64) (%l: f64, %r: f64) {
    %m = arith.maximumf %l, %r : f64
    soac.yield %m : f64
  }
  return %h : tensor<4xf64>
}

// One of the bins may be -0, and so may a product of two numbers, or the least number.
// CHECK-LABEL: func.func @start(
// CHECK: arith.maximumf %{{[^ ]*}}, %{{[^ ]*}} : f64
// CHECK-LABEL: func.func @products(
// CHECK: arith.minimumf %{{[^ ]*}}, %{{[^ ]*}} : f64
// CHECK-LABEL: func.func @neutral(
// CHECK: arith.maximumf %{{[^ ]*}}, %{{[^ ]*}} : f64
func.func @start(%at: tensor<?xindex>, %xs: tensor<?xf64>, %start: tensor<4xf64>) -> tensor<4xf64> {
  %lowest = arith.constant 0xFFF0000000000000 : f64
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = math.absf %x : f64
    soac.yield %y : f64
  }
  %h = soac.hist at(%at : tensor<?xindex>) ins(%ys : tensor<?xf64>) into(%start : tensor<4xf64>) neutral(%lowest : f64) (%l: f64, %r: f64) {
    %m = arith.maximumf %l, %r : f64
    soac.yield %m : f64
  }
  return %h : tensor<4xf64>
}
func.func @products(%xs: tensor<?xf64>, %ys: tensor<?xf64>) -> f64 {
  %largest = arith.constant 0x7FF0000000000000 : f64
  %zs = soac.map ins(%xs, %ys : tensor<?xf64>, tensor<?xf64>) (%x: f64, %y: f64) -> tensor<?xf64> {
    %z = arith.mulf %x, %y : f64
    soac.yield %z : f64
  }
  %least = soac.reduce ins(%zs : tensor<?xf64>) neutral(%largest : f64) (%l: f64, %r: f64) {
    %m = arith.minimumf %l, %r : f64
    soac.yield %m : f64
  }
  return %least : f64
}
func.func @neutral(%xs: tensor<?xf64>) -> f64 {
  %start = arith.constant -0.0 : f64
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = arith.mulf %x, %x : f64
    soac.yield %y : f64
  }
  %most = soac.reduce ins(%ys : tensor<?xf64>) neutral(%start : f64) (%l: f64, %r: f64) {
    %m = arith.maximumf %l, %r : f64
    soac.yield %m : f64
  }
  return %most : f64
}

// The numbers themselves: the larger one of -0 and 0 is 0, and its reciprocal infinity.
// CHECK-LABEL: func.func @values(
// CHECK: arith.maximumf %{{[^ ]*}}, %{{[^ ]*}} : f64
// VALUES: inf
// VALUES-NOT: -inf
func.func @values(%x: f64, %y: f64) -> f64 {
  %lowest = arith.constant 0xFFF0000000000000 : f64
  %one = arith.constant 1.0 : f64
  %xs = tensor.from_elements %x, %y, %x : tensor<3xf64>
  %most = soac.reduce ins(%xs : tensor<3xf64>) neutral(%lowest : f64) (%l: f64, %r: f64) {
    %m = arith.maximumf %l, %r : f64
    soac.yield %m : f64
  }
  %reciprocal = arith.divf %one, %most : f64
  return %reciprocal : f64
}
