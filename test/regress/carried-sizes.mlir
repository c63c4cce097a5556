// Loops whose iterations change the size of what they carry: upstream's canonicalisation, which inlining runs, too, gave
// all of it the size that was known in front of the loop.
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(5,)' 1 2 3 4 5
// RUN: ad-opt run %s --entry=shrink --input=%t.x.npy --input=2 | FileCheck %s --check-prefix=SHRINK
// RUN: ad-opt run %s --entry=tangent --input=%t.x.npy --input=%t.x.npy --input=2 | FileCheck %s --check-prefix=TANGENT
// RUN: ad-opt run %s --entry=grow --input=%t.x.npy --input=2 | FileCheck %s --check-prefix=GROW
// RUN: ad-opt check %s --entry=shrink --input=%t.x.npy --input=0
// RUN: not ad-opt check %s --entry=shrink --input=%t.x.npy --input=2 --engine=interpreter 2>&1 | FileCheck %s --check-prefix=SAVED
// RUN: not ad-opt check %s --entry=shrink --input=%t.x.npy --input=2 2>&1 | FileCheck %s --check-prefix=STOPPED

// Products of neighbours, then products of those; each is of four elements.
// SHRINK: [12.0, 72.0, 240.0]
// TANGENT: [12.0, 72.0, 240.0]
// TANGENT: [48.0, 288.0, 960.0]
// SAVED: error: 'cf.assert' op assertion failed: a loop-carried tensor changes its shape, so its versions cannot be saved
// STOPPED: error: the compiled program was stopped: an assertion failed
func.func @shrink(%a: tensor<5xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = tensor.cast %a : tensor<5xf64> to tensor<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %init) -> tensor<?xf64> {
    %m = tensor.dim %x, %c0 : tensor<?xf64>
    %k = arith.subi %m, %c1 : index
    %u = tensor.extract_slice %x[1] [%k] [1] : tensor<?xf64> to tensor<?xf64>
    %v = tensor.extract_slice %x[0] [%k] [1] : tensor<?xf64> to tensor<?xf64>
    %y = arith.mulf %u, %v : tensor<?xf64>
    scf.yield %y : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

func.func @tangent(%a: tensor<5xf64>, %a_dot: tensor<5xf64>, %n: index) -> (tensor<?xf64>, tensor<?xf64>) {
  %y, %y_dot = ad.jvp @shrink(%a, %n) seed(%a_dot)
      : (tensor<5xf64>, index), (tensor<5xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %y, %y_dot : tensor<?xf64>, tensor<?xf64>
}

// GROW: [1.0, 4.0, 9.0, 16.0, 25.0, 1.0, 1.0]
func.func @grow(%a: tensor<5xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = tensor.cast %a : tensor<5xf64> to tensor<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %init) -> tensor<?xf64> {
    %m = tensor.dim %x, %c0 : tensor<?xf64>
    %k = arith.addi %m, %c1 : index
    %y = tensor.generate %k {
    ^bb0(%j: index):
      %from = arith.remui %j, %m : index
      %e = tensor.extract %x[%from] : tensor<?xf64>
      %is_first = arith.cmpi eq, %i, %c0 : index
      %square = arith.mulf %e, %e : f64
      %value = arith.select %is_first, %square, %e : f64
      tensor.yield %value : f64
    } : tensor<?xf64>
    scf.yield %y : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}
