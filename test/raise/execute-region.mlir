// The operations of an `scf.execute_region` with one block stand for it; a copy of the
// function is raised before it is differentiated, and the function itself is not.

// RUN: ad-opt %s --pass-pipeline='builtin.module(raise-to-soac)' | FileCheck %s --check-prefix=RAISED
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-differentiate)' | FileCheck %s
// RUN: ad-opt run %s --entry=slope --input=3.0 | FileCheck %s --check-prefix=VALUE

// RAISED-LABEL: func.func @cube
// RAISED-NOT:     execute_region
// RAISED:         %[[SQUARE:.+]] = arith.mulf
// RAISED:         %[[CUBE:.+]] = arith.mulf %[[SQUARE]]
// RAISED:         return %[[CUBE]]

// CHECK-LABEL: func.func @cube
// CHECK:         scf.execute_region
func.func @cube(%x: f64) -> f64 {
  %cube = scf.execute_region -> f64 {
    %square = scf.execute_region -> f64 {
      %0 = arith.mulf %x, %x : f64
      scf.yield %0 : f64
    }
    %1 = arith.mulf %square, %x : f64
    scf.yield %1 : f64
  }
  return %cube : f64
}

// CHECK-LABEL: func.func private @cube.vjp_0
// CHECK-NOT:     execute_region
// VALUE: 27
// VALUE: 27
// VALUE: 18
func.func @slope(%x: f64) -> (f64, f64, f64) {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @cube(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  %z, %curvature = ad.jvp @first(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %y, %z, %curvature : f64, f64, f64
}

func.func @first(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @cube(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}
