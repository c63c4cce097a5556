// A component of a scan that nobody reads, and that no other needs of the running tuple, is left
// out of the loop: what is left of a scan over linear functions is the recurrence.
// RUN: ad-opt %s --lower-soac-to-loops --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @recurrence(
// CHECK-SAME:    %[[D:[a-z0-9]+]]: tensor<?xf64> {{[^,]*}}, %[[C:[a-z0-9]+]]: tensor<?xf64>
// CHECK:         scf.for {{.*}} iter_args(%[[S:.*]] = %{{.*}}, %[[OUT:.*]] = %{{.*}}) -> (f64, tensor<?xf64>) {
// CHECK-DAG:       %[[DI:.*]] = tensor.extract %[[D]]
// CHECK-DAG:       %[[CI:.*]] = tensor.extract %[[C]]
// CHECK:           %[[CS:.*]] = arith.mulf %[[CI]], %[[S]]
// CHECK-NEXT:      %[[NEXT:.*]] = arith.addf %[[DI]], %[[CS]]
// CHECK-NOT:       arith.mulf
// CHECK:           scf.yield %[[NEXT]]
func.func @recurrence(%d: tensor<?xf64>, %c: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %ys:2 = soac.scan ins(%d, %c : tensor<?xf64>, tensor<?xf64>) neutral(%zero, %one : f64, f64)
      (%d1: f64, %c1: f64, %d2: f64, %c2: f64) attributes {exclusive, reverse} {
    %0 = arith.mulf %c1, %d2 : f64
    %1 = arith.addf %d1, %0 : f64
    %2 = arith.mulf %c1, %c2 : f64
    soac.yield %1, %2 : f64, f64
  }
  return %ys#0 : tensor<?xf64>
}

// The second component is needed by the first one; nobody reads its array.
// CHECK-LABEL: func.func @needed(
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (f64, f64, tensor<?xf64>) {
func.func @needed(%d: tensor<?xf64>, %c: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %ys:2 = soac.scan ins(%d, %c : tensor<?xf64>, tensor<?xf64>) neutral(%zero, %one : f64, f64)
      (%d1: f64, %c1: f64, %d2: f64, %c2: f64) {
    %0 = arith.mulf %c1, %d2 : f64
    %1 = arith.addf %d1, %0 : f64
    %2 = arith.mulf %c1, %c2 : f64
    soac.yield %1, %2 : f64, f64
  }
  return %ys#0 : tensor<?xf64>
}
