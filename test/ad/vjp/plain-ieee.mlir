// RUN: ad-opt %s "--ad-differentiate=plain-ieee" --inline --canonicalize --cse --symbol-dce | FileCheck %s --check-prefix=PLAIN
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce | FileCheck %s --check-prefix=MASKED
//
// With plain-ieee the zero of a branch that was not taken is multiplied by the slope of the root like
// any other; without it the product is masked once more.

func.func private @choose(%c: i1, %x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %root = math.sqrt %x : f64
  %y = arith.select %c, %root, %zero : f64
  return %y : f64
}

// PLAIN-LABEL: func.func @gradient
// PLAIN: arith.select
// PLAIN: arith.divf
// PLAIN: %[[SLOPE:.*]] = arith.mulf
// PLAIN: %[[PRODUCT:.*]] = arith.mulf %{{.*}}, %[[SLOPE]]
// PLAIN-NOT: arith.select
// PLAIN: return %[[PRODUCT]]
// MASKED-LABEL: func.func @gradient
// MASKED: arith.select
// MASKED: arith.divf
// MASKED: %[[SLOPE:.*]] = arith.mulf
// MASKED: %[[PRODUCT:.*]] = arith.mulf %{{.*}}, %[[SLOPE]]
// MASKED: %[[KEPT:.*]] = arith.select %{{.*}}, %[[PRODUCT]]
// MASKED: return %[[KEPT]]
func.func @gradient(%c: i1, %x: f64, %seed: f64) -> f64 {
  %r:2 = ad.vjp @choose(%c, %x) seed(%seed) : (i1, f64), (f64) -> (f64, f64)
  return %r#1 : f64
}
