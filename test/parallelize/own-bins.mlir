// Where one of the indices of a histogram is the number of the iteration, every thread updates the bins of its chunk: none
// needs bins of its own. Not so where the bins may be more or fewer than iterations.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-parallelize{threads=3},canonicalize,cse)' | FileCheck %s
// RUN: rm -rf %t.1 %t.2 %t.3 %t.11
// RUN: ad-opt run %s --entry=all --input=60001 --output-dir=%t.1
// RUN: ad-opt run %s --entry=all --input=60001 --output-dir=%t.2 --threads=2
// RUN: ad-opt run %s --entry=all --input=60001 --output-dir=%t.3 --threads=3
// RUN: ad-opt run %s --entry=all --input=60001 --output-dir=%t.11 --threads=11
// RUN: diff -r %t.1 %t.2 && diff -r %t.1 %t.3 && diff -r %t.1 %t.11
// RUN: ad-opt run %s --entry=all --input=5 --threads=3 | FileCheck %s --check-prefix=FEW

// CHECK-LABEL: func.func @columns(
// CHECK-SAME: %[[K:[a-z0-9]+]]: tensor<?xindex>, %[[V:[a-z0-9]+]]: tensor<?xf64>, %[[N:[a-z0-9]+]]: index
// CHECK: %[[ZEROS:.*]] = linalg.fill
// CHECK: scf.forall (%{{.*}}) in (%{{.*}}) shared_outs(%[[OUT:.*]] = %[[ZEROS]]) -> (tensor<4x?xf64>) {
// CHECK-DAG: %[[KS:.*]] = tensor.extract_slice %[[K]][%[[FROM:.*]]] [%[[SIZE:.*]]] [1]
// CHECK-DAG: %[[VS:.*]] = tensor.extract_slice %[[V]][%[[FROM]]] [%[[SIZE]]] [1]
// CHECK-DAG: %[[IS:.*]] = soac.iota %[[SIZE]] : tensor<?xindex>
// CHECK-DAG: %[[OWN:.*]] = tensor.extract_slice %[[OUT]][0, %[[FROM]]] [4, %[[SIZE]]] [1, 1]
// CHECK: %[[H:.*]] = soac.hist at(%[[KS]], %[[IS]] : tensor<?xindex>, tensor<?xindex>) ins(%[[VS]] : tensor<?xf64>) into(%[[OWN]] : tensor<4x?xf64>)
// CHECK: tensor.parallel_insert_slice %[[H]] into %[[OUT]][0, %[[FROM]]] [4, %[[SIZE]]] [1, 1]
func.func @columns(%k: tensor<?xindex>, %v: tensor<?xf64>, %n: index) -> tensor<4x?xf64> {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %size = tensor.dim %k, %c0 : tensor<?xindex>
  %e = tensor.empty(%size) : tensor<4x?xf64>
  %zeros = linalg.fill ins(%zero : f64) outs(%e : tensor<4x?xf64>) -> tensor<4x?xf64>
  %i = soac.iota %size : tensor<?xindex>
  %h = soac.hist at(%k, %i : tensor<?xindex>, tensor<?xindex>) ins(%v : tensor<?xf64>) into(%zeros : tensor<4x?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return %h : tensor<4x?xf64>
}

// CHECK-LABEL: func.func @other_size(
// CHECK: scf.forall {{.*}} -> (tensor<3x?x?xf64>)
// CHECK: scf.for %
func.func @other_size(%k: tensor<?xindex>, %v: tensor<?xf64>, %dest: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %size = tensor.dim %k, %c0 : tensor<?xindex>
  %i = soac.iota %size : tensor<?xindex>
  %h = soac.hist at(%k, %i : tensor<?xindex>, tensor<?xindex>) ins(%v : tensor<?xf64>) into(%dest : tensor<?x?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return %h : tensor<?x?xf64>
}

// Element 0 is in no row.
// FEW: {{\[\[}}0.0, 2.0, 0.0, 0.0, 8.0],
// FEW-NEXT: [0.0, 0.0, 4.0, 0.0, 0.0],
// FEW-NEXT: [0.0, 0.0, 0.0, 6.0, 0.0],
// FEW-NEXT: [0.0, 0.0, 0.0, 0.0, 0.0]]
func.func @all(%n: index) -> tensor<4x?xf64> {
  %c2 = arith.constant 2.0 : f64
  %cm1 = arith.constant -1 : index
  %c4 = arith.constant 4 : index
  %is = soac.iota %n : tensor<?xindex>
  %k, %v = soac.map ins(%is : tensor<?xindex>) (%i: index) -> (tensor<?xindex>, tensor<?xf64>) {
    %shifted = arith.addi %i, %cm1 : index
    %rest = arith.remsi %shifted, %c4 : index
    %is_last = arith.cmpi eq, %i, %c4 : index
    %c0 = arith.constant 0 : index
    %place = arith.select %is_last, %c0, %rest : index
    %int = arith.index_cast %i : index to i64
    %x = arith.sitofp %int : i64 to f64
    %y = arith.mulf %x, %c2 : f64
    soac.yield %place, %y : index, f64
  }
  %r = func.call @columns(%k, %v, %n) : (tensor<?xindex>, tensor<?xf64>, index) -> tensor<4x?xf64>
  return %r : tensor<4x?xf64>
}
