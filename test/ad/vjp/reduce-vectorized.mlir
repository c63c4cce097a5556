// Rows under an operator that works element by element: transpose, map of reductions, transpose, so
// that the rules for scalar operators apply.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce | FileCheck %s --implicit-check-not='= ad.' --implicit-check-not='soac.scan' --implicit-check-not='soac.with_acc'

func.func private @rows(%m: tensor<?x?xf64>, %e: tensor<?xf64>) -> tensor<?xf64> {
  %y = soac.reduce ins(%m : tensor<?x?xf64>) neutral(%e : tensor<?xf64>) (%l: tensor<?xf64>, %r: tensor<?xf64>) {
    %p = arith.maximumf %l, %r : tensor<?xf64>
    soac.yield %p : tensor<?xf64>
  }
  return %y : tensor<?xf64>
}
// CHECK-LABEL: func.func @rows_vjp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?x?xf64>, %[[E:[a-z0-9]+]]: tensor<?xf64>, %[[Y_BAR:[a-z0-9]+]]: tensor<?xf64>)
// CHECK: %[[COLUMNS:.*]] = soac.map
// CHECK: tensor.extract_slice %[[XS]][0, %
// CHECK: %[[COLUMNS_BAR:.*]] = soac.map ins(%[[COLUMNS]], %[[E]], %[[Y_BAR]] : {{.*}}) (%[[COLUMN:.*]]: tensor<?xf64>, %[[E_J:.*]]: f64, %[[Y_BAR_J:.*]]: f64) -> tensor<?x?xf64> {
// CHECK: %[[Y:.*]]:2 = soac.reduce ins(%[[COLUMN]],
// CHECK: tensor.insert %[[Y_BAR_J]] into %{{.*}}[%[[Y]]#1]
// CHECK: %[[XS_BAR:.*]] = soac.map
// CHECK: tensor.extract_slice %[[COLUMNS_BAR]][0, %
// CHECK: return %[[XS_BAR]]
func.func @rows_vjp(%xs: tensor<?x?xf64>, %e: tensor<?xf64>, %y_bar: tensor<?xf64>) -> tensor<?x?xf64> {
  %r:2 = ad.vjp @rows(%xs, %e) seed(%y_bar) {wrt = array<i64: 0>}
      : (tensor<?x?xf64>, tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>)
  return %r#1 : tensor<?x?xf64>
}
