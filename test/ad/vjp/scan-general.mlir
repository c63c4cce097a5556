// soac.scan of rows of dynamic size that the operator mixes: the return sweep is one loop
// against the direction of the scan, and of the forward sweep only the result is read.
// RUN: ad-opt %s --ad-optimize | FileCheck %s --implicit-check-not='= ad.'

// l op r = l + (1 + sum l) r.
func.func private @mix(%xs: tensor<?x?xf64>, %e: tensor<?xf64>) -> tensor<?x?xf64> {
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %ys = soac.scan ins(%xs : tensor<?x?xf64>) neutral(%e : tensor<?xf64>)
      (%l: tensor<?xf64>, %r: tensor<?xf64>) attributes {exclusive} {
    %s = soac.reduce ins(%l : tensor<?xf64>) neutral(%zero : f64) (%u: f64, %v: f64) {
      %0 = arith.addf %u, %v : f64
      soac.yield %0 : f64
    }
    %f = arith.addf %one, %s : f64
    %t = soac.map ins(%l, %r : tensor<?xf64>, tensor<?xf64>) (%u: f64, %v: f64) -> tensor<?xf64> {
      %0 = arith.mulf %f, %v : f64
      %1 = arith.addf %u, %0 : f64
      soac.yield %1 : f64
    }
    soac.yield %t : tensor<?xf64>
  }
  return %ys : tensor<?x?xf64>
}

// CHECK-LABEL: func.func @vjp_of_mix(
// CHECK-SAME:    %[[X:.*]]: tensor<?x?xf64>, %{{.*}}: tensor<?xf64>, %[[Y_BAR:.*]]: tensor<?x?xf64>)
// CHECK:         %[[Y:.*]] = soac.scan
// CHECK-NOT:     soac.scan
// CHECK:         %[[BARS:.*]]:2 = scf.for {{.*}} iter_args(%[[S_BAR:.*]] = %{{.*}}, %[[OUT:.*]] = %{{.*}})
// CHECK-DAG:       tensor.extract_slice %[[Y]]
// CHECK-DAG:       tensor.extract_slice %[[X]]
// CHECK-DAG:       tensor.extract_slice %[[Y_BAR]]
// CHECK:           tensor.insert_slice %{{.*}} into %[[OUT]]
// CHECK:         return %[[BARS]]#1
func.func @vjp_of_mix(%x: tensor<?x?xf64>, %e: tensor<?xf64>, %y_bar: tensor<?x?xf64>)
    -> tensor<?x?xf64> {
  %y:2 = ad.vjp @mix(%x, %e) seed(%y_bar) {wrt = array<i64: 0>}
      : (tensor<?x?xf64>, tensor<?xf64>), (tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>)
  return %y#1 : tensor<?x?xf64>
}
