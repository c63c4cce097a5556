// Bodies of lambdas become functions that take what they read from around them [M08, M18, MYIA 4].
// RUN: ad-opt %s --ad-closure-convert | FileCheck %s

// Two values are captured; the constant is copied.
// CHECK-LABEL: func.func @two(
// CHECK-SAME: %[[A:[^:]*]]: f64, %[[B:[^:]*]]: f64
func.func @two(%a: f64, %b: f64) -> f64 {
  // CHECK-NOT: ad.lambda
  // CHECK: %[[F:.*]] = ad.closure @two.lambda(%[[A]], %[[B]]) : (f64, f64) -> !ad.closure<(f64) -> f64>
  // CHECK: ad.call %[[F]](%[[A]])
  %two = arith.constant 2.0 : f64
  %f = ad.lambda (%x: f64) -> f64 {
    %u = arith.mulf %a, %x : f64
    %v = arith.addf %u, %b : f64
    %w = arith.mulf %v, %two : f64
    ad.yield %w : f64
  }
  %y = ad.call %f(%a) : !ad.closure<(f64) -> f64>
  return %y : f64
}

// The inner lambda captures from two levels: what is outermost goes through the outer lambda.
// CHECK-LABEL: func.func @nested(
// CHECK-SAME: %[[A:[^:]*]]: f64, %[[X:[^:]*]]: f64
func.func @nested(%a: f64, %x: f64) -> f64 {
  // CHECK: ad.closure @nested.lambda_1(%[[A]]) : (f64) -> !ad.closure<(f64) -> f64>
  %f = ad.lambda (%u: f64) -> f64 {
    %g = ad.lambda (%v: f64) -> f64 {
      %p = arith.mulf %u, %v : f64
      %q = arith.addf %p, %a : f64
      ad.yield %q : f64
    }
    %r = ad.call %g(%u) : !ad.closure<(f64) -> f64>
    ad.yield %r : f64
  }
  %y = ad.call %f(%x) : !ad.closure<(f64) -> f64>
  return %y : f64
}

// CHECK-LABEL: func.func private @two.lambda(
// CHECK-SAME: %[[A:[^:]*]]: f64, %[[B:[^:]*]]: f64, %[[X:[^:]*]]: f64) -> f64
// CHECK: %[[TWO:.*]] = arith.constant 2.0
// CHECK: arith.mulf %[[A]], %[[X]]
// CHECK: arith.addf %{{.*}}, %[[B]]
// CHECK: arith.mulf %{{.*}}, %[[TWO]]
// CHECK: return

// CHECK-LABEL: func.func private @nested.lambda(
// CHECK-SAME: %[[U:[^:]*]]: f64, %[[A:[^:]*]]: f64, %[[V:[^:]*]]: f64) -> f64
// CHECK: arith.mulf %[[U]], %[[V]]
// CHECK: arith.addf %{{.*}}, %[[A]]

// CHECK-LABEL: func.func private @nested.lambda_1(
// CHECK-SAME: %[[A:[^:]*]]: f64, %[[U:[^:]*]]: f64) -> f64
// CHECK: ad.closure @nested.lambda(%[[U]], %[[A]])
