// After a maximum only the iteration that gave it is differentiated [F31]: no map in the return sweep.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce | FileCheck %s --implicit-check-not='= ad.'

func.func private @greatest_sine(%xs: tensor<?xf64>, %w: f64) -> f64 {
  %e = arith.constant 0xFFF0000000000000 : f64
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %z = arith.mulf %x, %w : f64
    %y = math.sin %z : f64
    soac.yield %y : f64
  }
  %y = soac.reduce ins(%ys : tensor<?xf64>) neutral(%e : f64) (%l: f64, %r: f64) {
    %m = arith.maximumf %l, %r : f64
    soac.yield %m : f64
  }
  return %y : f64
}
// CHECK-LABEL: func.func @greatest_sine_vjp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[W:[a-z0-9]+]]: f64, %[[Y_BAR:[a-z0-9]+]]: f64)
// CHECK: %[[YS:.*]] = soac.map
// CHECK: %[[Y:.*]]:2 = soac.reduce ins(%[[YS]],
// CHECK-NOT: soac.map
// CHECK: scf.if
// CHECK: %[[X:.*]] = tensor.extract %[[XS]][%[[Y]]#1]
// CHECK: %[[Z:.*]] = arith.mulf %[[X]], %[[W]]
// CHECK: %[[COS:.*]] = math.cos %[[Z]]
// CHECK: %[[Z_BAR:.*]] = arith.mulf %[[Y_BAR]], %[[COS]]
// CHECK-DAG: %[[X_BAR:.*]] = arith.mulf %[[Z_BAR]], %[[W]]
// CHECK-DAG: arith.mulf %[[Z_BAR]], %[[X]]
// CHECK: tensor.insert %{{.*}} into %{{.*}}[%[[Y]]#1]
// CHECK-NOT: soac.map
// CHECK: return
func.func @greatest_sine_vjp(%xs: tensor<?xf64>, %w: f64, %y_bar: f64) -> (tensor<?xf64>, f64) {
  %r:3 = ad.vjp @greatest_sine(%xs, %w) seed(%y_bar) : (tensor<?xf64>, f64), (f64) -> (f64, tensor<?xf64>, f64)
  return %r#1, %r#2 : tensor<?xf64>, f64
}
