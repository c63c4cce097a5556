// RUN: ad-opt %s "--ad-differentiate=plain-ieee" --inline --canonicalize --cse --symbol-dce | FileCheck %s --check-prefix=PLAIN
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce | FileCheck %s --check-prefix=MASKED
//
// With plain-ieee the zero of a branch that was not taken is divided by the root like
// any other; without it the quotient is masked once more.

func.func private @choose(%c: i1, %x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %root = math.sqrt %x : f64
  %y = arith.select %c, %root, %zero : f64
  return %y : f64
}

// PLAIN-LABEL: func.func @gradient
// PLAIN: arith.select
// PLAIN: %[[QUOTIENT:.*]] = arith.divf
// PLAIN-NOT: arith.select
// PLAIN: return %[[QUOTIENT]]
// MASKED-LABEL: func.func @gradient
// MASKED: arith.select
// MASKED: %[[QUOTIENT:.*]] = arith.divf
// MASKED: %[[KEPT:.*]] = arith.select %{{.*}}, %[[QUOTIENT]]
// MASKED: return %[[KEPT]]
func.func @gradient(%c: i1, %x: f64, %seed: f64) -> f64 {
  %r:2 = ad.vjp @choose(%c, %x) seed(%seed) : (i1, f64), (f64) -> (f64, f64)
  return %r#1 : f64
}
