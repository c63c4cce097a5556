// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce | FileCheck %s
//
// The return sweep is one loop against the direction of the scan; of the forward
// sweep only the result is read.

func.func @prefix(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %ys = soac.scan ins(%xs : tensor<?xf64>) neutral(%one : f64) (%l: f64, %r: f64)
      attributes {exclusive} {
    %0 = arith.mulf %l, %r : f64
    soac.yield %0 : f64
  }
  return %ys : tensor<?xf64>
}

// CHECK-LABEL: func.func @vjp_of_scan
// CHECK-SAME:    %[[X:.*]]: tensor<?xf64>, %[[Y_BAR:.*]]: tensor<?xf64>
// CHECK:         %[[Y:.*]] = soac.scan
// CHECK:         %[[BARS:.*]]:2 = scf.for {{.*}} iter_args(%[[S_BAR:.*]] = %{{.*}}, %[[OUT:.*]] = %{{.*}})
// CHECK-DAG:       %[[STATE:.*]] = tensor.extract %[[Y]]
// CHECK-DAG:       %[[ROW:.*]] = tensor.extract %[[X]]
// CHECK-DAG:       %[[A_BAR:.*]] = arith.mulf %[[S_BAR]], %[[STATE]]
// CHECK-DAG:       tensor.insert %[[A_BAR]] into %[[OUT]]
// CHECK:         return %[[BARS]]#1
func.func @vjp_of_scan(%x: tensor<?xf64>, %y_bar: tensor<?xf64>) -> tensor<?xf64> {
  %y:2 = ad.vjp @prefix(%x) seed(%y_bar)
      : (tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %y#1 : tensor<?xf64>
}
