// RUN: ad-opt %s --ad-simplify --canonicalize | FileCheck %s

// Sizes that are known by something else than the array that they are asked of. Nothing else reads the rows: they go.

// CHECK-LABEL: func.func @row
// CHECK-SAME: (%[[xs:.*]]: tensor<?xf64>, %[[yss:.*]]: tensor<?x?xf64>)
// CHECK: %[[one:.*]] = arith.constant 1 : index
// CHECK: soac.map ins(%[[xs]] : tensor<?xf64>) (%[[x:.*]]: f64)
// CHECK-NEXT: %[[size:.*]] = tensor.dim %[[yss]], %[[one]]
// CHECK-NEXT: soac.replicate %[[x]], %[[size]]
func.func @row(%xs: tensor<?xf64>, %yss: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %zss = soac.map ins(%xs, %yss : tensor<?xf64>, tensor<?x?xf64>)
      (%x: f64, %ys: tensor<?xf64>) -> tensor<?x?xf64> {
    %n = tensor.dim %ys, %c0 : tensor<?xf64>
    %row = soac.replicate %x, %n : f64 -> tensor<?xf64>
    soac.yield %row : tensor<?xf64>
  }
  return %zss : tensor<?x?xf64>
}

// The loop has an array for the size of its rows alone.
// CHECK-LABEL: func.func @kept
// CHECK-SAME: (%[[xs:.*]]: tensor<?xf64>, %[[n:.*]]: index)
// CHECK: %[[end:.*]] = scf.for
// CHECK-SAME: iter_args(%{{.*}} = %[[xs]]) -> (tensor<?xf64>)
// CHECK-NOT: insert_slice
// CHECK: %[[width:.*]] = tensor.dim %[[xs]]
// CHECK: return %[[end]], %[[width]]
func.func @kept(%xs: tensor<?xf64>, %n: index) -> (tensor<?xf64>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %width = tensor.dim %xs, %c0 : tensor<?xf64>
  %empty = tensor.empty(%n, %width) : tensor<?x?xf64>
  %end, %versions = scf.for %t = %c0 to %n step %c1 iter_args(%ys = %xs, %all = %empty)
      -> (tensor<?xf64>, tensor<?x?xf64>) {
    %m = tensor.dim %all, %c1 : tensor<?x?xf64>
    %kept = tensor.insert_slice %ys into %all[%t, 0] [1, %m] [1, 1]
        : tensor<?xf64> into tensor<?x?xf64>
    %next = soac.map ins(%ys : tensor<?xf64>) (%y: f64) -> tensor<?xf64> {
      %z = math.sin %y : f64
      soac.yield %z : f64
    }
    scf.yield %next, %kept : tensor<?xf64>, tensor<?x?xf64>
  }
  %m = tensor.dim %versions, %c1 : tensor<?x?xf64>
  return %end, %m : tensor<?xf64>, index
}

// A loop that changes the size is asked.
// CHECK-LABEL: func.func @grows
// CHECK: %[[end:.*]] = scf.for
// CHECK: tensor.dim %[[end]]
func.func @grows(%xs: tensor<?xf64>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %end = scf.for %t = %c0 to %n step %c1 iter_args(%ys = %xs) -> (tensor<?xf64>) {
    %m = tensor.dim %ys, %c0 : tensor<?xf64>
    %more = arith.addi %m, %c1 : index
    %next = soac.replicate %zero, %more : f64 -> tensor<?xf64>
    scf.yield %next : tensor<?xf64>
  }
  %m = tensor.dim %end, %c0 : tensor<?xf64>
  return %m : index
}
