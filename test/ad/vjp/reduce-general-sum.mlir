// A sum that the rule for + does not recognise: the general rule, two scans and a map, simplifies to the
// broadcast of the rule for + [F25].
// RUN: ad-opt %s --ad-optimize | FileCheck %s --implicit-check-not='soac.scan' --implicit-check-not='soac.map' --implicit-check-not='soac.reduce'

func.func private @sum(%xs: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %y = soac.reduce ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %n = arith.negf %r : f64
    %m = arith.subf %l, %n : f64
    soac.yield %m : f64
  }
  return %y : f64
}
// CHECK-LABEL: func.func @sum_vjp(
// CHECK-SAME: %{{.*}}: tensor<?xf64>, %[[Y_BAR:[a-z0-9]+]]: f64)
// CHECK: %[[XS_BAR:.*]] = soac.replicate %[[Y_BAR]], %{{.*}} : f64 -> tensor<?xf64>
// CHECK: return %[[XS_BAR]]
func.func @sum_vjp(%xs: tensor<?xf64>, %y_bar: f64) -> tensor<?xf64> {
  %r:2 = ad.vjp @sum(%xs) seed(%y_bar) : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
