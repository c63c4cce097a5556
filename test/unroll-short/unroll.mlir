// What combinators do with arrays of at most 8 elements becomes arithmetic of numbers: maps, reductions, loops and elementwise
// operations, in each other. What is longer, of unknown size, beside such a loop, or not in a map, stays; so do operators, which tell what kind they
// are of.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-unroll-short,canonicalize,cse)' | FileCheck %s

// CHECK-LABEL: func.func @squares(
// CHECK:       soac.map ins(%{{.*}} : tensor<?x3xf64>) (%[[ROW:.*]]: tensor<3xf64>)
// CHECK-NOT:     soac.
// CHECK:         %[[X:.*]] = tensor.extract %[[ROW]][%c0]
// CHECK:         %[[XX:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK:         %[[Y:.*]] = tensor.extract %[[ROW]][%c1]
// CHECK:         %[[YY:.*]] = arith.mulf %[[Y]], %[[Y]]
// CHECK:         %[[Z:.*]] = tensor.extract %[[ROW]][%c2]
// CHECK:         %[[ZZ:.*]] = arith.mulf %[[Z]], %[[Z]]
// CHECK:         %[[A:.*]] = arith.addf %{{.*}}, %[[XX]]
// CHECK:         %[[B:.*]] = arith.addf %[[A]], %[[YY]]
// CHECK:         %[[C:.*]] = arith.addf %[[B]], %[[ZZ]]
// CHECK:         soac.yield %[[C]] : f64
func.func @squares(%xs: tensor<?x3xf64>, %start: f64) -> tensor<?xf64> {
  %s = soac.map ins(%xs : tensor<?x3xf64>) (%row: tensor<3xf64>) -> tensor<?xf64> {
    %squares = soac.map ins(%row : tensor<3xf64>) (%x: f64) -> tensor<3xf64> {
      %xx = arith.mulf %x, %x : f64
      soac.yield %xx : f64
    }
    %sum = soac.reduce ins(%squares : tensor<3xf64>) neutral(%start : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    soac.yield %sum : f64
  }
  return %s : tensor<?xf64>
}

// Numbers of elements and one number for all of them need no array.
// CHECK-LABEL: func.func @weighted(
// CHECK:         soac.map
// CHECK-NOT:       soac.map
// CHECK-NOT:       tensor.from_elements
// CHECK:           arith.mulf %arg1, %{{.*}}
// CHECK:           soac.yield %{{.*}} : f64
func.func @weighted(%xs: tensor<?x2xf64>, %w: f64) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %is = soac.iota : tensor<2xi64>
  %ws = soac.replicate %w : f64 -> tensor<2xf64>
  %sums = soac.map ins(%xs : tensor<?x2xf64>) (%row: tensor<2xf64>) -> tensor<?xf64> {
    %terms = soac.map ins(%is, %ws, %row : tensor<2xi64>, tensor<2xf64>, tensor<2xf64>) (%i: i64, %v: f64, %x: f64) -> tensor<2xf64> {
      %f = arith.sitofp %i : i64 to f64
      %vf = arith.mulf %f, %v : f64
      %t = arith.mulf %vf, %x : f64
      soac.yield %t : f64
    }
    %sum = soac.reduce ins(%terms : tensor<2xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    soac.yield %sum : f64
  }
  return %sums : tensor<?xf64>
}

// Updates stay in their loop.
// CHECK-LABEL: func.func @updates(
// CHECK:         soac.map
// CHECK:           soac.map
// CHECK:             soac.update_acc
// CHECK-NOT:         soac.update_acc
// CHECK:         return
func.func @updates(%xs: tensor<?x2xf64>, %w: tensor<2xf64>) -> tensor<2xf64> {
  %is = soac.iota : tensor<2xindex>
  %sums = soac.with_acc ins(%w : tensor<2xf64>) (%acc: !soac.acc<tensor<2xf64>>) -> tensor<2xf64> {
    %next = soac.map ins(%xs : tensor<?x2xf64>) accs(%acc : !soac.acc<tensor<2xf64>>) (%row: tensor<2xf64>, %a: !soac.acc<tensor<2xf64>>) -> !soac.acc<tensor<2xf64>> {
      %b = soac.map ins(%is, %row : tensor<2xindex>, tensor<2xf64>) accs(%a : !soac.acc<tensor<2xf64>>) (%i: index, %x: f64, %c: !soac.acc<tensor<2xf64>>) -> !soac.acc<tensor<2xf64>> {
        %d = soac.update_acc %c[%i], %x : !soac.acc<tensor<2xf64>>, f64
        soac.yield %d : !soac.acc<tensor<2xf64>>
      }
      soac.yield %b : !soac.acc<tensor<2xf64>>
    }
    soac.yield %next : !soac.acc<tensor<2xf64>>
  }
  return %sums : tensor<2xf64>
}

// A loop of known bounds, here 1, 4 and 7; one that does nothing; elementwise arithmetic.
// CHECK-LABEL: func.func @loops(
// CHECK:         soac.map
// CHECK-NOT:       scf.for
// CHECK:           tensor.extract %{{.*}}[%c1]
// CHECK:           tensor.extract %{{.*}}[%c4]
// CHECK:           tensor.extract %{{.*}}[%c7]
// CHECK-NOT:       tensor<2xf64>
// CHECK:           tensor.from_elements %{{.*}}, %{{.*}} : tensor<2xf64>
func.func @loops(%xs: tensor<?x9xf64>) -> tensor<?x2xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0.0 : f64
  %s = soac.map ins(%xs : tensor<?x9xf64>) (%row: tensor<9xf64>) -> tensor<?x2xf64> {
    %sum = scf.for %i = %c1 to %c9 step %c3 iter_args(%a = %zero) -> f64 {
      %x = tensor.extract %row[%i] : tensor<9xf64>
      %b = arith.addf %a, %x : f64
      scf.yield %b : f64
    }
    %same = scf.for %i = %c1 to %c0 step %c1 iter_args(%a = %sum) -> f64 {
      %b = arith.addf %a, %a : f64
      scf.yield %b : f64
    }
    %both = tensor.from_elements %sum, %same : tensor<2xf64>
    %squares = arith.mulf %both, %both : tensor<2xf64>
    soac.yield %squares : tensor<2xf64>
  }
  return %s : tensor<?x2xf64>
}

// CHECK-LABEL: func.func @stay(
// CHECK:         scf.for
// CHECK:         soac.map
// CHECK:           soac.map ins(%{{.*}} : tensor<9xf64>)
// CHECK:           scf.for
// CHECK:             scf.for
// CHECK:         return
func.func @stay(%xs: tensor<?x9xf64>, %n: index, %start: f64) -> (tensor<?x9xf64>, tensor<?xf64>, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %host = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %start) -> f64 {
    %b = arith.mulf %a, %a : f64
    scf.yield %b : f64
  }
  %ys, %s = soac.map ins(%xs : tensor<?x9xf64>) (%row: tensor<9xf64>) -> (tensor<?x9xf64>, tensor<?xf64>) {
    %squares = soac.map ins(%row : tensor<9xf64>) (%x: f64) -> tensor<9xf64> {
      %xx = arith.mulf %x, %x : f64
      soac.yield %xx : f64
    }
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%a = %start) -> f64 {
      %b = scf.for %j = %c0 to %c3 step %c1 iter_args(%c = %a) -> f64 {
        %d = arith.mulf %c, %c : f64
        scf.yield %d : f64
      }
      scf.yield %b : f64
    }
    soac.yield %squares, %sum : tensor<9xf64>, f64
  }
  return %ys, %s, %host : tensor<?x9xf64>, tensor<?xf64>, f64
}
