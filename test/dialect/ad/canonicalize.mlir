// Folds of the ad dialect.
// RUN: ad-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @stop_twice(
// CHECK-NEXT: %[[Y:.*]] = ad.stop_gradient %{{.*}} : f64
// CHECK-NEXT: return %[[Y]]
func.func @stop_twice(%x: f64) -> f64 {
  %y = ad.stop_gradient %x : f64
  %z = ad.stop_gradient %y : f64
  return %z : f64
}

// CHECK-LABEL: func.func @stop_constant(
// CHECK-NEXT: %[[C:.*]] = arith.constant
// CHECK-NEXT: return %[[C]]
func.func @stop_constant() -> f64 {
  %c = arith.constant 2.0 : f64
  %y = ad.stop_gradient %c : f64
  return %y : f64
}

// A gradient must not be dropped by folding the stop itself away.
// CHECK-LABEL: func.func @stop_stays(
// CHECK: ad.stop_gradient
func.func @stop_stays(%x: f64) -> f64 {
  %y = ad.stop_gradient %x : f64
  return %y : f64
}
