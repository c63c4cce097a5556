// Functions may have the names of library functions, and call library functions.
// RUN: ad-opt run %s --entry=exp --input=1 | FileCheck %s --check-prefix=EXP
// RUN: ad-opt run %s --entry=malloc --input=8 | FileCheck %s --check-prefix=MALLOC
// RUN: ad-opt run %s --entry=beside --input=2 | FileCheck %s --check-prefix=BESIDE
// RUN: ad-opt run %s --entry=main --input=5 | FileCheck %s --check-prefix=MAIN

// EXP: 3.7182818284590
func.func @exp(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %0 = math.exp %x : f64
  %1 = arith.addf %0, %one : f64
  return %1 : f64
}

// MALLOC: [8.0, 8.0]
func.func @malloc(%x: f64) -> tensor<2xf64> {
  %0 = tensor.splat %x : tensor<2xf64>
  return %0 : tensor<2xf64>
}

// MAIN: 24.0
func.func private @tgamma(f64) -> f64
func.func @main(%x: f64) -> f64 {
  %0 = func.call @tgamma(%x) : (f64) -> f64
  return %0 : f64
}

// A module inside is none of its business.
// BESIDE: 4.0
func.func @beside(%x: f64) -> f64 {
  %0 = arith.mulf %x, %x : f64
  return %0 : f64
}
module @inner {
  func.func @beside(%x: f64) -> f64 {
    %0 = math.exp %x : f64
    return %0 : f64
  }
}
