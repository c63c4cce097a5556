// tensor.splat, forward mode: the tangent goes through the operation itself [F01].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

func.func private @splat(%x: f64, %n: index) -> tensor<?xf64> {
  %r = tensor.splat %x[%n] : tensor<?xf64>
  return %r : tensor<?xf64>
}
// CHECK-LABEL: func.func @splat_jvp(
// CHECK-SAME: %[[X:[a-z0-9]+]]: f64, %[[N:[a-z0-9]+]]: index, %[[X_DOT:[a-z0-9]+]]: f64)
// CHECK: %[[SPLAT:.*]] = tensor.splat %[[X]][%[[N]]]
// CHECK: %[[SPLAT2:.*]] = tensor.splat %[[X_DOT]][%[[N]]]
// CHECK: return %[[SPLAT]], %[[SPLAT2]]
func.func @splat_jvp(%x: f64, %n: index, %x_dot: f64) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:2 = ad.jvp @splat(%x, %n) seed(%x_dot)
      : (f64, index), (f64) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}
