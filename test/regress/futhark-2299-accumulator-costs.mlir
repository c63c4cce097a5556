// futhark#2299: derivatives were 73 times slower where accumulators had an array of zeros per iteration.
// In a nest of maps that gathers from a free array there is one array of zeros, outside of the nest, and
// each element read is one update of one element.
// RUN: %python %S/../driver/Inputs/npy.py %t.npy '<f8' '(4,)' 1.5 -2 3 0.5
// RUN: %python %S/../driver/Inputs/npy.py %t.i.npy '<i8' '(2, 3)' 0 3 3 1 0 2
// RUN: ad-opt check %s --entry=gather --input=%t.npy --input=%t.i.npy
// RUN: ad-opt %s --ad-optimize | FileCheck %s

func.func @gather(%xs: tensor<?xf64>, %is: tensor<?x?xi64>) -> tensor<?x?xf64> {
  %ys = soac.map ins(%is : tensor<?x?xi64>) (%row: tensor<?xi64>) -> tensor<?x?xf64> {
    %zs = soac.map ins(%row : tensor<?xi64>) (%id: i64) -> tensor<?xf64> {
      %i = arith.index_cast %id : i64 to index
      %x = tensor.extract %xs[%i] : tensor<?xf64>
      %y = arith.mulf %x, %x : f64
      soac.yield %y : f64
    }
    soac.yield %zs : tensor<?xf64>
  }
  return %ys : tensor<?x?xf64>
}

// CHECK-LABEL: func.func @gradient(
// CHECK:         linalg.fill
// CHECK:         soac.with_acc
// CHECK-NOT:     {{linalg.fill|tensor.splat|tensor.empty|soac.replicate|soac.with_acc}}
// CHECK:         soac.map
// CHECK:           soac.map
// CHECK:             soac.update_acc %{{.*}}[%{{.*}}], %{{.*}} : !soac.acc<tensor<?xf64>>, f64
// CHECK-NOT:     {{linalg.fill|tensor.splat|tensor.empty|soac.replicate|soac.with_acc|soac.update_acc}}
// CHECK:         return
func.func @gradient(%xs: tensor<?xf64>, %is: tensor<?x?xi64>, %seed: tensor<?x?xf64>) -> tensor<?xf64> {
  %y, %xs_bar = ad.vjp @gather(%xs, %is) seed(%seed)
      : (tensor<?xf64>, tensor<?x?xi64>), (tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?xf64>)
  return %xs_bar : tensor<?xf64>
}
