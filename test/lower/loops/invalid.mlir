// Rows of different sizes, and accumulators that are null on some paths only.
// RUN: ad-opt %s --split-input-file --verify-diagnostics --lower-soac-to-loops

func.func @triangle(%n: index) -> tensor<?x?xindex> {
  %is = soac.iota %n : tensor<?xindex>
  // expected-error @+2 {{'soac.map' op makes irregular rows: the size of dimension 1 of result 0 is not known before the first iteration; give all rows one size, for instance by padding}}
  // expected-note @+1 {{it depends on the iteration}}
  %r = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?x?xindex> {
    %js = soac.iota %i : tensor<?xindex>
    soac.yield %js : tensor<?xindex>
  }
  return %r : tensor<?x?xindex>
}

// -----

func.func @grow(%x: tensor<?x?xf64>, %t: index) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{makes irregular rows}}
  %r = soac.map ins(%x : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?x?xf64> {
    // expected-note @+1 {{the size changes from iteration to iteration of this loop}}
    %y = scf.for %i = %c0 to %t step %c1 iter_args(%z = %row) -> tensor<?xf64> {
      %n = tensor.dim %z, %c0 : tensor<?xf64>
      %m = arith.addi %n, %c1 : index
      %w = tensor.empty(%m) : tensor<?xf64>
      scf.yield %w : tensor<?xf64>
    }
    soac.yield %y : tensor<?xf64>
  }
  return %r : tensor<?x?xf64>
}

// -----

func.func private @g(tensor<?xf64>) -> tensor<?xf64>

func.func @call(%x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  // expected-error @+1 {{makes irregular rows}}
  %r = soac.map ins(%x : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?x?xf64> {
    // expected-note @+1 {{nothing is known about sizes here}}
    %y = func.call @g(%row) : (tensor<?xf64>) -> tensor<?xf64>
    soac.yield %y : tensor<?xf64>
  }
  return %r : tensor<?x?xf64>
}

// -----

func.func @mixed(%z: tensor<4xf64>, %c: i1, %v: f64) -> tensor<4xf64> {
  %null = soac.null_acc : !soac.acc<tensor<4xf64>>
  %r = soac.with_acc ins(%z : tensor<4xf64>) (%acc: !soac.acc<tensor<4xf64>>) -> (tensor<4xf64>) {
    %b = scf.if %c -> !soac.acc<tensor<4xf64>> {
      scf.yield %acc : !soac.acc<tensor<4xf64>>
    } else {
      // expected-error @+1 {{mixes a null accumulator with one that counts; give both the same array, or make both null}}
      scf.yield %null : !soac.acc<tensor<4xf64>>
    }
    soac.yield %b : !soac.acc<tensor<4xf64>>
  }
  return %r : tensor<4xf64>
}
