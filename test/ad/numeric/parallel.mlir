// Derivatives of scf.parallel and scf.forall agree with central differences and with each other.
// RUN: %python %S/../../driver/Inputs/npy.py %t.x5.npy '<f8' '(5,)' 0.5 -1.5 0.7 0.3 -0.2
// RUN: %python %S/../../driver/Inputs/npy.py %t.x0.npy '<f8' '(0,)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.m43.npy '<f8' '(4, 3)' 0.5 -1.5 0.7 0.3 -0.2 0.9 1.1 0.4 -0.6 0.8 1.3 0.1
// RUN: ad-opt check %s --entry=sum --input=%t.x5.npy --input=0.3
// RUN: ad-opt check %s --entry=sum --input=%t.x0.npy --input=0.3
// RUN: ad-opt check %s --entry=grid --input=%t.m43.npy --input=1 --input=2
// RUN: ad-opt check %s --entry=grid --input=%t.m43.npy --input=4 --input=2
// RUN: ad-opt check %s --entry=other --input=%t.x5.npy --input=0.3
// RUN: ad-opt check %s --entry=tiles --input=%t.m43.npy
// RUN: ad-opt check %s --entry=elements --input=%t.x5.npy --input=2
// RUN: ad-opt check %s --entry=rows --input=0.3
// RUN: ad-opt run %s --entry=rows --input=0.25 | FileCheck %s --check-prefix=ROWS
// RUN: ad-opt run %s --entry=elements --input=%t.x5.npy --input=2 | FileCheck %s
// CHECK: [0.25, -1.5, 0.48999999999999994, 0.3, 0.04

// A sum and a product at once.
func.func @sum(%x: tensor<?xf64>, %w: f64) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %r:2 = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%w, %w) -> (f64, f64) {
    %a = tensor.extract %x[%i] : tensor<?xf64>
    %s = math.sin %a : f64
    %t = arith.mulf %s, %w : f64
    scf.reduce(%t, %s : f64, f64) {
    ^bb0(%l: f64, %r: f64):
      %0 = arith.addf %l, %r : f64
      scf.reduce.return %0 : f64
    }, {
    ^bb0(%l: f64, %r: f64):
      %0 = arith.mulf %l, %r : f64
      scf.reduce.return %0 : f64
    }
  }
  return %r#0, %r#1 : f64, f64
}

// Two dimensions, bounds and steps.
func.func @grid(%x: tensor<?x?xf64>, %lb: index, %step: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant 0.1 : f64
  %n = tensor.dim %x, %c0 : tensor<?x?xf64>
  %m = tensor.dim %x, %c1 : tensor<?x?xf64>
  %r = scf.parallel (%i, %j) = (%lb, %c0) to (%n, %m) step (%step, %c1) init (%low) -> f64 {
    %a = tensor.extract %x[%i, %j] : tensor<?x?xf64>
    scf.reduce(%a : f64) {
    ^bb0(%l: f64, %r: f64):
      %0 = arith.maximumf %l, %r : f64
      scf.reduce.return %0 : f64
    }
  }
  return %r : f64
}

// An operator without known neutral element.
func.func @other(%x: tensor<?xf64>, %w: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%w) -> f64 {
    %a = tensor.extract %x[%i] : tensor<?xf64>
    scf.reduce(%a : f64) {
    ^bb0(%l: f64, %r: f64):
      %0 = arith.mulf %l, %r : f64
      %1 = arith.addf %l, %r : f64
      %2 = arith.addf %0, %1 : f64
      scf.reduce.return %2 : f64
    }
  }
  return %r : f64
}

// Tiles of a matrix; the output is read as it was before the loop.
func.func @tiles(%x: tensor<4x3xf64>) -> tensor<4x3xf64> {
  %r = scf.forall (%i, %j) = (0, 0) to (4, 3) step (2, 1) shared_outs(%o = %x) -> tensor<4x3xf64> {
    %a = tensor.extract_slice %o[%i, %j] [2, 1] [1, 1] : tensor<4x3xf64> to tensor<2x1xf64>
    %b = tensor.extract_slice %x[0, %j] [2, 1] [1, 1] : tensor<4x3xf64> to tensor<2x1xf64>
    %c = arith.mulf %a, %b : tensor<2x1xf64>
    %d = math.sin %c : tensor<2x1xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %d into %o[%i, %j] [2, 1] [1, 1] : tensor<2x1xf64> into tensor<4x3xf64>
    }
  }
  return %r : tensor<4x3xf64>
}

// A dynamic upper bound and step; elements in between stay.
func.func @elements(%x: tensor<?xf64>, %step: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %r = scf.forall (%i) = (0) to (%n) step (%step) shared_outs(%o = %x) -> tensor<?xf64> {
    %a = tensor.extract %x[%i] : tensor<?xf64>
    %b = arith.mulf %a, %a : f64
    %c = tensor.from_elements %b : tensor<1xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %c into %o[%i] [1] [1] : tensor<1xf64> into tensor<?xf64>
    }
  }
  return %r : tensor<?xf64>
}

// Every iteration writes to an array of its own, though all begin with the same one.
// ROWS: 2.25
func.func @rows(%w: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %half = arith.constant 0.5 : f64
  %zero = arith.constant 0.0 : f64
  %r = scf.parallel (%i) = (%c0) to (%c3) step (%c1) init (%zero) -> f64 {
    %start = tensor.splat %half : tensor<2xf64>
    %row = arith.remui %i, %c2 : index
    %mine = tensor.insert %w into %start[%row] : tensor<2xf64>
    %sum = soac.reduce ins(%mine : tensor<2xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %0 = arith.addf %a, %b : f64
      soac.yield %0 : f64
    }
    scf.reduce(%sum : f64) {
    ^bb0(%a: f64, %b: f64):
      %0 = arith.addf %a, %b : f64
      scf.reduce.return %0 : f64
    }
  }
  return %r : f64
}
