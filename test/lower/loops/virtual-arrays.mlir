// Virtual arrays are stored only where an array is needed.
// RUN: ad-opt %s --lower-soac-to-loops --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @read
// CHECK-NOT: tensor.empty
// CHECK: scf.for %[[I:[a-zA-Z0-9_]+]] = %c0 to %{{.*}} step %c1
// CHECK: arith.index_cast %[[I]] : index to i64
// CHECK-NOT: tensor.
// CHECK: return
func.func @read(%n: index, %v: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %is = soac.iota %n : tensor<?xi64>
  %vs = soac.replicate %v, %n : f64 -> tensor<?xf64>
  %p = soac.map ins(%is, %vs : tensor<?xi64>, tensor<?xf64>) (%i: i64, %y: f64) -> tensor<?xf64> {
    %f = arith.sitofp %i : i64 to f64
    %z = arith.mulf %f, %y : f64
    soac.yield %z : f64
  }
  %s = soac.reduce ins(%p : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %s : f64
}

// CHECK-LABEL: func.func @elements
// CHECK-SAME: %[[N:[a-z0-9]+]]: index, %[[ROW:[a-z0-9]+]]: tensor<?xf64>{{.*}}, %[[I:[a-z0-9]+]]: index
// CHECK-NEXT: %[[E:[a-zA-Z0-9_]+]] = tensor.extract %[[ROW]][%[[I]]]
// CHECK-NEXT: return %[[E]], %[[N]], %[[I]]
func.func @elements(%n: index, %row: tensor<?xf64>, %i: index) -> (f64, index, index) {
  %c0 = arith.constant 0 : index
  %rows = soac.replicate %row, %n : tensor<?xf64> -> tensor<?x?xf64>
  %e = tensor.extract %rows[%c0, %i] : tensor<?x?xf64>
  %d = tensor.dim %rows, %c0 : tensor<?x?xf64>
  %is = soac.iota %n : tensor<?xindex>
  %k = tensor.extract %is[%i] : tensor<?xindex>
  return %e, %d, %k : f64, index, index
}

// A column of copies of a row is copies of an element of it, and a part of them is copies of a part.
// CHECK-LABEL: func.func @columns
// CHECK-SAME: %[[N:[a-z0-9]+]]: index, %[[ROW:[a-z0-9]+]]: tensor<?xf64>{{.*}}, %[[J:[a-z0-9]+]]: index
// CHECK-NOT: tensor.empty
// CHECK: %[[E:[a-zA-Z0-9_]+]] = tensor.extract %[[ROW]][%[[J]]]
// CHECK-NOT: tensor.
// CHECK: scf.for %{{.*}} = %c0 to %[[N]] step %c1 iter_args(%[[S:[a-zA-Z0-9_]+]] =
// CHECK-NEXT: arith.addf %[[S]], %[[E]]
// CHECK-NOT: tensor.
// CHECK: %[[PART:[a-zA-Z0-9_]+]] = tensor.extract_slice %[[ROW]][%[[J]]] [2] [3]
// CHECK-NEXT: %[[LAST:[a-zA-Z0-9_]+]] = tensor.extract %[[PART]][%c1]
// CHECK-NEXT: return %{{.*}}, %[[LAST]]
func.func @columns(%n: index, %row: tensor<?xf64>, %j: index) -> (f64, f64) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %rows = soac.replicate %row, %n : tensor<?xf64> -> tensor<?x?xf64>
  %column = tensor.extract_slice %rows[0, %j] [%n, 1] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
  %s = soac.reduce ins(%column : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  %part = tensor.extract_slice %rows[1, %j] [2, 2] [1, 3] : tensor<?x?xf64> to tensor<2x2xf64>
  %last = tensor.extract %part[%c1, %c1] : tensor<2x2xf64>
  return %s, %last : f64, f64
}

// The same where what is copied is copies itself.
// CHECK-LABEL: func.func @copies_of_copies
// CHECK-SAME: %[[N:[a-z0-9]+]]: index, %[[V:[a-z0-9]+]]: f64
// CHECK-NOT: tensor.
// CHECK: scf.for %{{.*}} = %c0 to %[[N]] step %c1 iter_args(%[[S:[a-zA-Z0-9_]+]] =
// CHECK-NEXT: arith.addf %[[S]], %[[V]]
// CHECK-NOT: tensor.
// CHECK: return
func.func @copies_of_copies(%n: index, %v: f64, %j: index) -> f64 {
  %zero = arith.constant 0.0 : f64
  %row = soac.replicate %v, %n : f64 -> tensor<?xf64>
  %rows = soac.replicate %row, %n : tensor<?xf64> -> tensor<?x?xf64>
  %column = tensor.extract_slice %rows[0, %j] [%n, 1] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
  %s = soac.reduce ins(%column : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %s : f64
}

// CHECK-LABEL: func.func @stored
// CHECK: linalg.fill
// CHECK: scf.for
// CHECK: tensor.insert_slice
// CHECK-NOT: soac
func.func @stored(%n: index, %v: f64, %row: tensor<4xf64>) -> (tensor<?xf64>, tensor<?x4xf64>, tensor<3xi32>) {
  %vs = soac.replicate %v, %n : f64 -> tensor<?xf64>
  %rows = soac.replicate %row, %n : tensor<4xf64> -> tensor<?x4xf64>
  %is = soac.iota : tensor<3xi32>
  return %vs, %rows, %is : tensor<?xf64>, tensor<?x4xf64>, tensor<3xi32>
}
