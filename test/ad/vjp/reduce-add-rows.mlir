// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce | FileCheck %s

// Rows added by a map are a sum too: no scan, the adjoint is a broadcast [F25].
func.func private @rows(%xs: tensor<?x?xf64>, %zeros: tensor<?xf64>) -> tensor<?xf64> {
  %s = soac.reduce ins(%xs : tensor<?x?xf64>) neutral(%zeros : tensor<?xf64>)
      (%a: tensor<?xf64>, %b: tensor<?xf64>) {
    %t = soac.map ins(%b, %a : tensor<?xf64>, tensor<?xf64>) (%x: f64, %y: f64) -> tensor<?xf64> {
      %u = arith.addf %x, %y : f64
      soac.yield %u : f64
    }
    soac.yield %t : tensor<?xf64>
  }
  return %s : tensor<?xf64>
}
// CHECK-LABEL: func.func @rows_vjp(
// CHECK-NOT: soac.scan
// CHECK: %[[BROADCAST:.*]] = soac.replicate %{{.*}} : tensor<?xf64> -> tensor<?x?xf64>
// CHECK-NOT: soac.scan
// CHECK: return %[[BROADCAST]]
func.func @rows_vjp(%xs: tensor<?x?xf64>, %zeros: tensor<?xf64>, %y_bar: tensor<?xf64>) -> tensor<?x?xf64> {
  %r:2 = ad.vjp @rows(%xs, %zeros) seed(%y_bar) {wrt = array<i64: 0>}
      : (tensor<?x?xf64>, tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>)
  return %r#1 : tensor<?x?xf64>
}

// A map that adds something else is no sum: the general rule, with its two scans.
func.func private @not_rows(%xs: tensor<?x?xf64>, %zeros: tensor<?xf64>) -> tensor<?xf64> {
  %s = soac.reduce ins(%xs : tensor<?x?xf64>) neutral(%zeros : tensor<?xf64>)
      (%a: tensor<?xf64>, %b: tensor<?xf64>) {
    %t = soac.map ins(%a, %b : tensor<?xf64>, tensor<?xf64>) (%x: f64, %y: f64) -> tensor<?xf64> {
      %p = arith.mulf %x, %y : f64
      %q = arith.addf %x, %y : f64
      %u = arith.addf %p, %q : f64
      soac.yield %u : f64
    }
    soac.yield %t : tensor<?xf64>
  }
  return %s : tensor<?xf64>
}
// CHECK-LABEL: func.func @not_rows_vjp(
// CHECK-COUNT-2: soac.scan
func.func @not_rows_vjp(%xs: tensor<?x?xf64>, %zeros: tensor<?xf64>, %y_bar: tensor<?xf64>) -> tensor<?x?xf64> {
  %r:2 = ad.vjp @not_rows(%xs, %zeros) seed(%y_bar) {wrt = array<i64: 0>}
      : (tensor<?x?xf64>, tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>)
  return %r#1 : tensor<?x?xf64>
}
