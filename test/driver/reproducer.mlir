// A reproducer of a pipeline with our passes runs again.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-differentiate,ad-simplify,cse)' --mlir-generate-reproducer=%t.mlir -o %t.first.mlir
// RUN: FileCheck --check-prefix=REPRODUCER --input-file=%t.mlir %s
// RUN: ad-opt %t.mlir --run-reproducer | FileCheck %s

// REPRODUCER: pipeline: "builtin.module(ad-differentiate{memory-budget=0 plain-ieee=false residuals=mixed},ad-simplify,cse)"

// CHECK-LABEL: func.func @twice
// CHECK: %[[A:.*]] = arith.mulf
// CHECK-NEXT: return %[[A]], %[[A]]
func.func @twice(%x: f64) -> (f64, f64) {
  %0 = arith.mulf %x, %x : f64
  %1 = arith.mulf %x, %x : f64
  return %0, %1 : f64, f64
}
