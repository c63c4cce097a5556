// The driver takes what mlir-opt takes, and our passes as flags.
// RUN: ad-opt --help | FileCheck --check-prefix=HELP %s
// RUN: ad-opt --version | FileCheck --check-prefix=VERSION %s
// RUN: ad-opt --show-dialects | FileCheck --check-prefix=DIALECTS %s
// RUN: ad-opt %s --split-input-file --verify-diagnostics --ad-differentiate --canonicalize | FileCheck %s
// RUN: ad-opt %s --split-input-file --verify-diagnostics --mlir-timing --cse 2>&1 | FileCheck --check-prefix=TIMING %s

// HELP-DAG: --ad-differentiate
// HELP-DAG: --ad-generate
// HELP-DAG: --ad-lower-to-llvm
// HELP-DAG: --ad-optimize
// HELP-DAG: --ad-simplify
// HELP-DAG: --lower-soac-to-loops
// HELP-DAG: --one-shot-bufferize
// HELP-DAG: --mlir-print-ir-after-all
// HELP-DAG: --run-reproducer

// VERSION: LLVM version 22
// VERSION: ad-opt version

// DIALECTS: ad,{{.*}}arith,{{.*}}linalg,{{.*}}scf,{{.*}}soac,{{.*}}tensor

// TIMING: Execution time report
// TIMING: CSE


// CHECK-LABEL: func.func @folded
// CHECK-NEXT: %[[C:.*]] = arith.constant 3.000000e+00 : f64
// CHECK-NEXT: return %[[C]]
func.func @folded() -> f64 {
  %1 = arith.constant 1.0 : f64
  %2 = arith.constant 2.0 : f64
  %3 = arith.addf %1, %2 : f64
  return %3 : f64
}

// -----

func.func @wrong(%x: f64) -> f32 {
  // expected-error @+1 {{type of return operand 0 ('f64') doesn't match function result type ('f32')}}
  return %x : f64
}
