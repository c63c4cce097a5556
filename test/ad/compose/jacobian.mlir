// A whole Jacobian by mapping jvp or vjp over a basis: requests inside map bodies;
// both agree, and with the hand-written one [F03].
// RUN: %python %S/../../driver/Inputs/npy.py %t.npy '<f8' '(3,)' 0.5 2 -1
// RUN: ad-opt run %s --entry=rows --input=%t.npy | FileCheck %s
// RUN: ad-opt run %s --entry=columns --input=%t.npy | FileCheck %s
// RUN: ad-opt run %s --entry=by_hand --input=%t.npy | FileCheck %s
// RUN: ad-opt %s --ad-optimize | FileCheck %s --check-prefix=SHAPE --implicit-check-not='= ad.'

// f(x)_i = x_i * sum x, so J_ij = x_i + (i == j) sum x.
// CHECK: [2.0, 0.5, 0.5],
// CHECK-NEXT: [2.0, 3.5, 2.0],
// CHECK-NEXT: [-1.0, -1.0, 0.5]]
func.func private @f(%xs: tensor<3xf64>) -> tensor<3xf64> {
  %zero = arith.constant 0.0 : f64
  %s = soac.reduce ins(%xs : tensor<3xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.addf %l, %r : f64
    soac.yield %t : f64
  }
  %ys = soac.map ins(%xs : tensor<3xf64>) (%x: f64) -> tensor<3xf64> {
    %y = arith.mulf %x, %s : f64
    soac.yield %y : f64
  }
  return %ys : tensor<3xf64>
}
func.func private @basis() -> tensor<3x3xf64> {
  %is = soac.iota : tensor<3xindex>
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %e = soac.map ins(%is : tensor<3xindex>) (%i: index) -> tensor<3x3xf64> {
    %row = soac.map ins(%is : tensor<3xindex>) (%j: index) -> tensor<3xf64> {
      %same = arith.cmpi eq, %i, %j : index
      %v = arith.select %same, %one, %zero : f64
      soac.yield %v : f64
    }
    soac.yield %row : tensor<3xf64>
  }
  return %e : tensor<3x3xf64>
}

// SHAPE-LABEL: func.func @rows(
// SHAPE: soac.map
func.func @rows(%xs: tensor<3xf64>) -> tensor<3x3xf64> {
  %basis = call @basis() : () -> tensor<3x3xf64>
  %j = soac.map ins(%basis : tensor<3x3xf64>) (%e: tensor<3xf64>) -> tensor<3x3xf64> {
    %r:2 = ad.vjp @f(%xs) seed(%e) : (tensor<3xf64>), (tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
    soac.yield %r#1 : tensor<3xf64>
  }
  return %j : tensor<3x3xf64>
}

// SHAPE-LABEL: func.func @columns(
func.func @columns(%xs: tensor<3xf64>) -> tensor<3x3xf64> {
  %is = soac.iota : tensor<3xindex>
  %basis = call @basis() : () -> tensor<3x3xf64>
  %jt = soac.map ins(%basis : tensor<3x3xf64>) (%e: tensor<3xf64>) -> tensor<3x3xf64> {
    %r:2 = ad.jvp @f(%xs) seed(%e) : (tensor<3xf64>), (tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
    soac.yield %r#1 : tensor<3xf64>
  }
  %j = soac.map ins(%is : tensor<3xindex>) (%r: index) -> tensor<3x3xf64> {
    %row = soac.map ins(%is : tensor<3xindex>) (%c: index) -> tensor<3xf64> {
      %v = tensor.extract %jt[%c, %r] : tensor<3x3xf64>
      soac.yield %v : f64
    }
    soac.yield %row : tensor<3xf64>
  }
  return %j : tensor<3x3xf64>
}

func.func @by_hand(%xs: tensor<3xf64>) -> tensor<3x3xf64> {
  %is = soac.iota : tensor<3xindex>
  %zero = arith.constant 0.0 : f64
  %s = soac.reduce ins(%xs : tensor<3xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.addf %l, %r : f64
    soac.yield %t : f64
  }
  %j = soac.map ins(%is, %xs : tensor<3xindex>, tensor<3xf64>) (%r: index, %x: f64) -> tensor<3x3xf64> {
    %row = soac.map ins(%is : tensor<3xindex>) (%c: index) -> tensor<3xf64> {
      %same = arith.cmpi eq, %r, %c : index
      %d = arith.select %same, %s, %zero : f64
      %v = arith.addf %x, %d : f64
      soac.yield %v : f64
    }
    soac.yield %row : tensor<3xf64>
  }
  return %j : tensor<3x3xf64>
}
