// Canonicalisation lets loops have arrays of less static types than it knows.
// RUN: ad-opt %s --ad-canonicalize | FileCheck %s

// CHECK-LABEL: func.func @grows(
// CHECK: %[[START:.*]] = tensor.cast
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[START]]) -> (tensor<?xf64>)
func.func @grows(%a: tensor<3xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %start = tensor.cast %a : tensor<3xf64> to tensor<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %start) -> tensor<?xf64> {
    %y = tensor.concat dim(0) %x, %a : (tensor<?xf64>, tensor<3xf64>) -> tensor<?xf64>
    scf.yield %y : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// CHECK-LABEL: func.func @rows_of_none(
// CHECK: %[[START:.*]] = tensor.cast
// CHECK: scf.forall {{.*}} shared_outs(%{{.*}} = %[[START]]) -> (tensor<?x?xf64>)
func.func @rows_of_none(%row: tensor<?xf64>, %n: index) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %start = tensor.empty(%n, %c0) : tensor<?x?xf64>
  %rows = scf.forall (%i) in (%n) shared_outs(%all = %start) -> tensor<?x?xf64> {
    %size = tensor.dim %row, %c0 : tensor<?xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %row into %all[%i, 0] [1, %size] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
    }
  }
  return %rows : tensor<?x?xf64>
}
