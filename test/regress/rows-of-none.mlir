// A map without elements lost the size of its rows in the interpreter where the body computes it, in a
// branch here, and a column of the array was out of bounds.
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<f8' '(0,)'
// RUN: %python %S/../driver/Inputs/npy.py %t.y.npy '<f8' '(2,)' 1 2
// RUN: ad-opt check %s --entry=column --engine=interpreter --input=%t.none.npy --input=%t.y.npy | FileCheck %s
// RUN: ad-opt check %s --entry=column --engine=compiled --input=%t.none.npy --input=%t.y.npy | FileCheck %s

// CHECK: results {{.*}} ok

func.func @column(%xs: tensor<?xf64>, %ys: tensor<?xf64>) -> (tensor<?xf64>, f64) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %rows = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?x?xf64> {
    %positive = arith.cmpf ogt, %x, %zero : f64
    %row = scf.if %positive -> (tensor<?xf64>) {
      %scaled = soac.map ins(%ys : tensor<?xf64>) (%y: f64) -> tensor<?xf64> {
        %0 = arith.mulf %x, %y : f64
        soac.yield %0 : f64
      }
      scf.yield %scaled : tensor<?xf64>
    } else {
      scf.yield %ys : tensor<?xf64>
    }
    soac.yield %row : tensor<?xf64>
  }
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %column = tensor.extract_slice %rows[0, 1] [%n, 1] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
  %sum = soac.reduce ins(%ys : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %0 = arith.addf %l, %r : f64
    soac.yield %0 : f64
  }
  return %column, %sum : tensor<?xf64>, f64
}
