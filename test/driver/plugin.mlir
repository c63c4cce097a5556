// The stock mlir-opt runs our dialects, passes and pipelines from the plugin; ad-opt has its own, and takes no others.
// REQUIRES: plugin
// RUN: mlir-opt-22 %load-plugin --pass-pipeline='builtin.module(ad-differentiate,canonicalize)' %s | FileCheck %s
// RUN: ad-opt %load-plugin --pass-pipeline='builtin.module(ad-differentiate,canonicalize)' %s | FileCheck %s
// RUN: mlir-opt-22 %load-plugin --show-dialects | FileCheck --check-prefix=DIALECTS %s

// DIALECTS: ad,
// DIALECTS-SAME: soac,

// CHECK-LABEL: func.func @squares
// CHECK: soac.map ins(%{{.*}} : tensor<?xf64>)
// CHECK: soac.yield %{{.*}} : f64
func.func @squares(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = arith.mulf %x, %x : f64
    soac.yield %y : f64
  }
  return %ys : tensor<?xf64>
}
