// The body of a map was distributed over kernels that handed its private buffers on, as rows of an array of buffers.
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(3, 2)' 1 2 3 4 5 6
// RUN: %python %S/../driver/Inputs/npy.py %t.dx.npy '<f8' '(3, 2)' 10 20 30 40 50 60
// RUN: ad-opt run %s --entry=tangents --input=%t.x.npy --input=2 --input=%t.dx.npy | FileCheck %s
// RUN: ad-opt run %s --entry=tangents --input=%t.x.npy --input=2 --input=%t.dx.npy --target=gpu-emulate | FileCheck %s

// CHECK: [1.0, 3.0, 5.0]
// CHECK: [10.0, 30.0, 50.0]
func.func @tangents(%x: tensor<?x?xf64>, %n: index, %dx: tensor<?x?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %y, %dy = ad.jvp @firsts(%x, %n) seed(%dx) : (tensor<?x?xf64>, index), (tensor<?x?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %y, %dy : tensor<?xf64>, tensor<?xf64>
}
func.func @firsts(%x: tensor<?x?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = soac.map ins(%x : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?xf64> {
    %copy = memref.alloc(%n) : memref<?xf64>
    scf.for %i = %c0 to %n step %c1 {
      %e = tensor.extract %row[%i] : tensor<?xf64>
      memref.store %e, %copy[%i] : memref<?xf64>
    }
    %first = memref.load %copy[%c0] : memref<?xf64>
    soac.yield %first : f64
  }
  return %y : tensor<?xf64>
}
