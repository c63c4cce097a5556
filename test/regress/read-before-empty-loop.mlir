// What a loop without iterations reads is not there: reads moved out of it crashed.
// RUN: ad-opt %s --ad-optimize | FileCheck %s
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<f8' '(0,)'
// RUN: %python %S/../driver/Inputs/npy.py %t.one.npy '<f8' '(1,)' 3
// RUN: ad-opt run %s --entry=seeds --input=%t.none.npy --input=%t.none.npy --input=4000000000000000 | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %s --entry=seeds --input=%t.one.npy --input=%t.one.npy --input=0 | FileCheck %s --check-prefix=ONE
// NONE: {{\[}}]

// 2 exp(3) 3
// ONE: 120.51322

// CHECK-LABEL: func.func @seeds(
// CHECK: scf.if
// CHECK: tensor.extract
// CHECK: math.exp
func.func @seeds(%xs: tensor<?xf64>, %seeds: tensor<?xf64>, %place: index) -> tensor<?xf64> {
  %slopes = soac.map ins(%seeds : tensor<?xf64>) (%seed: f64) -> tensor<?xf64> {
    %y, %slope = ad.jvp @f(%xs, %place, %seed) seed(%seed) {wrt = array<i64: 2>}
        : (tensor<?xf64>, index, f64), (f64) -> (f64, f64)
    %s = arith.addf %y, %slope : f64
    soac.yield %s : f64
  }
  return %slopes : tensor<?xf64>
}

func.func private @f(%xs: tensor<?xf64>, %place: index, %factor: f64) -> f64 {
  %x = tensor.extract %xs[%place] : tensor<?xf64>
  %e = math.exp %x : f64
  %y = arith.mulf %e, %factor : f64
  return %y : f64
}
