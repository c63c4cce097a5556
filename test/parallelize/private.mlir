// Every thread has histograms and accumulators of its own, where that is little beside the work. They lie apart, so that
// no line of the cache has elements of two threads.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-parallelize{threads=3},canonicalize,cse)' | FileCheck %s

// CHECK-LABEL: func.func @hist(
// CHECK-SAME: %{{.*}}, %[[DEST:[a-z0-9]+]]: tensor<10xf64>
// CHECK: %[[ALL:.*]] = tensor.empty() : tensor<3x26xf64>
// CHECK: %[[APART:.*]] = tensor.extract_slice %[[ALL]][0, 0] [3, 10] [1, 1] : tensor<3x26xf64> to tensor<3x10xf64>
// CHECK: %[[OWN:.*]] = scf.forall (%[[T:.*]]) in (3) shared_outs(%[[OUT:.*]] = %[[APART]]) -> (tensor<3x10xf64>) {
// CHECK-DAG: %[[AT:.*]] = tensor.extract_slice
// CHECK-DAG: %[[ZERO:.*]] = soac.replicate %cst : f64 -> tensor<10xf64>
// CHECK: %[[H:.*]] = soac.hist at(%{{.*}} : tensor<?xindex>) ins(%{{.*}} : tensor<?xf64>) into(%[[ZERO]] : tensor<10xf64>)
// CHECK: tensor.parallel_insert_slice %[[H]] into %[[OUT]][%[[T]], 0] [1, 10] [1, 1]
// CHECK: %[[SUM:.*]] = scf.for %[[K:.*]] = %c0 to %c3 step %c1 iter_args(%[[LEFT:.*]] = %[[DEST]])
// CHECK: %[[RIGHT:.*]] = tensor.extract_slice %[[OWN]][%[[K]], 0] [1, 10] [1, 1]
// CHECK: soac.map ins(%[[LEFT]], %[[RIGHT]] : tensor<10xf64>, tensor<10xf64>)
// CHECK: return %[[SUM]]
func.func @hist(%at: tensor<100000xindex>, %vs: tensor<100000xf64>, %dest: tensor<10xf64>) -> tensor<10xf64> {
  %zero = arith.constant 0.0 : f64
  %h = soac.hist at(%at : tensor<100000xindex>) ins(%vs : tensor<100000xf64>) into(%dest : tensor<10xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return %h : tensor<10xf64>
}

// As many bins as values.
// CHECK-LABEL: func.func @many(
// CHECK-NOT: scf.forall
// CHECK: return
func.func @many(%at: tensor<100000xindex>, %vs: tensor<100000xf64>, %dest: tensor<100000xf64>) -> tensor<100000xf64> {
  %zero = arith.constant 0.0 : f64
  %h = soac.hist at(%at : tensor<100000xindex>) ins(%vs : tensor<100000xf64>) into(%dest : tensor<100000xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return %h : tensor<100000xf64>
}

// Sizes that are known when the program runs: a branch keeps the operation as it is.
// CHECK-LABEL: func.func @decided(
// CHECK-SAME: %[[AT:[a-z0-9]+]]: tensor<?xindex>, %{{.*}}: tensor<?xf64>, %[[DEST:[a-z0-9]+]]: tensor<?xf64>
// CHECK-DAG: %[[BINS:.*]] = tensor.dim %[[DEST]], %c0
// CHECK-DAG: %[[PRIVATE:.*]] = arith.muli %[[BINS]], %c12
// CHECK-DAG: arith.cmpi sge, %{{.*}}, %[[PRIVATE]]
// CHECK: scf.if
// CHECK: %[[PADDED:.*]] = arith.addi %[[BINS]], %c16
// CHECK: %[[ALL:.*]] = tensor.empty(%[[PADDED]]) : tensor<3x?xf64>
// CHECK: tensor.extract_slice %[[ALL]][0, 0] [3, %[[BINS]]] [1, 1] : tensor<3x?xf64> to tensor<3x?xf64>
// CHECK: scf.forall
// CHECK: } else {
// CHECK: soac.hist at(%[[AT]] : tensor<?xindex>) {{.*}} into(%[[DEST]] : tensor<?xf64>)
func.func @decided(%at: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %h = soac.hist at(%at : tensor<?xindex>) ins(%vs : tensor<?xf64>) into(%dest : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return %h : tensor<?xf64>
}

// What needs no accumulator is moved out first. The private arrays start from zero, and are added to the given one.
// CHECK-LABEL: func.func @with_acc(
// CHECK-SAME: %{{.*}}, %[[START:[a-z0-9]+]]: tensor<10xf64>
// CHECK: tensor.empty() : tensor<3x26xf64>
// CHECK: %[[OWN:.*]]:2 = scf.forall (%[[T:.*]]) in (3) shared_outs(%[[OUT:.*]] = %{{.*}}, %[[ROWS:.*]] = %{{.*}}) -> (tensor<3x10xf64>, tensor<100000xf64>) {
// CHECK: %[[ZERO:.*]] = linalg.fill ins(%cst
// CHECK: %[[R:.*]]:2 = soac.with_acc ins(%[[ZERO]] : tensor<10xf64>)
// CHECK: soac.iota
// CHECK: soac.map ins({{.*}}) accs(
// CHECK: tensor.parallel_insert_slice %[[R]]#0 into %[[OUT]][%[[T]], 0] [1, 10] [1, 1]
// CHECK: tensor.parallel_insert_slice %[[R]]#1 into %[[ROWS]]
// CHECK: %[[SUM:.*]] = soac.with_acc ins(%[[START]] : tensor<10xf64>)
// CHECK: soac.map ins(%[[OWN]]#0 : tensor<3x10xf64>) accs(
// CHECK: soac.update_acc %{{.*}}[], %{{.*}} : !soac.acc<tensor<10xf64>>, tensor<10xf64>
// CHECK: return %[[SUM]], %[[OWN]]#1
func.func @with_acc(%xs: tensor<100000xf64>, %start: tensor<10xf64>) -> (tensor<10xf64>, tensor<100000xf64>) {
  %c10 = arith.constant 10 : index
  %r:2 = soac.with_acc ins(%start : tensor<10xf64>) (%acc: !soac.acc<tensor<10xf64>>) -> (tensor<10xf64>, tensor<100000xf64>) {
    %is = soac.iota : tensor<100000xindex>
    %w:2 = soac.map ins(%xs, %is : tensor<100000xf64>, tensor<100000xindex>) accs(%acc : !soac.acc<tensor<10xf64>>)
        (%x: f64, %i: index, %a: !soac.acc<tensor<10xf64>>) -> (tensor<100000xf64>, !soac.acc<tensor<10xf64>>) {
      %k = arith.remui %i, %c10 : index
      %b = soac.update_acc %a[%k], %x : !soac.acc<tensor<10xf64>>, f64
      %y = arith.mulf %x, %x : f64
      soac.yield %y, %b : f64, !soac.acc<tensor<10xf64>>
    }
    soac.yield %w#1, %w#0 : !soac.acc<tensor<10xf64>>, tensor<100000xf64>
  }
  return %r#0, %r#1 : tensor<10xf64>, tensor<100000xf64>
}
