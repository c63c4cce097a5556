// Sums of rows that a loop adds up become one sum behind it, if the rows are kept anyhow (F49, F61). The values are those of
// the program as it was, also where the loop does not run and nothing fits.
// RUN: ad-opt %s --ad-delay-sums --canonicalize --cse -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: ad-opt run %t.mlir --entry=values > %t.values
// RUN: FileCheck %s --check-prefix=VALUES --input-file=%t.values
// RUN: ad-opt run %s --entry=values > %t.values
// RUN: FileCheck %s --check-prefix=VALUES --input-file=%t.values

// All of what is carried is as large as a row.
// CHECK-LABEL: func.func @whole
// CHECK-SAME: (%{{[a-z0-9]+}}: tensor<?x7xf64>, %[[S:[a-z0-9]+]]: tensor<7xf64>, %[[N:[a-z0-9]+]]: index
// CHECK: %[[Z:.*]]:2 = scf.for {{.*}} -> (tensor<?x7xf64>, tensor<?x?x7xf64>)
// CHECK-NOT: soac.reduce
// CHECK: scf.yield
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %[[Z]]#1 {{\[\[}}0, 1], [2]] : tensor<?x?x7xf64> into tensor<?x7xf64>
// CHECK: %[[SUM:.*]] = soac.reduce ins(%[[ROWS]] : tensor<?x7xf64>)
// CHECK: %[[NEW:.*]] = soac.map ins(%[[S]], %[[SUM]]
// CHECK: return %[[NEW]], %[[Z]]#1
func.func @whole(%x: tensor<?x7xf64>, %S: tensor<7xf64>, %n: index) -> (tensor<7xf64>, tensor<?x?x7xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<7xf64>
  %b = tensor.dim %x, %c0 : tensor<?x7xf64>
  %empty = tensor.empty(%n, %b) : tensor<?x?x7xf64>
  %sum, %y, %all = scf.for %t = %c0 to %n step %c1 iter_args(%s = %S, %z = %x, %kept = %empty)
      -> (tensor<7xf64>, tensor<?x7xf64>, tensor<?x?x7xf64>) {
    %new = math.tanh %z : tensor<?x7xf64>
    %rows = soac.reduce ins(%new : tensor<?x7xf64>) neutral(%zero : tensor<7xf64>) (%p: tensor<7xf64>, %q: tensor<7xf64>) {
      %pq = soac.map ins(%p, %q : tensor<7xf64>, tensor<7xf64>) (%p_j: f64, %q_j: f64) -> tensor<7xf64> {
        %both = arith.addf %p_j, %q_j : f64
        soac.yield %both : f64
      }
      soac.yield %pq : tensor<7xf64>
    }
    %next = arith.addf %rows, %s : tensor<7xf64>
    %keep = tensor.insert_slice %new into %kept[%t, 0, 0] [1, %b, 7] [1, 1, 1]
        : tensor<?x7xf64> into tensor<?x?x7xf64>
    scf.yield %next, %new, %keep : tensor<7xf64>, tensor<?x7xf64>, tensor<?x?x7xf64>
  }
  return %sum, %all : tensor<7xf64>, tensor<?x?x7xf64>
}

// A leading part of what is carried, as long as rows are, or what is carried is. The array that keeps the rows is known
// to be as long as the rows only where the loop runs.
// CHECK-LABEL: func.func private @part
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<?x?xf64>, %[[S:[a-z0-9]+]]: tensor<?xf64>, %[[Z:[a-z0-9]+]]: tensor<?x?x?xf64>
// CHECK: %[[ALL:.*]] = scf.for {{.*}} -> (tensor<?x?x?xf64>)
// CHECK-NOT: soac.reduce
// CHECK: scf.yield
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %[[ALL]]
// CHECK: %[[SUM:.*]] = soac.reduce ins(%[[ROWS]]
// CHECK: %[[LONG:.*]] = tensor.dim %[[S]], %c0
// CHECK: %[[ROW:.*]] = tensor.dim %[[X]], %c1
// CHECK: %[[LEAST:.*]] = arith.minsi %[[LONG]], %[[ROW]]
// CHECK: %[[SIZE:.*]] = arith.minsi %[[LEAST]], %{{.*}}
// CHECK: %[[ADDED:.*]] = tensor.extract_slice %[[SUM]][0] [%[[SIZE]]] [1]
// CHECK: %[[OLD:.*]] = tensor.extract_slice %[[S]][0] [%[[SIZE]]] [1]
// CHECK: %[[NEW:.*]] = soac.map ins(%[[OLD]], %[[ADDED]]
// CHECK: tensor.insert_slice %[[NEW]] into %[[S]][0] [%[[SIZE]]] [1]
func.func private @part(%X: tensor<?x?xf64>, %S: tensor<?xf64>, %Z: tensor<?x?x?xf64>)
    -> (tensor<?xf64>, tensor<?x?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %f0 = arith.constant 0.0 : f64
  %n = tensor.dim %Z, %c0 : tensor<?x?x?xf64>
  %last = arith.subi %n, %c1 : index
  %b = tensor.dim %Z, %c1 : tensor<?x?x?xf64>
  %width = tensor.dim %Z, %c2 : tensor<?x?x?xf64>
  %long = tensor.dim %S, %c0 : tensor<?xf64>
  %row = tensor.dim %X, %c1 : tensor<?x?xf64>
  %m = arith.minsi %long, %row : index
  %empty = tensor.empty(%row) : tensor<?xf64>
  %zeros = linalg.fill ins(%f0 : f64) outs(%empty : tensor<?xf64>) -> tensor<?xf64>
  %sum, %all = scf.for %i = %c0 to %n step %c1 iter_args(%s = %S, %kept = %Z)
      -> (tensor<?xf64>, tensor<?x?x?xf64>) {
    %t = arith.subi %last, %i : index
    %f = arith.index_cast %i : index to i64
    %g = arith.sitofp %f : i64 to f64
    %new = soac.map ins(%X : tensor<?x?xf64>) (%x: tensor<?xf64>) -> tensor<?x?xf64> {
      %y = soac.map ins(%x : tensor<?xf64>) (%x_j: f64) -> tensor<?xf64> {
        %y_j = arith.mulf %x_j, %g : f64
        soac.yield %y_j : f64
      }
      soac.yield %y : tensor<?xf64>
    }
    %rows = soac.reduce ins(%new : tensor<?x?xf64>) neutral(%zeros : tensor<?xf64>) (%p: tensor<?xf64>, %q: tensor<?xf64>) {
      %pq = soac.map ins(%p, %q : tensor<?xf64>, tensor<?xf64>) (%p_j: f64, %q_j: f64) -> tensor<?xf64> {
        %both = arith.addf %p_j, %q_j : f64
        soac.yield %both : f64
      }
      soac.yield %pq : tensor<?xf64>
    }
    %added = tensor.extract_slice %rows[0] [%m] [1] : tensor<?xf64> to tensor<?xf64>
    %old = tensor.extract_slice %s[0] [%m] [1] : tensor<?xf64> to tensor<?xf64>
    %part = soac.map ins(%old, %added : tensor<?xf64>, tensor<?xf64>) (%o: f64, %a: f64) -> tensor<?xf64> {
      %more = arith.addf %o, %a : f64
      soac.yield %more : f64
    }
    %next = tensor.insert_slice %part into %s[0] [%m] [1] : tensor<?xf64> into tensor<?xf64>
    %keep = tensor.insert_slice %new into %kept[%t, 0, 0] [1, %b, %width] [1, 1, 1]
        : tensor<?x?xf64> into tensor<?x?x?xf64>
    scf.yield %next, %keep : tensor<?xf64>, tensor<?x?x?xf64>
  }
  return %sum, %all : tensor<?xf64>, tensor<?x?x?xf64>
}

// VALUES: [13.0, 19.0, 1.0]
// VALUES: [13.0]
// VALUES: [1.0, 1.0, 1.0]
func.func @values() -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %x = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>
  %z = arith.constant dense<0.0> : tensor<3x2x2xf64>
  %z0 = tensor.empty() : tensor<0x2x1xf64>
  %s3 = arith.constant dense<1.0> : tensor<3xf64>
  %s1 = arith.constant dense<1.0> : tensor<1xf64>
  %X = tensor.cast %x : tensor<2x2xf64> to tensor<?x?xf64>
  %Z = tensor.cast %z : tensor<3x2x2xf64> to tensor<?x?x?xf64>
  %Z0 = tensor.cast %z0 : tensor<0x2x1xf64> to tensor<?x?x?xf64>
  %S3 = tensor.cast %s3 : tensor<3xf64> to tensor<?xf64>
  %S1 = tensor.cast %s1 : tensor<1xf64> to tensor<?xf64>
  %longer, %0 = call @part(%X, %S3, %Z) : (tensor<?x?xf64>, tensor<?xf64>, tensor<?x?x?xf64>) -> (tensor<?xf64>, tensor<?x?x?xf64>)
  %shorter, %1 = call @part(%X, %S1, %Z) : (tensor<?x?xf64>, tensor<?xf64>, tensor<?x?x?xf64>) -> (tensor<?xf64>, tensor<?x?x?xf64>)
  %none, %2 = call @part(%X, %S3, %Z0) : (tensor<?x?xf64>, tensor<?xf64>, tensor<?x?x?xf64>) -> (tensor<?xf64>, tensor<?x?x?xf64>)
  return %longer, %shorter, %none : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}
