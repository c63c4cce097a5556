// Rows that only a product reads are kept where the loop has read other rows for the last time, so that the product is one
// behind the loop: the derivative for the weights of a recurrent cell (F49, F61).
// RUN: ad-opt %s --ad-delay-sums --canonicalize --cse -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: ad-opt run %s --entry=values >%t.before
// RUN: ad-opt run %t.mlir --entry=values >%t.after
// RUN: %python %S/../bench/Inputs/compare.py %t.before %t.after 1e-14
// RUN: ad-opt run %t.mlir --entry=values --target=gpu-emulate >%t.gpu
// RUN: %python %S/../bench/Inputs/compare.py %t.before %t.gpu 1e-14

// The rows d are put where the rows of %Z were read; no iteration reads one of those again.
// CHECK-LABEL: func.func private @weights(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x4x3xf64>, %[[W:[a-z0-9]+]]: tensor<3x3xf64>, %[[H:[a-z0-9]+]]: tensor<4x3xf64>
// CHECK: %[[Z:.*]] = scf.for
// CHECK: %[[D:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %[[H]], %[[OWN:.*]] = %[[Z]])
// CHECK:   %[[READ:.*]] = tensor.extract_slice %[[OWN]][%[[I:.*]], 0, 0]
// CHECK:   %[[NEW:.*]] = arith.mulf %[[READ]],
// CHECK:   %[[KEPT:.*]] = tensor.insert_slice %[[NEW]] into %[[OWN]][%[[I]], 0, 0]
// CHECK-NOT: linalg.generic
// CHECK:   scf.yield %{{.*}}, %[[KEPT]]
// CHECK: tensor.collapse_shape %[[D]]#1
// CHECK: linalg.generic
// CHECK: return
#x = affine_map<(k, i, j) -> (k, i)>
#d = affine_map<(k, i, j) -> (k, j)>
#w = affine_map<(k, i, j) -> (i, j)>
func.func private @weights(%X: tensor<?x4x3xf64>, %W: tensor<3x3xf64>, %h0: tensor<4x3xf64>) -> (tensor<3x3xf64>, tensor<4x3xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %X, %c0 : tensor<?x4x3xf64>
  %empty = tensor.empty(%n) : tensor<?x4x3xf64>
  %Z = scf.for %t = %c0 to %n step %c1 iter_args(%all = %empty) -> tensor<?x4x3xf64> {
    %x = tensor.extract_slice %X[%t, 0, 0] [1, 4, 3] [1, 1, 1] : tensor<?x4x3xf64> to tensor<4x3xf64>
    %z = math.sin %x : tensor<4x3xf64>
    %next = tensor.insert_slice %z into %all[%t, 0, 0] [1, 4, 3] [1, 1, 1] : tensor<4x3xf64> into tensor<?x4x3xf64>
    scf.yield %next : tensor<?x4x3xf64>
  }
  %last = arith.subi %n, %c1 : index
  %sum, %end = scf.for %t = %c0 to %n step %c1 iter_args(%s = %W, %h = %h0) -> (tensor<3x3xf64>, tensor<4x3xf64>) {
    %i = arith.subi %last, %t : index
    %z = tensor.extract_slice %Z[%i, 0, 0] [1, 4, 3] [1, 1, 1] : tensor<?x4x3xf64> to tensor<4x3xf64>
    %x = tensor.extract_slice %X[%i, 0, 0] [1, 4, 3] [1, 1, 1] : tensor<?x4x3xf64> to tensor<4x3xf64>
    %d = arith.mulf %z, %h : tensor<4x3xf64>
    %next = linalg.generic {indexing_maps = [#x, #d, #w], iterator_types = ["reduction", "parallel", "parallel"]}
        ins(%x, %d : tensor<4x3xf64>, tensor<4x3xf64>) outs(%s : tensor<3x3xf64>) {
    ^bb0(%a: f64, %b: f64, %old: f64):
      %p = arith.mulf %a, %b : f64
      %new = arith.addf %old, %p : f64
      linalg.yield %new : f64
    } -> tensor<3x3xf64>
    %g = math.cos %d : tensor<4x3xf64>
    scf.yield %next, %g : tensor<3x3xf64>, tensor<4x3xf64>
  }
  return %sum, %end : tensor<3x3xf64>, tensor<4x3xf64>
}

// Not where something reads the rows later.
// CHECK-LABEL: func.func private @read_later(
// CHECK: scf.for
// CHECK: scf.for
// CHECK: linalg.generic
// CHECK: scf.yield
// CHECK: return
func.func private @read_later(%X: tensor<?x4x3xf64>, %W: tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<?x4x3xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %X, %c0 : tensor<?x4x3xf64>
  %empty = tensor.empty(%n) : tensor<?x4x3xf64>
  %Z = scf.for %t = %c0 to %n step %c1 iter_args(%all = %empty) -> tensor<?x4x3xf64> {
    %x = tensor.extract_slice %X[%t, 0, 0] [1, 4, 3] [1, 1, 1] : tensor<?x4x3xf64> to tensor<4x3xf64>
    %z = math.sin %x : tensor<4x3xf64>
    %next = tensor.insert_slice %z into %all[%t, 0, 0] [1, 4, 3] [1, 1, 1] : tensor<4x3xf64> into tensor<?x4x3xf64>
    scf.yield %next : tensor<?x4x3xf64>
  }
  %sum = scf.for %t = %c0 to %n step %c1 iter_args(%s = %W) -> tensor<3x3xf64> {
    %z = tensor.extract_slice %Z[%t, 0, 0] [1, 4, 3] [1, 1, 1] : tensor<?x4x3xf64> to tensor<4x3xf64>
    %x = tensor.extract_slice %X[%t, 0, 0] [1, 4, 3] [1, 1, 1] : tensor<?x4x3xf64> to tensor<4x3xf64>
    %d = math.exp %z : tensor<4x3xf64>
    %next = linalg.generic {indexing_maps = [#x, #d, #w], iterator_types = ["reduction", "parallel", "parallel"]}
        ins(%x, %d : tensor<4x3xf64>, tensor<4x3xf64>) outs(%s : tensor<3x3xf64>) {
    ^bb0(%a: f64, %b: f64, %old: f64):
      %p = arith.mulf %a, %b : f64
      %new = arith.addf %old, %p : f64
      linalg.yield %new : f64
    } -> tensor<3x3xf64>
    scf.yield %next : tensor<3x3xf64>
  }
  return %sum, %Z : tensor<3x3xf64>, tensor<?x4x3xf64>
}

func.func @values() -> (tensor<3x3xf64>, tensor<4x3xf64>, tensor<3x3xf64>, tensor<?x4x3xf64>, tensor<3x3xf64>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %W = arith.constant dense<[[0.1, 0.2, 0.3], [0.4, 0.5, 0.6], [0.7, 0.8, 0.9]]> : tensor<3x3xf64>
  %h0 = arith.constant dense<0.5> : tensor<4x3xf64>
  %X = tensor.generate %c3 {
  ^bb0(%t: index, %i: index, %j: index):
    %c5 = arith.constant 5 : index
    %a = arith.muli %t, %c5 : index
    %b = arith.addi %a, %i : index
    %c = arith.muli %b, %c3 : index
    %d = arith.addi %c, %j : index
    %e = arith.index_cast %d : index to i64
    %f = arith.sitofp %e : i64 to f64
    %g = math.sin %f : f64
    tensor.yield %g : f64
  } : tensor<?x4x3xf64>
  %none = tensor.empty(%c0) : tensor<?x4x3xf64>
  %p:2 = call @weights(%X, %W, %h0) : (tensor<?x4x3xf64>, tensor<3x3xf64>, tensor<4x3xf64>) -> (tensor<3x3xf64>, tensor<4x3xf64>)
  %q:2 = call @read_later(%X, %W) : (tensor<?x4x3xf64>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<?x4x3xf64>)
  %r:2 = call @weights(%none, %W, %h0) : (tensor<?x4x3xf64>, tensor<3x3xf64>, tensor<4x3xf64>) -> (tensor<3x3xf64>, tensor<4x3xf64>)
  return %p#0, %p#1, %q#0, %q#1, %r#0 : tensor<3x3xf64>, tensor<4x3xf64>, tensor<3x3xf64>, tensor<?x4x3xf64>, tensor<3x3xf64>
}
