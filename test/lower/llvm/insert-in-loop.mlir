// What every iteration inserts into an array from outside of the loop is its own.
// RUN: ad-opt run %s --entry=rows --input=0.25 | FileCheck %s
// RUN: ad-opt %s --ad-bufferize | FileCheck %s --check-prefix=IR

// Three times the sum of 0.25 and 0.5; a slice of another iteration would stay behind.
// CHECK: 2.25
// IR-LABEL: func.func @rows
// IR: %[[START:[a-zA-Z0-9_]+]] = memref.alloc
// IR: scf.for %{{.*}} iter_args
// IR: memref.copy %[[START]], %[[MINE:[a-zA-Z0-9_]+]]
// IR: %[[ROW:[a-zA-Z0-9_]+]] = memref.subview %[[MINE]]
// IR: linalg.fill ins(%{{.*}}) outs(%[[ROW]]
func.func @rows(%w: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %half = arith.constant 0.5 : f64
  %zero = arith.constant 0.0 : f64
  %start = tensor.generate {
  ^bb0(%i: index, %j: index):
    tensor.yield %half : f64
  } : tensor<2x3xf64>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%sum = %zero) -> f64 {
    %row = arith.remui %i, %c2 : index
    %new = tensor.splat %w : tensor<3xf64>
    %mine = tensor.insert_slice %new into %start[%row, 0] [1, 3] [1, 1] : tensor<3xf64> into tensor<2x3xf64>
    %first = tensor.extract %mine[%c0, %c0] : tensor<2x3xf64>
    %second = tensor.extract %mine[%c1, %c0] : tensor<2x3xf64>
    %both = arith.addf %first, %second : f64
    %next = arith.addf %sum, %both : f64
    scf.yield %next : f64
  }
  return %r : f64
}
