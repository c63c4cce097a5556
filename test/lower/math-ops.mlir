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

// Infinite numbers, and those that have all their digits: infinity, the largest number, the smallest normal one and one
// below it, zero, and what is no number.
// RUN: %python %S/../driver/Inputs/npy.py %t.xs.npy '<f4' '(7,)' inf -inf 3.4028234e38 1.1754944e-38 -1.1754942e-38 0 nan
// RUN: ad-opt run %s --entry=kinds --input=%t.xs.npy | FileCheck %s --check-prefix=KINDS
// RUN: ad-opt run %s --entry=kinds --input=%t.xs.npy --target=gpu-emulate | FileCheck %s --check-prefix=KINDS
// RUN: ad-opt check %s --entry=kinds_of --input=0.5
// CHECK-LABEL: func.func @kinds_of
// CHECK: %[[SIZE:.+]] = math.absf %{{.+}} : f16
// CHECK: arith.cmpf oeq, %[[SIZE]], %{{.+}} : f16
// KINDS: [true, true, false, false, false, false, false]
// KINDS: [false, false, true, true, false, false, false]
func.func @kinds(%xs: tensor<?xf32>) -> (tensor<?xi1>, tensor<?xi1>) {
  %infinite = math.isinf %xs : tensor<?xf32>
  %normal = math.isnormal %xs : tensor<?xf32>
  return %infinite, %normal : tensor<?xi1>, tensor<?xi1>
}

func.func @kinds_of(%x: f64) -> f64 {
  %half = arith.truncf %x : f64 to f16
  %is_infinite = math.isinf %half : f16
  %is_normal = math.isnormal %half : f16
  %y = math.sin %x : f64
  %z = arith.select %is_normal, %y, %x : f64
  %w = arith.select %is_infinite, %x, %z : f64
  return %w : f64
}
