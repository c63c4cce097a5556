// Loops carry arrays in the sizes that are known in front of them, unless an iteration may change these.
// RUN: ad-opt %s --ad-simplify --ad-canonicalize | FileCheck %s

// CHECK-LABEL: func.func @in_place(
// CHECK: scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}}) -> (tensor<3xf64>)
// CHECK:   %[[Y:.*]] = tensor.insert %{{.*}} into %[[X]][%{{.*}}] : tensor<3xf64>
// CHECK:   scf.yield %[[Y]] : tensor<3xf64>
func.func @in_place(%a: tensor<3xf64>, %v: f64, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %start = tensor.cast %a : tensor<3xf64> to tensor<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %start) -> tensor<?xf64> {
    %y = tensor.insert %v into %x[%i] : tensor<?xf64>
    scf.yield %y : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// What a loop inside carries, and only the sizes that are known.
// CHECK-LABEL: func.func @nested(
// CHECK: scf.for {{.*}} -> (tensor<2x?xf64>)
// CHECK:   scf.for {{.*}} -> (tensor<2x?xf64>)
func.func @nested(%a: tensor<2x?xf64>, %rows: tensor<?x?xf64>, %n: index) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %start = tensor.cast %a : tensor<2x?xf64> to tensor<?x?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %start) -> tensor<?x?xf64> {
    %y = scf.for %j = %c0 to %i step %c1 iter_args(%u = %x) -> tensor<?x?xf64> {
      %row = tensor.extract_slice %rows[%j, 0] [1, 4] [1, 1] : tensor<?x?xf64> to tensor<4xf64>
      %w = tensor.insert_slice %row into %u[%i, 0] [1, 4] [1, 1] : tensor<4xf64> into tensor<?x?xf64>
      scf.yield %w : tensor<?x?xf64>
    }
    scf.yield %y : tensor<?x?xf64>
  }
  return %r : tensor<?x?xf64>
}

// What a histogram updates.
// CHECK-LABEL: func.func @histograms(
// CHECK: scf.for {{.*}} -> (tensor<3xf64>)
// CHECK:   soac.hist {{.*}} into(%{{.*}} : tensor<3xf64>)
func.func @histograms(%a: tensor<3xf64>, %at: tensor<?xindex>, %xs: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %start = tensor.cast %a : tensor<3xf64> to tensor<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %start) -> tensor<?xf64> {
    %y = soac.hist at(%at : tensor<?xindex>) ins(%xs : tensor<?xf64>) into(%x : tensor<?xf64>) neutral(%zero : f64) (%p: f64, %q: f64) {
      %s = arith.addf %p, %q : f64
      soac.yield %s : f64
    }
    scf.yield %y : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// Of a map over an array of another size it is not known.
// CHECK-LABEL: func.func @of_another_size(
// CHECK: scf.for {{.*}} -> (tensor<?xf64>)
func.func @of_another_size(%a: tensor<3xf64>, %b: tensor<4xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %start = tensor.cast %a : tensor<3xf64> to tensor<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %start) -> tensor<?xf64> {
    %e = tensor.extract %x[%c0] : tensor<?xf64>
    %y = soac.map ins(%b : tensor<4xf64>) (%p: f64) -> tensor<?xf64> {
      %s = arith.addf %p, %e : f64
      soac.yield %s : f64
    }
    scf.yield %y : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// CHECK-LABEL: func.func @grows(
// CHECK: scf.for {{.*}} -> (tensor<?xf64>)
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
