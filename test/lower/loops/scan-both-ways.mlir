// Two scans that run in opposite directions and meet in a map that runs in the loop of what reads it: only one of
// them can run in that loop.
// RUN: %python %S/../../driver/Inputs/npy.py %t.npy '<f8' '(3,)' 2 3 5
// RUN: %python %S/../../driver/Inputs/npy.py %t.none.npy '<f8' '(0,)'
// RUN: ad-opt run %s --entry=others --input=%t.npy | FileCheck %s
// RUN: ad-opt %s --lower-soac-to-loops -o %t.mlir
// RUN: ad-opt run %t.mlir --entry=others --input=%t.npy | FileCheck %s
// RUN: ad-opt run %t.mlir --entry=others --input=%t.none.npy | FileCheck %s --check-prefix=NONE
// RUN: ad-opt check %s --entry=others --input=%t.npy
// RUN: ad-opt %s --lower-soac-to-loops --canonicalize | FileCheck %s --check-prefix=LOOPS

// The sums of what is in front of an element and of what is behind it, multiplied, and added to 1:
// 1 + 0 * 8, 1 + 2 * 5 and 1 + 5 * 0, with 1 in front of them: [1 + 1, 1 + 11, 1 + 1].
// CHECK: {{^}}[2.0, 12.0, 2.0]
// NONE: {{^}}[]
// One loop for the first of the scans, one for the other and what reads both, and one for what reads that.
// LOOPS-LABEL: func.func @others(
// LOOPS: scf.for
// LOOPS: scf.for
// LOOPS-NOT: soac.
// LOOPS: return
func.func @others(%x: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %before = soac.scan ins(%x : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) attributes {exclusive} {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  %behind = soac.scan ins(%x : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) attributes {exclusive, reverse} {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  %products = soac.map ins(%before, %behind : tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64) -> tensor<?xf64> {
    %p = arith.mulf %a, %b : f64
    %c = arith.addf %p, %one : f64
    soac.yield %c : f64
  }
  %y = soac.map ins(%products : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
    %c = arith.addf %a, %one : f64
    soac.yield %c : f64
  }
  return %y : tensor<?xf64>
}
