// Branches between blocks hand on tangents beside the primals they are of [Z12, Z18].
// RUN: ad-opt %s --ad-differentiate --canonicalize --cse | FileCheck %s

func.func private @leaky(%x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %slope = arith.constant 0.01 : f64
  %positive = arith.cmpf ogt, %x, %zero : f64
  cf.cond_br %positive, ^large, ^small
^large:
  return %x : f64
^small:
  %y = arith.mulf %slope, %x : f64
  return %y : f64
}
// CHECK-LABEL: func.func private @leaky.jvp_0(
// CHECK-SAME: %[[X:[a-z0-9]+]]: f64, %[[X_DOT:[a-z0-9]+]]: f64)
// CHECK: %[[SLOPE:.*]] = arith.constant 1.000000e-02
// CHECK: cf.cond_br %{{.*}}, ^[[EXIT:[a-z0-9]+]](%[[X]], %[[X_DOT]] : f64, f64), ^[[SMALL:[a-z0-9]+]]
// CHECK: ^[[SMALL]]:
// CHECK: %[[Y:.*]] = arith.mulf %[[X]], %[[SLOPE]]
// CHECK: %[[Y_DOT:.*]] = arith.mulf %[[X_DOT]], %[[SLOPE]]
// CHECK: cf.br ^[[EXIT]](%[[Y]], %[[Y_DOT]] : f64, f64)
// CHECK: ^[[EXIT]](%[[R:.*]]: f64, %[[R_DOT:.*]]: f64):
// CHECK: return %[[R]], %[[R_DOT]]
func.func @leaky_jvp(%x: f64, %x_dot: f64) -> f64 {
  %r:2 = ad.jvp @leaky(%x) seed(%x_dot) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}
