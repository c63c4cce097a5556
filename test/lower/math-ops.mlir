// RUN: ad-opt %s --lower-math-ops | FileCheck %s
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

// One operation of two results is two of one.
// RUN: ad-opt run %s --entry=sincos --input=0.5 | FileCheck %s --check-prefix=VALUES

// CHECK-LABEL: func.func @sincos
// CHECK-SAME: (%[[X:.+]]: f64)
// CHECK: %[[SIN:.+]] = math.sin %[[X]] : f64
// CHECK: %[[COS:.+]] = math.cos %[[X]] : f64
// CHECK: return %[[SIN]], %[[COS]]
// VALUES: 0.479425538604203
// VALUES: 0.8775825618903728
func.func @sincos(%x: f64) -> (f64, f64) {
  %sin, %cos = math.sincos %x : f64
  return %sin, %cos : f64, f64
}
