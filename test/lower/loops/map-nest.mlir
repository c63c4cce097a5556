// A nest of maps is a nest of loops that carry their result arrays.
// RUN: ad-opt %s --lower-soac-to-loops --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @nest
// CHECK-SAME: %[[X:[a-zA-Z0-9_]+]]: tensor<?x?xf64> {bufferization.writable = false}
// CHECK-DAG: %[[N:[a-zA-Z0-9_]+]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[M:[a-zA-Z0-9_]+]] = tensor.dim %[[X]], %c1
// CHECK: %[[OUT:[a-zA-Z0-9_]+]] = tensor.empty(%[[N]], %[[M]])
// CHECK: scf.for %[[I:[a-zA-Z0-9_]+]] = %c0 to %[[N]] step %c1 iter_args(%[[O:[a-zA-Z0-9_]+]] = %[[OUT]])
// CHECK:   scf.for %[[J:[a-zA-Z0-9_]+]] = {{.*}} iter_args(%[[R:[a-zA-Z0-9_]+]] = %{{.*}}) -> (tensor<?xf64>)
// CHECK:     tensor.insert %{{.*}} into %[[R]][%[[J]]]
// CHECK:   tensor.insert_slice %{{.*}} into %[[O]][%[[I]], 0] [1, %[[M]]] [1, 1]
// CHECK-NOT: soac
func.func @nest(%xss: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %r = soac.map ins(%xss : tensor<?x?xf64>) (%xs: tensor<?xf64>) -> tensor<?x?xf64> {
    %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
      %y = arith.mulf %x, %x : f64
      soac.yield %y : f64
    }
    soac.yield %ys : tensor<?xf64>
  }
  return %r : tensor<?x?xf64>
}

// Several results share one loop; static sizes stay static.
// CHECK-LABEL: func.func @tuple
// CHECK: scf.for {{.*}} -> (tensor<8xi1>, tensor<8x3xf32>)
// CHECK-NOT: scf.for
// CHECK: return
func.func @tuple(%xs: tensor<8xf32>, %rows: tensor<8x3xf32>) -> (tensor<8xi1>, tensor<8x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %p, %q = soac.map ins(%xs, %rows : tensor<8xf32>, tensor<8x3xf32>)
      (%x: f32, %row: tensor<3xf32>) -> (tensor<8xi1>, tensor<8x3xf32>) {
    %p = arith.cmpf ogt, %x, %zero : f32
    soac.yield %p, %row : i1, tensor<3xf32>
  }
  return %p, %q : tensor<8xi1>, tensor<8x3xf32>
}
