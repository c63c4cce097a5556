// Maps that make all of their rows.
// RUN: ad-opt %s --ad-gather-first | FileCheck %s --implicit-check-not=scf.if --implicit-check-not=minui

// Something else reads the array as a whole.
// CHECK-LABEL: func.func @also_whole(
func.func @also_whole(%xs: tensor<?x3xf64>, %is: tensor<?xindex>) -> (tensor<?xf64>, tensor<?xf64>) {
  %zero = arith.constant 0.0 : f64
  %ys = soac.map ins(%xs : tensor<?x3xf64>) (%x: tensor<3xf64>) -> tensor<?xf64> {
    %y = soac.reduce ins(%x : tensor<3xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    soac.yield %y : f64
  }
  %zs = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %y = tensor.extract %ys[%i] : tensor<?xf64>
    soac.yield %y : f64
  }
  return %ys, %zs : tensor<?xf64>, tensor<?xf64>
}

// The rows are read in order.
// CHECK-LABEL: func.func @in_order(
func.func @in_order(%xs: tensor<?x3xf64>, %n: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %range = soac.iota %n : tensor<?xindex>
  %ys = soac.map ins(%xs : tensor<?x3xf64>) (%x: tensor<3xf64>) -> tensor<?xf64> {
    %y = soac.reduce ins(%x : tensor<3xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    soac.yield %y : f64
  }
  %zs = soac.map ins(%range : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %y = tensor.extract %ys[%i] : tensor<?xf64>
    soac.yield %y : f64
  }
  return %zs : tensor<?xf64>
}

// A row costs no more to make than to hand over.
// CHECK-LABEL: func.func @cheap(
func.func @cheap(%xs: tensor<?xf64>, %is: tensor<?xindex>) -> tensor<?xf64> {
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = arith.mulf %x, %x : f64
    soac.yield %y : f64
  }
  %zs = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %y = tensor.extract %ys[%i] : tensor<?xf64>
    soac.yield %y : f64
  }
  return %zs : tensor<?xf64>
}

// Of a long row, little is read.
// CHECK-LABEL: func.func @long(
func.func @long(%xs: tensor<?x?xf64>, %is: tensor<?xindex>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ys = soac.map ins(%xs : tensor<?x?xf64>) (%x: tensor<?xf64>) -> tensor<?xf64> {
    %x0 = tensor.extract %x[%c0] : tensor<?xf64>
    %y = scf.for %j = %c0 to %n step %c1 iter_args(%p = %x0) -> f64 {
      %q = arith.mulf %p, %p : f64
      scf.yield %q : f64
    }
    soac.yield %y : f64
  }
  %zs = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %y = tensor.extract %ys[%i] : tensor<?xf64>
    soac.yield %y : f64
  }
  return %zs : tensor<?xf64>
}

// The indices depend on what is read.
// CHECK-LABEL: func.func @depends(
func.func @depends(%xs: tensor<?x3xindex>, %is: tensor<?xindex>) -> tensor<?xindex> {
  %zero = arith.constant 0 : index
  %ys = soac.map ins(%xs : tensor<?x3xindex>) (%x: tensor<3xindex>) -> tensor<?xindex> {
    %y = soac.reduce ins(%x : tensor<3xindex>) neutral(%zero : index) (%a: index, %b: index) {
      %c = arith.addi %a, %b : index
      soac.yield %c : index
    }
    soac.yield %y : index
  }
  %zs = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xindex> {
    %j = tensor.extract %ys[%i] : tensor<?xindex>
    %y = tensor.extract %ys[%j] : tensor<?xindex>
    soac.yield %y : index
  }
  return %zs : tensor<?xindex>
}
