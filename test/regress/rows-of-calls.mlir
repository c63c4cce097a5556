// The rows of a map were taken for irregular where a function makes them that is not put in its place, as it keeps numbers on a
// tape: what it returns is as long as its argument.
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(2, 3)' 2 7 7 3 7 7
// RUN: %python %S/../driver/Inputs/npy.py %t.s.npy '<f8' '(2,)' 1 10
// RUN: ad-opt run %s --entry=gradient --input=%t.x.npy --input=3 --input=%t.s.npy | FileCheck %s
// RUN: ad-opt run %s --entry=gradient --input=%t.x.npy --input=3 --input=%t.s.npy --target=gpu-emulate | FileCheck %s
// RUN: ad-opt check %s --entry=fourth_powers --input=%t.x.npy --input=3

// Squared twice: 4 x^3.
// CHECK:      {{\[\[}}32.0, 0.0, 0.0],
// CHECK-NEXT: [1080.0, 0.0, 0.0]]
func.func @gradient(%x: tensor<?x?xf64>, %n: index, %s: tensor<?xf64>) -> tensor<?x?xf64> {
  %y, %x_bar = ad.vjp @fourth_powers(%x, %n) seed(%s) : (tensor<?x?xf64>, index), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>)
  return %x_bar : tensor<?x?xf64>
}
func.func @fourth_powers(%x: tensor<?x?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = soac.map ins(%x : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?xf64> {
    %own = memref.alloc(%n) : memref<?xf64>
    %e = tensor.extract %row[%c0] : tensor<?xf64>
    memref.store %e, %own[%c0] : memref<?xf64>
    scf.for %i = %c1 to %n step %c1 {
      %p = memref.load %own[%c0] : memref<?xf64>
      %r = arith.mulf %p, %p : f64
      memref.store %r, %own[%c0] : memref<?xf64>
    }
    %p = memref.load %own[%c0] : memref<?xf64>
    soac.yield %p : f64
  }
  return %y : tensor<?xf64>
}
