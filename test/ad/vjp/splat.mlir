// tensor.splat: the cotangent of the value is the sum of that of the array.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

func.func private @splat(%x: f64, %n: index) -> tensor<?xf64> {
  %r = tensor.splat %x[%n] : tensor<?xf64>
  return %r : tensor<?xf64>
}
// CHECK-LABEL: func.func @splat_vjp(
// CHECK-SAME: %[[X:[a-z0-9]+]]: f64, %[[N:[a-z0-9]+]]: index, %[[Y_BAR:[a-z0-9]+]]: tensor<?xf64>)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0.000000e+00 : f64
// CHECK: %[[REDUCE:.*]] = soac.reduce ins(%[[Y_BAR]] : tensor<?xf64>) neutral(%[[CONST]] : f64) (%[[E:[a-z0-9]+]]: f64, %[[E2:[a-z0-9]+]]: f64) {
// CHECK: %[[ADDF:.*]] = arith.addf %[[E]], %[[E2]]
// CHECK: soac.yield %[[ADDF]]
// CHECK: return %[[REDUCE]]
func.func @splat_vjp(%x: f64, %n: index, %y_bar: tensor<?xf64>) -> f64 {
  %r:2 = ad.vjp @splat(%x, %n) seed(%y_bar)
      : (f64, index), (tensor<?xf64>) -> (tensor<?xf64>, f64)
  return %r#1 : f64
}
