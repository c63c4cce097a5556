// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce | FileCheck %s
//
// Forward mode keeps one scan, over pairs of primal and tangent (F10).

func.func @prefix(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %ys = soac.scan ins(%xs : tensor<?xf64>) neutral(%one : f64) (%l: f64, %r: f64)
      attributes {exclusive} {
    %0 = arith.mulf %l, %r : f64
    soac.yield %0 : f64
  }
  return %ys : tensor<?xf64>
}

// CHECK-LABEL: func.func @jvp_of_scan
// CHECK-SAME:    %[[X:.*]]: tensor<?xf64>, %[[X_DOT:.*]]: tensor<?xf64>
// CHECK:         %[[Y:.*]]:2 = soac.scan ins(%[[X]], %[[X_DOT]] : tensor<?xf64>, tensor<?xf64>)
// CHECK-SAME:      (%[[L:.*]]: f64, %[[L_DOT:.*]]: f64, %[[R:.*]]: f64, %[[R_DOT:.*]]: f64) attributes {exclusive}
// CHECK-NOT:     soac.scan
// CHECK:         return %[[Y]]#1
func.func @jvp_of_scan(%x: tensor<?xf64>, %x_dot: tensor<?xf64>) -> tensor<?xf64> {
  %y:2 = ad.jvp @prefix(%x) seed(%x_dot)
      : (tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %y#1 : tensor<?xf64>
}
