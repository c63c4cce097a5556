// A reduction carries its tuple; a map that only it reads runs in its loop.
// RUN: ad-opt %s --lower-soac-to-loops --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @dot
// CHECK-NOT: tensor.empty
// CHECK: %[[S:[a-zA-Z0-9_]+]] = scf.for %[[I:[a-zA-Z0-9_]+]] = {{.*}} iter_args(%[[A:[a-zA-Z0-9_]+]] = %cst) -> (f64)
// CHECK-NEXT: %[[X:[a-zA-Z0-9_]+]] = tensor.extract %{{.*}}[%[[I]]]
// CHECK-NEXT: %[[Y:[a-zA-Z0-9_]+]] = tensor.extract %{{.*}}[%[[I]]]
// CHECK-NEXT: %[[P:[a-zA-Z0-9_]+]] = arith.mulf %[[X]], %[[Y]]
// CHECK-NEXT: %[[Q:[a-zA-Z0-9_]+]] = arith.addf %[[A]], %[[P]]
// CHECK-NEXT: scf.yield %[[Q]]
// CHECK-NOT: scf.for
// CHECK: return %[[S]]
func.func @dot(%xs: tensor<?xf64>, %ys: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %p = soac.map ins(%xs, %ys : tensor<?xf64>, tensor<?xf64>) (%x: f64, %y: f64) -> tensor<?xf64> {
    %z = arith.mulf %x, %y : f64
    soac.yield %z : f64
  }
  %s = soac.reduce ins(%p : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %s : f64
}

// The running row of a vectorised reduction is overwritten where it lies.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: tensor.empty
// CHECK: scf.for {{.*}} iter_args(%[[A:[a-zA-Z0-9_]+]] = %{{.*}}) -> (tensor<?xf64>)
// CHECK:   scf.for {{.*}} iter_args(%[[B:[a-zA-Z0-9_]+]] = %[[A]])
// CHECK:     tensor.extract %[[B]]
// CHECK:     tensor.insert %{{.*}} into %[[B]]
func.func @rows(%xss: tensor<?x?xf64>, %zeros: tensor<?xf64>) -> tensor<?xf64> {
  %s = soac.reduce ins(%xss : tensor<?x?xf64>) neutral(%zeros : tensor<?xf64>)
      (%a: tensor<?xf64>, %b: tensor<?xf64>) {
    %c = soac.map ins(%a, %b : tensor<?xf64>, tensor<?xf64>) (%x: f64, %y: f64) -> tensor<?xf64> {
      %z = arith.addf %x, %y : f64
      soac.yield %z : f64
    }
    soac.yield %c : tensor<?xf64>
  }
  return %s : tensor<?xf64>
}

// The position of the largest element: a tuple, with the positions never stored.
// CHECK-LABEL: func.func @argmax
// CHECK-NOT: tensor.empty
// CHECK: scf.for %[[I:[a-zA-Z0-9_]+]] = {{.*}} -> (f64, index)
// CHECK: arith.select %{{.*}}, %{{.*}}, %[[I]] : index
func.func @argmax(%xs: tensor<?xf64>) -> (f64, index) {
  %c0 = arith.constant 0 : index
  %low = arith.constant 0xFFF0000000000000 : f64
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %is = soac.iota %n : tensor<?xindex>
  %m, %at = soac.reduce ins(%xs, %is : tensor<?xf64>, tensor<?xindex>)
      neutral(%low, %c0 : f64, index) (%a: f64, %i: index, %b: f64, %j: index) {
    %c = arith.cmpf oge, %a, %b : f64
    %m = arith.select %c, %a, %b : f64
    %k = arith.select %c, %i, %j : index
    soac.yield %m, %k : f64, index
  }
  return %m, %at : f64, index
}

// Not fused: the insertion in between overwrites what the map reads.
// CHECK-LABEL: func.func @overwritten
// CHECK: scf.for {{.*}} -> (tensor<4xf64>)
// CHECK: tensor.insert %{{.*}} into %{{.*}}[%c0] : tensor<4xf64>
// CHECK: scf.for {{.*}} -> (f64)
func.func @overwritten(%xs: tensor<4xf64>, %v: f64) -> (tensor<4xf64>, f64) {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %p = soac.map ins(%xs : tensor<4xf64>) (%x: f64) -> tensor<4xf64> {
    %z = arith.mulf %x, %x : f64
    soac.yield %z : f64
  }
  %ys = tensor.insert %v into %xs[%c0] : tensor<4xf64>
  %s = soac.reduce ins(%p : tensor<4xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %ys, %s : tensor<4xf64>, f64
}
