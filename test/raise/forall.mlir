// A parallel loop whose iterations insert rows at their own places becomes maps: of all of an array, or of what is inserted into
// it. Others become loops.
// RUN: ad-opt %s --split-input-file --raise-to-soac --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @all(
// CHECK-SAME: %[[X:.*]]: tensor<?x4xf64>
// CHECK: %[[N:.*]] = tensor.dim %[[X]]
// CHECK: %[[I:.*]] = soac.iota %[[N]] : tensor<?xindex>
// CHECK: %[[Y:.*]] = soac.map ins(%[[I]] : tensor<?xindex>) (%[[OWN:.*]]: index) -> tensor<?x4xf64> {
// CHECK-NEXT: %[[ROW:.*]] = tensor.extract_slice %[[X]][%[[OWN]], 0] [1, 4] [1, 1]
// CHECK-NEXT: %[[EXP:.*]] = math.exp %[[ROW]]
// CHECK-NEXT: soac.yield %[[EXP]]
// CHECK: return %[[Y]]
func.func @all(%x: tensor<?x4xf64>) -> tensor<?x4xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf64>
  %e = tensor.empty(%n) : tensor<?x4xf64>
  %y = scf.forall (%i) in (%n) shared_outs(%o = %e) -> (tensor<?x4xf64>) {
    %a = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : tensor<?x4xf64> to tensor<4xf64>
    %b = math.exp %a : tensor<4xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %b into %o[%i, 0] [1, 4] [1, 1] : tensor<4xf64> into tensor<?x4xf64>
    }
  }
  return %y : tensor<?x4xf64>
}

// -----

// Rows whose size is known when the program runs only, where it is that of the array; not of other sizes.
// CHECK-LABEL: func.func @dynamic(
// CHECK: soac.map {{.*}} -> tensor<?x?xf64> {
// CHECK: scf.for
func.func @dynamic(%x: tensor<?x?xf64>, %k: index) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf64>
  %m = tensor.dim %x, %c1 : tensor<?x?xf64>
  %e = tensor.empty(%n, %m) : tensor<?x?xf64>
  %y = scf.forall (%i) in (%n) shared_outs(%o = %e) -> (tensor<?x?xf64>) {
    %a = tensor.extract_slice %x[%i, 0] [1, %m] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
    %b = math.exp %a : tensor<?xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %b into %o[%i, 0] [1, %m] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
    }
  }
  %z = scf.forall (%i) in (%n) shared_outs(%o = %x) -> (tensor<?x?xf64>) {
    %a = tensor.extract_slice %x[%i, 0] [1, %k] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
    %b = math.exp %a : tensor<?xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %b into %o[%i, 0] [1, %k] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
    }
  }
  return %y, %z : tensor<?x?xf64>, tensor<?x?xf64>
}

// -----

// Two dimensions, two results, one in place of what was there; the rows have dimensions of one element.
// CHECK-LABEL: func.func @two(
// CHECK: soac.map {{.*}} -> (tensor<3x4xf64>, tensor<3x4x2xf64>) {
// CHECK:   soac.map {{.*}} -> (tensor<4xf64>, tensor<4x2xf64>) {
// CHECK:     tensor.extract %{{.*}}[%c0, %c0] : tensor<1x1xf64>
// CHECK:     tensor.collapse_shape %{{.*}} {{\[\[}}0, 1, 2]] : tensor<1x1x2xf64> into tensor<2xf64>
// CHECK-NOT: scf.for
func.func @two(%x: tensor<3x4xf64>, %y: tensor<3x4x2xf64>) -> (tensor<3x4xf64>, tensor<3x4x2xf64>) {
  %r:2 = scf.forall (%i, %j) in (3, 4) shared_outs(%o = %x, %p = %y) -> (tensor<3x4xf64>, tensor<3x4x2xf64>) {
    %a = tensor.extract_slice %o[%i, %j] [1, 1] [1, 1] : tensor<3x4xf64> to tensor<1x1xf64>
    %b = math.exp %a : tensor<1x1xf64>
    %c = tensor.extract_slice %p[%i, %j, 0] [1, 1, 2] [1, 1, 1] : tensor<3x4x2xf64> to tensor<1x1x2xf64>
    %d = math.sin %c : tensor<1x1x2xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %b into %o[%i, %j] [1, 1] [1, 1] : tensor<1x1xf64> into tensor<3x4xf64>
      tensor.parallel_insert_slice %d into %p[%i, %j, 0] [1, 1, 2] [1, 1, 1] : tensor<1x1x2xf64> into tensor<3x4x2xf64>
    }
  }
  return %r#0, %r#1 : tensor<3x4xf64>, tensor<3x4x2xf64>
}

// -----

// Every third element from the second one on.
// CHECK-LABEL: func.func @some(
// CHECK-SAME: %[[X:.*]]: tensor<10xf64>
// CHECK: %[[V:.*]] = soac.map
// CHECK:   arith.muli %{{.*}}, %c3
// CHECK: tensor.insert_slice %[[V]] into %[[X]][1] [%{{.*}}] [3] : tensor<?xf64> into tensor<10xf64>
// CHECK-NOT: scf.for
func.func @some(%x: tensor<10xf64>, %n: index) -> tensor<10xf64> {
  %y = scf.forall (%i) = (1) to (%n) step (3) shared_outs(%o = %x) -> (tensor<10xf64>) {
    %a = tensor.extract_slice %x[%i] [1] [1] : tensor<10xf64> to tensor<1xf64>
    %b = math.exp %a : tensor<1xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %b into %o[%i] [1] [1] : tensor<1xf64> into tensor<10xf64>
    }
  }
  return %y : tensor<10xf64>
}

// -----

// Tiles, and rows at other places than their numbers.
// CHECK-LABEL: func.func @tiles(
// CHECK-NOT: soac.map
// CHECK-COUNT-2: scf.for
func.func @tiles(%x: tensor<12xf64>, %z: tensor<4xf64>) -> (tensor<12xf64>, tensor<4xf64>) {
  %c3 = arith.constant 3 : index
  %y = scf.forall (%i) = (0) to (12) step (4) shared_outs(%o = %x) -> (tensor<12xf64>) {
    %a = tensor.extract_slice %x[%i] [4] [1] : tensor<12xf64> to tensor<4xf64>
    %b = math.exp %a : tensor<4xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %b into %o[%i] [4] [1] : tensor<4xf64> into tensor<12xf64>
    }
  }
  %w = scf.forall (%i) in (4) shared_outs(%o = %z) -> (tensor<4xf64>) {
    %k = arith.subi %c3, %i : index
    %a = tensor.extract_slice %z[%i] [1] [1] : tensor<4xf64> to tensor<1xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %a into %o[%k] [1] [1] : tensor<1xf64> into tensor<4xf64>
    }
  }
  return %y, %w : tensor<12xf64>, tensor<4xf64>
}
