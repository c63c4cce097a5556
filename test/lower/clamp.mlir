// RUN: ad-opt %s --lower-clamp | FileCheck %s
// RUN: ad-opt run %s --entry=clamp --input=-2 | FileCheck %s --check-prefix=UNDER
// RUN: ad-opt run %s --entry=clamp --input=0.25 | FileCheck %s --check-prefix=INSIDE
// RUN: ad-opt run %s --entry=clamp --input=2 | FileCheck %s --check-prefix=ABOVE

// The upper bound goes with the minimum; MLIR 22 has it the other way round.

// CHECK-LABEL: func.func @clamp
// CHECK-SAME: (%[[X:.+]]: f64)
// CHECK-DAG: %[[LOW:.+]] = arith.constant -5.000000e-01 : f64
// CHECK-DAG: %[[HIGH:.+]] = arith.constant 5.000000e-01 : f64
// CHECK: %[[BELOW:.+]] = arith.minimumf %[[X]], %[[HIGH]] fastmath<contract> : f64
// CHECK: %[[WITHIN:.+]] = arith.maximumf %[[BELOW]], %[[LOW]] fastmath<contract> : f64
// CHECK: return %[[WITHIN]]

// UNDER: -0.5
// INSIDE: 0.25
// ABOVE: {{^}}0.5
func.func @clamp(%x: f64) -> f64 {
  %low = arith.constant -0.5 : f64
  %high = arith.constant 0.5 : f64
  %y = math.clampf %x to [%low, %high] fastmath<contract> : f64
  return %y : f64
}
