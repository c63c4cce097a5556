// Functions may have names with characters that a device does not take.
// REQUIRES: ad-ptx
// RUN: %python %S/../driver/Inputs/npy.py %t.npy '<f8' '(3,)' 1 -2 3
// RUN: env AD_CUDA_TOOLKIT=%toolkit AD_CUDA_DRIVER=%ad-ptx ad-opt run %s --entry=a-b.1 --input=%t.npy --input=3 --target=cuda | FileCheck %s
// RUN: ad-opt run %s --entry=a-b.1 --input=%t.npy --input=3 --target=gpu-emulate | FileCheck %s
// CHECK: [1.0, -8.0, 27.0]
func.func @"a-b.1"(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %y = soac.map ins(%x : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
    %b = func.call @"to-the"(%a, %n) : (f64, index) -> f64
    soac.yield %b : f64
  }
  return %y : tensor<?xf64>
}

// It is recursive, so that it is not inlined.
func.func private @"to-the"(%a: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %is_last = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %is_last -> f64 {
    scf.yield %one : f64
  } else {
    %m = arith.subi %n, %c1 : index
    %p = func.call @"to-the"(%a, %m) : (f64, index) -> f64
    %q = arith.mulf %a, %p : f64
    scf.yield %q : f64
  }
  return %r : f64
}

// They need not be ASCII.
// RUN: ad-opt run %s --entry=é --input=%t.npy --target=gpu-emulate | FileCheck %s --check-prefix=TWICE
// TWICE: [2.0, -4.0, 6.0]
func.func @"é"(%x: tensor<?xf64>) -> tensor<?xf64> {
  %y = soac.map ins(%x : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
    %b = arith.addf %a, %a : f64
    soac.yield %b : f64
  }
  return %y : tensor<?xf64>
}
