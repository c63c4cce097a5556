// Seeds that are too short or too long are refused when the program runs, on every target; so are other sizes. Where there
// are no rows, their length does not matter.
// RUN: %python %S/../driver/Inputs/npy.py %t3.npy '<f8' '(3,)' 0 1 2
// RUN: %python %S/../driver/Inputs/npy.py %t5.npy '<f8' '(5,)' 0 1 2 3 4
// RUN: %python %S/../driver/Inputs/npy.py %t.rows.npy '<f8' '(0, 0)'
// RUN: %python %S/../driver/Inputs/npy.py %t.matrix.npy '<f8' '(2, 5)' 1 1 1 1 1 1 1 1 1 1
// RUN: ad-opt run %s --entry=gradient --input=%t5.npy --input=%t5.npy | FileCheck %s --check-prefix=FITS
// RUN: not ad-opt run %s --entry=gradient --input=%t5.npy --input=%t3.npy 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not ad-opt run %s --entry=gradient --input=%t3.npy --input=%t5.npy --target=gpu-emulate 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not ad-opt run %s --entry=tangent --input=%t5.npy --input=%t3.npy 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not ad-opt run %s --entry=times --input=%t.matrix.npy --input=%t3.npy 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: ad-opt run %s --entry=times --input=%t.matrix.npy --input=%t5.npy | FileCheck %s --check-prefix=PRODUCT
// RUN: ad-opt run %s --entry=times --input=%t.rows.npy --input=%t3.npy | FileCheck %s --check-prefix=EMPTY
// RUN: ad-opt run %s --entry=windows --input=%t5.npy --input=%t3.npy --input=%t3.npy | FileCheck %s --check-prefix=CONV
// RUN: not ad-opt run %s --entry=windows --input=%t5.npy --input=%t3.npy --input=%t5.npy 2>&1 | FileCheck %s --check-prefix=WINDOWS

// FITS: [0.0, 2.0, 8.0, 18.0, 32.0]
// WRONG: ad-opt: error: the compiled program was stopped: an assertion failed: sizes do not match: dimension 0 of argument {{[01]}} and dimension 0 of argument {{[01]}} have to be equal ({{.*}}seeds.mlir:
// ROWS: an assertion failed: sizes do not match: dimension 1 of argument 0 and dimension 0 of argument 1 have to be equal
// PRODUCT: [10.0, 10.0]
// EMPTY: []
// CONV: [5.0, 9.0, 13.0]
// WINDOWS: an assertion failed: sizes do not match: dimension 0 of argument 0 is too small for windows and results
func.func private @square(%x: tensor<?xf64>) -> tensor<?xf64> {
  %y = arith.mulf %x, %x : tensor<?xf64>
  return %y : tensor<?xf64>
}
func.func @gradient(%x: tensor<?xf64>, %seed: tensor<?xf64>) -> tensor<?xf64> {
  %y, %d = ad.vjp @square(%x) seed(%seed) : (tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %d : tensor<?xf64>
}
func.func @tangent(%x: tensor<?xf64>, %seed: tensor<?xf64>) -> tensor<?xf64> {
  %y, %d = ad.jvp @square(%x) seed(%seed) : (tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %d : tensor<?xf64>
}
func.func @times(%m: tensor<?x?xf64>, %v: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %z = soac.map ins(%m : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?xf64> {
    %p = soac.map ins(%row, %v : tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64) -> tensor<?xf64> {
      %q = arith.mulf %a, %b : f64
      soac.yield %q : f64
    }
    %s = soac.reduce ins(%p : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
      %t = arith.addf %l, %r : f64
      soac.yield %t : f64
    }
    soac.yield %s : f64
  }
  return %z : tensor<?xf64>
}
func.func @windows(%x: tensor<?xf64>, %w: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %z = linalg.conv_1d ins(%x, %w : tensor<?xf64>, tensor<?xf64>) outs(%y : tensor<?xf64>) -> tensor<?xf64>
  return %z : tensor<?xf64>
}
