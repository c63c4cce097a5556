// A scan takes two passes over one chunk more than there are threads.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-parallelize{threads=3},canonicalize,cse)' | FileCheck %s

// CHECK-LABEL: func.func @sums(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<100000xf64>
// The first thread scans the first of four chunks, and the others combine one each.
// CHECK: %[[FIRST:.*]]:2 = scf.forall (%[[T:.*]]) in (3) shared_outs(%[[YS:.*]] = %{{.*}}, %[[TOTALS:.*]] = %{{.*}}) -> (tensor<100000xf64>, tensor<3xf64>) {
// CHECK: %[[START:.*]] = arith.muli %[[T]], %c25000
// CHECK: %[[IS_FIRST:.*]] = arith.cmpi eq, %[[T]], %c0
// CHECK-DAG: arith.select %[[IS_FIRST]], %c25000, %c0
// CHECK-DAG: arith.select %[[IS_FIRST]], %c0, %c25000
// CHECK: soac.scan
// CHECK: soac.reduce
// CHECK: tensor.parallel_insert_slice
// CHECK: tensor.parallel_insert_slice
// The last element of the first chunk is what it combines to.
// CHECK: %[[LAST:.*]] = tensor.extract %[[FIRST]]#0[%c24999]
// CHECK: %[[ALL:.*]] = tensor.insert %[[LAST]] into %[[FIRST]]#1[%c0]
// CHECK: %[[BEFORE:.*]] = soac.scan ins(%[[ALL]] : tensor<3xf64>)
// CHECK: scf.forall (%[[T2:.*]]) in (3) shared_outs(%[[OUT:.*]] = %[[FIRST]]#0) -> (tensor<100000xf64>) {
// CHECK: %[[NEXT:.*]] = arith.addi %[[T2]], %c1
// CHECK: %[[OFFSET:.*]] = arith.muli %[[NEXT]], %c25000
// CHECK: %[[P:.*]] = tensor.extract %[[BEFORE]][%[[T2]]]
// CHECK: soac.map ins(%{{.*}}, %{{.*}} : tensor<25000xindex>, tensor<25000xf64>)
// CHECK: scf.if
// CHECK: arith.addf %[[P]],
// CHECK: %[[PART:.*]] = soac.scan ins(%{{.*}} : tensor<25000xf64>) neutral(%cst : f64)
// CHECK: tensor.parallel_insert_slice %[[PART]] into %[[OUT]][%[[OFFSET]]] [25000] [1]
func.func @sums(%xs: tensor<100000xf64>) -> tensor<100000xf64> {
  %zero = arith.constant 0.0 : f64
  %ys = soac.scan ins(%xs : tensor<100000xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return %ys : tensor<100000xf64>
}

// An exclusive scan starts from what is before the chunk. From the end, later chunks are further to the left.
// CHECK-LABEL: func.func @exclusive(
// CHECK: scf.forall (%{{.*}}) in (%{{.*}})
// CHECK: scf.forall (%[[T:.*]]) in (%{{.*}})
// CHECK: %[[P:.*]] = tensor.extract %{{.*}}[%[[T]]]
// CHECK: soac.scan ins(%{{.*}} : tensor<?xf64>) neutral(%[[P]] : f64) {{.*}} attributes {exclusive, reverse}
func.func @exclusive(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %ys = soac.scan ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) attributes {exclusive, reverse} {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return %ys : tensor<?xf64>
}

// The slopes of a linear recurrence are combined, but nobody reads the products so far: they are not stored.
// CHECK-LABEL: func.func @recurrence(
// CHECK: scf.forall {{.*}} -> (tensor<100000xf64>, tensor<3xf64>, tensor<3xf64>)
// CHECK: scf.forall {{.*}} -> (tensor<100000xf64>)
func.func @recurrence(%as: tensor<100000xf64>, %xs: tensor<100000xf64>) -> tensor<100000xf64> {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %ys:2 = soac.scan ins(%as, %xs : tensor<100000xf64>, tensor<100000xf64>) neutral(%one, %zero : f64, f64)
      (%a: f64, %p: f64, %c: f64, %q: f64) {
    %slope = arith.mulf %a, %c : f64
    %t = arith.mulf %c, %p : f64
    %s = arith.addf %t, %q : f64
    soac.yield %slope, %s : f64, f64
  }
  return %ys#1 : tensor<100000xf64>
}
