// An entry with requests is differentiated on the way; functions that it does not need do not matter.
// RUN: ad-opt run %s --entry=slope --input=3 | FileCheck %s --check-prefix=SLOPE
// RUN: ad-opt run %s --entry=curvature --input=3 | FileCheck %s --check-prefix=CURVATURE
// RUN: %python %S/Inputs/npy.py %t.npy '<f8' '(3,)' 1 2 4
// RUN: ad-opt run %s --entry=gradient --input=%t.npy | FileCheck %s --check-prefix=GRADIENT

func.func @cube(%x: f64) -> f64 {
  %0 = arith.mulf %x, %x : f64
  %1 = arith.mulf %0, %x : f64
  return %1 : f64
}

// SLOPE: 27.0
func.func @slope(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @cube(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}

// CURVATURE: 18.0
func.func @curvature(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %y_dot = ad.jvp @slope(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %y_dot : f64
}

func.func @product(%xs: tensor<?xf64>) -> f64 {
  %one = arith.constant 1.0 : f64
  %0 = soac.reduce ins(%xs : tensor<?xf64>) neutral(%one : f64) (%a: f64, %b: f64) {
    %1 = arith.mulf %a, %b : f64
    soac.yield %1 : f64
  }
  return %0 : f64
}

// GRADIENT: 8.0
// GRADIENT-NEXT: [8.0, 4.0, 2.0]
func.func @gradient(%xs: tensor<?xf64>) -> (f64, tensor<?xf64>) {
  %one = arith.constant 1.0 : f64
  %y, %xs_bar = ad.vjp @product(%xs) seed(%one) : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %y, %xs_bar : f64, tensor<?xf64>
}

func.func private @elsewhere(f64) -> f64
func.func @unneeded(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @elsewhere(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}
