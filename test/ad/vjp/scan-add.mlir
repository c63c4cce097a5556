// Running sums, also of rows: the adjoint is one running sum from the other end [F37].
// RUN: ad-opt %s --ad-optimize | FileCheck %s --implicit-check-not='= ad.' \
// RUN:   --implicit-check-not=soac.map --implicit-check-not=scf.for

func.func private @sums(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %ys = soac.scan ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %0 = arith.addf %l, %r : f64
    soac.yield %0 : f64
  }
  return %ys : tensor<?xf64>
}

// CHECK-LABEL: func.func @vjp_of_sums(
// CHECK-SAME:    %{{.*}}: tensor<?xf64>, %[[Y_BAR:.*]]: tensor<?xf64>)
// CHECK:         %[[X_BAR:.*]] = soac.scan ins(%[[Y_BAR]] : tensor<?xf64>) {{.*}} attributes {reverse} {
// CHECK-NEXT:      arith.addf
// CHECK:         return %[[X_BAR]]
func.func @vjp_of_sums(%x: tensor<?xf64>, %y_bar: tensor<?xf64>) -> tensor<?xf64> {
  %y:2 = ad.vjp @sums(%x) seed(%y_bar)
      : (tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %y#1 : tensor<?xf64>
}

func.func private @rows(%xs: tensor<?x?xf64>, %e: tensor<?xf64>) -> tensor<?x?xf64> {
  %ys = soac.scan ins(%xs : tensor<?x?xf64>) neutral(%e : tensor<?xf64>)
      (%l: tensor<?xf64>, %r: tensor<?xf64>) attributes {exclusive, reverse} {
    %0 = arith.addf %l, %r : tensor<?xf64>
    soac.yield %0 : tensor<?xf64>
  }
  return %ys : tensor<?x?xf64>
}

// CHECK-LABEL: func.func @vjp_of_rows(
// CHECK-SAME:    %[[Y_BAR:[a-z0-9]+]]: tensor<?x?xf64>)
// CHECK:         %[[X_BAR:.*]] = soac.scan ins(%[[Y_BAR]] : tensor<?x?xf64>) {{.*}} attributes {exclusive} {
// CHECK-NEXT:      arith.addf {{.*}} : tensor<?xf64>
// CHECK:         return %[[X_BAR]]
func.func @vjp_of_rows(%x: tensor<?x?xf64>, %e: tensor<?xf64>, %y_bar: tensor<?x?xf64>)
    -> tensor<?x?xf64> {
  %y:2 = ad.vjp @rows(%x, %e) seed(%y_bar) {wrt = array<i64: 0>}
      : (tensor<?x?xf64>, tensor<?xf64>), (tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>)
  return %y#1 : tensor<?x?xf64>
}
