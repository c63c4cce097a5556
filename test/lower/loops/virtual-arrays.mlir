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
