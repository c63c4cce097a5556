// The derivative of the README's program is what one would write by hand: one map, and nothing of
// the forward sweep left in it (F11, F12).
// RUN: ad-opt %examples/quickstart.mlir --ad-optimize | FileCheck %s

// CHECK-LABEL: func.func @gradient(
// CHECK-SAME:    %[[X:.*]]: tensor<?xf64>) -> tensor<?xf64>
// CHECK-NEXT:  %[[XBAR:.*]] = soac.map ins(%[[X]] : tensor<?xf64>) (%[[XI:.*]]: f64)
// CHECK-NEXT:    %[[SIN:.*]] = math.sin %[[XI]]
// CHECK-NEXT:    %[[COS:.*]] = math.cos %[[XI]]
// CHECK-NEXT:    %[[XCOS:.*]] = arith.mulf %[[XI]], %[[COS]]
// CHECK-NEXT:    %[[SUM:.*]] = arith.addf %[[SIN]], %[[XCOS]]
// CHECK-NEXT:    soac.yield %[[SUM]]
// CHECK-NEXT:  }
// CHECK-NEXT:  return %[[XBAR]]
