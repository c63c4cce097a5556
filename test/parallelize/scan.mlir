// A scan takes two passes: the threads combine pieces of all chunks but the last, and then scan the chunks.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-parallelize{threads=3},canonicalize,cse)' | FileCheck %s

// CHECK-LABEL: func.func @sums(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<120000xf64>
// Each of two chunks is three pieces; each of these is four parts, which are added up side by side.
// CHECK: %[[TOTALS:.*]] = scf.forall (%[[I:.*]]) in (6) {{.*}} -> (tensor<6xf64>) {
// CHECK: %[[CHUNK:.*]] = arith.divui %[[I]], %c3
// CHECK: arith.muli %[[CHUNK]], %c40000
// CHECK: arith.remui %[[I]], %c3
// CHECK: %[[SUMS:.*]]:4 = soac.reduce
// CHECK: %[[REST:.*]] = soac.reduce
// CHECK: arith.addf %[[SUMS]]#0, %[[SUMS]]#1
// CHECK: arith.addf %{{.*}}, %[[REST]]
// CHECK: tensor.parallel_insert_slice
// CHECK: %[[BEFORE:.*]] = soac.scan ins(%[[TOTALS]] : tensor<6xf64>)
// A chunk starts from what all pieces of the chunks before combine to.
// CHECK: scf.forall (%[[T:.*]]) in (3) shared_outs(%[[OUT:.*]] = %{{.*}}) -> (tensor<120000xf64>) {
// CHECK: %[[OFFSET:.*]] = arith.muli %[[T]], %c40000
// CHECK: %[[IS_FIRST:.*]] = arith.cmpi eq, %[[T]], %c0
// CHECK: %[[START:.*]] = scf.if %[[IS_FIRST]]
// CHECK: scf.yield %cst
// CHECK: %[[PIECES:.*]] = arith.muli %[[T]], %c3
// CHECK: %[[LAST:.*]] = arith.subi %[[PIECES]], %c1
// CHECK: tensor.extract %[[BEFORE]][%[[LAST]]]
// CHECK: %[[PART:.*]] = soac.scan ins(%{{.*}} : tensor<40000xf64>) neutral(%[[START]] : f64)
// CHECK: tensor.parallel_insert_slice %[[PART]] into %[[OUT]][%[[OFFSET]]] [40000] [1]
func.func @sums(%xs: tensor<120000xf64>) -> tensor<120000xf64> {
  %zero = arith.constant 0.0 : f64
  %ys = soac.scan ins(%xs : tensor<120000xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return %ys : tensor<120000xf64>
}

// From the end, chunks are counted from the end. Where a second pass may not pay, there is a branch.
// CHECK-LABEL: func.func @exclusive(
// CHECK: %[[LARGE:.*]] = arith.andi
// CHECK: scf.if %[[LARGE]] -> (tensor<?xf64>) {
// CHECK: scf.forall (%{{.*}}) in (6)
// CHECK: scf.forall (%[[T:.*]]) in (3)
// CHECK: %[[START:.*]] = scf.if
// CHECK: soac.scan ins(%{{.*}} : tensor<?xf64>) neutral(%[[START]] : f64) {{.*}} attributes {exclusive, reverse}
// CHECK: } else {
// CHECK-NEXT: soac.scan ins(%{{.*}} : tensor<?xf64>) neutral(%cst : f64)
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
// CHECK: scf.forall {{.*}} -> (tensor<6xf64>, tensor<6xf64>)
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

// A scan runs in the loop of the reduction that reads it: its results are not stored.
// CHECK-LABEL: func.func @dot(
// CHECK: scf.forall {{.*}} -> (tensor<6xf64>)
// CHECK: scf.forall {{.*}} -> (tensor<3xf64>)
// CHECK: %[[YS:.*]] = soac.scan
// CHECK: %[[TERMS:.*]] = soac.map ins(%[[YS]],
// CHECK: %[[SUM:.*]] = soac.reduce ins(%[[TERMS]]
// CHECK: tensor.from_elements %[[SUM]]
// CHECK-NOT: tensor<100000xf64> {
// CHECK: return
func.func @dot(%xs: tensor<100000xf64>, %ws: tensor<100000xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %ys = soac.scan ins(%xs : tensor<100000xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  %terms = soac.map ins(%ys, %ws : tensor<100000xf64>, tensor<100000xf64>) (%y: f64, %w: f64) -> tensor<100000xf64> {
    %t = arith.mulf %y, %w : f64
    soac.yield %t : f64
  }
  %sum = soac.reduce ins(%terms : tensor<100000xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return %sum : f64
}

// A map goes the way of the scan that runs in its loop, and one scan only: the other one is stored.
// CHECK-LABEL: func.func @both_ways(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<100000xf64>
// CHECK: %[[STORED:.*]] = scf.forall {{.*}} -> (tensor<100000xf64>)
// CHECK: scf.forall (%[[T:.*]]) in (3) {{.*}} -> (tensor<100000xf64>)
// CHECK: %[[BEHIND:.*]] = arith.minsi
// CHECK: %[[LEFT:.*]] = arith.subi %c100000, %[[BEHIND]]
// CHECK: %[[SIZE:.*]] = arith.minsi %[[LEFT]]
// CHECK: %[[OFFSET:.*]] = arith.subi %[[LEFT]], %[[SIZE]]
// CHECK: %[[ROWS:.*]] = soac.map ins(%{{.*}}, %{{.*}} : tensor<?xf64>, tensor<?xf64>)
// CHECK: tensor.parallel_insert_slice %[[ROWS]] into %{{.*}}[%[[OFFSET]]] [%[[SIZE]]] [1]
func.func @both_ways(%xs: tensor<100000xf64>) -> tensor<100000xf64> {
  %zero = arith.constant 0.0 : f64
  %from_left = soac.scan ins(%xs : tensor<100000xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  %from_right = soac.scan ins(%xs : tensor<100000xf64>) neutral(%zero : f64) (%l: f64, %r: f64) attributes {reverse} {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  %ys = soac.map ins(%from_right, %from_left : tensor<100000xf64>, tensor<100000xf64>) (%a: f64, %b: f64) -> tensor<100000xf64> {
    %y = arith.mulf %a, %b : f64
    soac.yield %y : f64
  }
  return %ys : tensor<100000xf64>
}
