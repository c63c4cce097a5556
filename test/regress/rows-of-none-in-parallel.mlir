// The rows that threads write turned out to have no elements: upstream gave the array its static size in canonicalisation,
// and refused to write to it behind its end.
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(3,)' 0.5 1 2
// RUN: ad-opt run %s --entry=rows --input=%t.x.npy --threads=2 | FileCheck %s
// RUN: ad-opt run %s --entry=rows --input=%t.x.npy --target=gpu-emulate | FileCheck %s

// CHECK: [1.0, 2.0, 4.0]
// CHECK: [] # shape (3, 0)
func.func @rows(%xs: tensor<?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>) {
  %none = arith.constant 0 : index
  %ys, %rows = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> (tensor<?xf64>, tensor<?x?xf64>) {
    %y = arith.addf %x, %x : f64
    %row = soac.replicate %y, %none : f64 -> tensor<?xf64>
    soac.yield %y, %row : f64, tensor<?xf64>
  }
  return %ys, %rows : tensor<?xf64>, tensor<?x?xf64>
}
