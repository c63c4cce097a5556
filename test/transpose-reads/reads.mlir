// An array whose last index is data is read from a copy in which that of the iteration is the last one.
// RUN: ad-opt %s --ad-transpose-reads | FileCheck %s

// CHECK-LABEL: func.func @distances(
// CHECK-SAME: %[[C:[^:]*]]: tensor<?x?xf64>
// CHECK: %[[COPY:.*]] = soac.map ins(%{{.*}} : tensor<?xindex>) (%[[J:.*]]: index) -> tensor<?x?xf64>
// CHECK:   soac.map ins(%{{.*}} : tensor<?xindex>) (%[[I:.*]]: index) -> tensor<?xf64>
// CHECK:     tensor.extract %[[C]][%[[I]], %[[J]]]
// CHECK: soac.map ins(%{{.*}} : tensor<?x?xi64>)
// CHECK:   soac.map ins(%{{.*}}, %{{.*}}) (%[[CENTRE:.*]]: index,
// CHECK:     soac.map
// CHECK:       %[[COLUMN:.*]] = arith.index_cast
// CHECK:       tensor.extract %[[COPY]][%[[COLUMN]], %[[CENTRE]]]
func.func @distances(%c: tensor<?x?xf64>, %columns: tensor<?x?xi64>) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %k = tensor.dim %c, %c0 : tensor<?x?xf64>
  %centres = soac.iota %k : tensor<?xindex>
  %norms = soac.map ins(%c : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?xf64> {
    %norm = soac.reduce ins(%row : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %s = arith.addf %a, %b : f64
      soac.yield %s : f64
    }
    soac.yield %norm : f64
  }
  %all = soac.map ins(%columns : tensor<?x?xi64>) (%own: tensor<?xi64>) -> tensor<?x?xf64> {
    %sums = soac.map ins(%centres, %norms : tensor<?xindex>, tensor<?xf64>) (%centre: index, %norm: f64) -> tensor<?xf64> {
      %terms = soac.map ins(%own : tensor<?xi64>) (%id: i64) -> tensor<?xf64> {
        %column = arith.index_cast %id : i64 to index
        %x = tensor.extract %c[%centre, %column] : tensor<?x?xf64>
        soac.yield %x : f64
      }
      %sum = soac.reduce ins(%terms : tensor<?xf64>) neutral(%norm : f64) (%a: f64, %b: f64) {
        %s = arith.addf %a, %b : f64
        soac.yield %s : f64
      }
      soac.yield %sum : f64
    }
    soac.yield %sums : tensor<?xf64>
  }
  return %all : tensor<?x?xf64>
}

// The index that is to come last is the first of three.
// CHECK-LABEL: func.func @three(
// CHECK: %[[COPY:[^ ]*]] = soac.map {{.*}} -> tensor<5x?x4xf32>
// CHECK: tensor.extract %[[COPY]][%{{.*}}, %{{.*}}, %[[I:.*]]]
func.func @three(%c: tensor<4x5x?xf32>, %columns: tensor<?xindex>, %j: index) -> (tensor<?x4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %four = soac.iota : tensor<4xindex>
  %firsts = soac.map ins(%c : tensor<4x5x?xf32>) (%x: tensor<5x?xf32>) -> tensor<4xf32> {
    %first = tensor.extract %x[%c0, %c0] : tensor<5x?xf32>
    soac.yield %first : f32
  }
  %all = soac.map ins(%columns : tensor<?xindex>) (%column: index) -> tensor<?x4xf32> {
    %row = soac.map ins(%four : tensor<4xindex>) (%i: index) -> tensor<4xf32> {
      %at = tensor.extract %columns[%i] : tensor<?xindex>
      %x = tensor.extract %c[%i, %j, %at] : tensor<4x5x?xf32>
      soac.yield %x : f32
    }
    soac.yield %row : tensor<4xf32>
  }
  return %all, %firsts : tensor<?x4xf32>, tensor<4xf32>
}

// Nothing walks over the array: it may be much larger than what is read of it.
// CHECK-LABEL: func.func @large(
// CHECK: tensor.extract %arg0[
func.func @large(%c: tensor<?x?xf64>, %columns: tensor<?x?xindex>, %k: index) -> tensor<?x?x?xf64> {
  %centres = soac.iota %k : tensor<?xindex>
  %all = soac.map ins(%columns : tensor<?x?xindex>) (%own: tensor<?xindex>) -> tensor<?x?x?xf64> {
    %rows = soac.map ins(%centres : tensor<?xindex>) (%centre: index) -> tensor<?x?xf64> {
      %row = soac.map ins(%own : tensor<?xindex>) (%column: index) -> tensor<?xf64> {
        %x = tensor.extract %c[%centre, %column] : tensor<?x?xf64>
        soac.yield %x : f64
      }
      soac.yield %row : tensor<?xf64>
    }
    soac.yield %rows : tensor<?x?xf64>
  }
  return %all : tensor<?x?x?xf64>
}

// It is read once only, or along its rows.
// CHECK-LABEL: func.func @along(
// CHECK-COUNT-2: tensor.extract %arg0[
func.func @along(%c: tensor<?x?xf64>, %is: tensor<?xindex>, %k: index) -> (tensor<?xf64>, tensor<?x?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %range = soac.iota %k : tensor<?xindex>
  %firsts = soac.map ins(%c : tensor<?x?xf64>) (%x: tensor<?xf64>) -> tensor<?xf64> {
    %first = tensor.extract %x[%c0] : tensor<?xf64>
    soac.yield %first : f64
  }
  %once = soac.map ins(%range, %is : tensor<?xindex>, tensor<?xindex>) (%i: index, %j: index) -> tensor<?xf64> {
    %x = tensor.extract %c[%i, %j] : tensor<?x?xf64>
    soac.yield %x : f64
  }
  %rows = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?x?xf64> {
    %row = soac.map ins(%range : tensor<?xindex>) (%j: index) -> tensor<?xf64> {
      %x = tensor.extract %c[%i, %j] : tensor<?x?xf64>
      soac.yield %x : f64
    }
    soac.yield %row : tensor<?xf64>
  }
  return %once, %rows, %firsts : tensor<?xf64>, tensor<?x?xf64>, tensor<?xf64>
}
