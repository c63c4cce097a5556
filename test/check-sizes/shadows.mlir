// Seeds and shadows that are too short are refused when the program runs, also where they are read, or written to, at places
// that depend on data, in loops or in blocks.
// RUN: %python %S/../driver/Inputs/npy.py %t3.npy '<f8' '(3,)' 1 2 3
// RUN: %python %S/../driver/Inputs/npy.py %t5.npy '<f8' '(5,)' 1 2 3 4 5
// RUN: %python %S/../driver/Inputs/npy.py %t6.npy '<f8' '(6,)' 1 1 1 1 1 1
// RUN: %python %S/../driver/Inputs/npy.py %t.is.npy '<i8' '(2,)' 4 1
// RUN: ad-opt run %s --entry=gather --input=%t5.npy --input=%t.is.npy --input=%t5.npy | FileCheck %s --check-prefix=GATHERED
// RUN: not ad-opt run %s --entry=gather --input=%t5.npy --input=%t.is.npy --input=%t3.npy 2>&1 | FileCheck %s --check-prefix=SECOND
// RUN: not ad-opt run %s --entry=gather --input=%t5.npy --input=%t.is.npy --input=%t3.npy --target=gpu-emulate 2>&1 | FileCheck %s --check-prefix=SECOND
// RUN: not ad-opt run %s --entry=element --input=%t5.npy --input=4 --input=%t3.npy 2>&1 | FileCheck %s --check-prefix=SECOND
// RUN: ad-opt run %s --entry=loop --input=%t5.npy --input=5 --input=%t5.npy | FileCheck %s --check-prefix=LOOP
// RUN: not ad-opt run %s --entry=loop --input=%t5.npy --input=5 --input=%t3.npy 2>&1 | FileCheck %s --check-prefix=SECOND
// RUN: ad-opt run %s --entry=longer --input=%t5.npy --input=%t6.npy | FileCheck %s --check-prefix=LONGER
// RUN: not ad-opt run %s --entry=longer --input=%t5.npy --input=%t5.npy 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: not ad-opt run %s --entry=cotangents --input=%t5.npy --input=%t3.npy 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: not ad-opt run %s --entry=tangents --input=%t5.npy --input=%t3.npy 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: ad-opt run %s --entry=tangents --input=%t5.npy --input=%t5.npy

// GATHERED: [50.0, 8.0]
// LOOP: [5.2484{{.*}}, 0.0, 0.0, 0.0, 0.0]
// LONGER: [2.0, 4.0, 6.0, 8.0, 10.0]
// FIRST: an assertion failed: sizes do not match: dimension 0 of argument 1 and {{.*}} have to be equal
// SECOND: an assertion failed: sizes do not match: dimension 0 of argument 2 and dimension 0 of argument 0 have to be equal
func.func private @squares_at(%x: tensor<?xf64>, %is: tensor<?xindex>) -> tensor<?xf64> {
  %y = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %a = tensor.extract %x[%i] : tensor<?xf64>
    %b = arith.mulf %a, %a : f64
    soac.yield %b : f64
  }
  return %y : tensor<?xf64>
}
func.func @gather(%x: tensor<?xf64>, %is: tensor<?xindex>, %s: tensor<?xf64>) -> tensor<?xf64> {
  %y, %d = ad.jvp @squares_at(%x, %is) seed(%s) : (tensor<?xf64>, tensor<?xindex>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %d : tensor<?xf64>
}
func.func private @at(%x: tensor<?xf64>, %i: index) -> f64 {
  %m = tensor.extract %x[%i] : tensor<?xf64>
  return %m : f64
}
func.func @element(%x: tensor<?xf64>, %i: index, %s: tensor<?xf64>) -> f64 {
  %y, %d = ad.jvp @at(%x, %i) seed(%s) : (tensor<?xf64>, index), (tensor<?xf64>) -> (f64, f64)
  return %d : f64
}
func.func private @sines(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%a = %x) -> tensor<?xf64> {
    %j = arith.subi %i, %c1 : index
    %p = tensor.extract %a[%j] : tensor<?xf64>
    %s = math.sin %p : f64
    %b = tensor.insert %s into %a[%i] : tensor<?xf64>
    scf.yield %b : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}
func.func @loop(%x: tensor<?xf64>, %n: index, %s: tensor<?xf64>) -> tensor<?xf64> {
  %y, %d = ad.vjp @sines(%x, %n) seed(%s) : (tensor<?xf64>, index), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %d : tensor<?xf64>
}
func.func private @with_end(%x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %m = arith.addi %n, %c1 : index
  %e = tensor.empty(%m) : tensor<?xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<?xf64>) -> tensor<?xf64>
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %f) -> tensor<?xf64> {
    %v = tensor.extract %x[%i] : tensor<?xf64>
    %w = arith.mulf %v, %v : f64
    %b = tensor.insert %w into %a[%i] : tensor<?xf64>
    scf.yield %b : tensor<?xf64>
  }
  return %y : tensor<?xf64>
}
func.func @longer(%x: tensor<?xf64>, %s: tensor<?xf64>) -> tensor<?xf64> {
  %y, %d = ad.vjp @with_end(%x) seed(%s) : (tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %d : tensor<?xf64>
}
func.func private @square(%m: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %m[%i] : memref<?xf64>
    %b = arith.mulf %a, %a : f64
    memref.store %b, %m[%i] : memref<?xf64>
  }
  return
}
func.func @cotangents(%m: memref<?xf64>, %m_bar: memref<?xf64>) {
  ad.vjp @square(%m) seed(%m_bar) : (memref<?xf64>), (memref<?xf64>) -> ()
  return
}
func.func @tangents(%m: memref<?xf64>, %m_dot: memref<?xf64>) {
  ad.jvp @square(%m) seed(%m_dot) : (memref<?xf64>), (memref<?xf64>) -> ()
  return
}
