// Accumulators whose rows get one number each keep that number, and the rows are made at the end.
// RUN: ad-opt %s --ad-simplify | FileCheck %s
// RUN: ad-opt run %s --entry=values > %t.values
// RUN: ad-opt run %s --entry=empty >> %t.values
// RUN: FileCheck %s --check-prefix=VALUES --input-file=%t.values

// Row ix[i] of three gets w[i] twice, where w[i] is not negative.
// CHECK-LABEL: func.func private @rows(
// CHECK: %[[SUMS:.*]] = soac.with_acc ins({{.*}} : tensor<3xf64>) (%{{.*}}: !soac.acc<tensor<3xf64>>) -> tensor<3xf64>
// CHECK: soac.map {{.*}} accs({{.*}} : !soac.acc<tensor<3xf64>>)
// CHECK: scf.if {{.*}} -> (!soac.acc<tensor<3xf64>>)
// CHECK-COUNT-2: soac.update_acc %{{.*}}[%{{.*}}], %{{.*}} : !soac.acc<tensor<3xf64>>, f64
// CHECK: %[[MATRICES:.*]] = soac.map ins(%[[SUMS]] : tensor<3xf64>) (%[[SUM:.*]]: f64) -> tensor<3x?x2xf64>
// CHECK: %[[ROW:.*]] = soac.replicate %[[SUM]] : f64 -> tensor<2xf64>
// CHECK: soac.replicate %[[ROW]], %{{.*}} : tensor<2xf64> -> tensor<?x2xf64>
// CHECK: return %[[MATRICES]]
func.func private @rows(%w: tensor<?xf64>, %ix: tensor<?xindex>, %n: index) -> tensor<3x?x2xf64> {
  %zero = arith.constant 0.0 : f64
  %zeros = tensor.splat %zero[%n] : tensor<3x?x2xf64>
  %sums = soac.with_acc ins(%zeros : tensor<3x?x2xf64>) (%all: !soac.acc<tensor<3x?x2xf64>>)
      -> (tensor<3x?x2xf64>) {
    %done = soac.map ins(%w, %ix : tensor<?xf64>, tensor<?xindex>) accs(%all : !soac.acc<tensor<3x?x2xf64>>)
        (%v: f64, %i: index, %acc: !soac.acc<tensor<3x?x2xf64>>) -> (!soac.acc<tensor<3x?x2xf64>>) {
      %is_added = arith.cmpf oge, %v, %zero : f64
      %next = scf.if %is_added -> (!soac.acc<tensor<3x?x2xf64>>) {
        %pair = soac.replicate %v : f64 -> tensor<2xf64>
        %row = soac.replicate %pair, %n : tensor<2xf64> -> tensor<?x2xf64>
        %once = soac.update_acc %acc[%i], %row : !soac.acc<tensor<3x?x2xf64>>, tensor<?x2xf64>
        %filled = tensor.splat %v[%n] : tensor<?x2xf64>
        %twice = soac.update_acc %once[%i], %filled : !soac.acc<tensor<3x?x2xf64>>, tensor<?x2xf64>
        scf.yield %twice : !soac.acc<tensor<3x?x2xf64>>
      } else {
        scf.yield %acc : !soac.acc<tensor<3x?x2xf64>>
      }
      soac.yield %next : !soac.acc<tensor<3x?x2xf64>>
    }
    soac.yield %done : !soac.acc<tensor<3x?x2xf64>>
  }
  return %sums : tensor<3x?x2xf64>
}

// One of the updates adds different numbers to a row.
// CHECK-LABEL: func.func private @mixed(
// CHECK: soac.with_acc {{.*}} -> tensor<?x2xf64>
func.func private @mixed(%w: tensor<?xf64>, %ix: tensor<?xindex>, %own: tensor<2xf64>, %n: index) -> tensor<?x2xf64> {
  %zero = arith.constant 0.0 : f64
  %zeros = tensor.splat %zero[%n] : tensor<?x2xf64>
  %sums = soac.with_acc ins(%zeros : tensor<?x2xf64>) (%all: !soac.acc<tensor<?x2xf64>>) -> (tensor<?x2xf64>) {
    %done = soac.map ins(%w, %ix : tensor<?xf64>, tensor<?xindex>) accs(%all : !soac.acc<tensor<?x2xf64>>)
        (%v: f64, %i: index, %acc: !soac.acc<tensor<?x2xf64>>) -> (!soac.acc<tensor<?x2xf64>>) {
      %row = soac.replicate %v : f64 -> tensor<2xf64>
      %once = soac.update_acc %acc[%i], %row : !soac.acc<tensor<?x2xf64>>, tensor<2xf64>
      %twice = soac.update_acc %once[%i], %own : !soac.acc<tensor<?x2xf64>>, tensor<2xf64>
      soac.yield %twice : !soac.acc<tensor<?x2xf64>>
    }
    soac.yield %done : !soac.acc<tensor<?x2xf64>>
  }
  return %sums : tensor<?x2xf64>
}

// The rows differ before anything is added.
// CHECK-LABEL: func.func private @started(
// CHECK: soac.with_acc {{.*}} -> tensor<?x2xf64>
func.func private @started(%w: tensor<?xf64>, %ix: tensor<?xindex>, %start: tensor<?x2xf64>) -> tensor<?x2xf64> {
  %sums = soac.with_acc ins(%start : tensor<?x2xf64>) (%all: !soac.acc<tensor<?x2xf64>>) -> (tensor<?x2xf64>) {
    %done = soac.map ins(%w, %ix : tensor<?xf64>, tensor<?xindex>) accs(%all : !soac.acc<tensor<?x2xf64>>)
        (%v: f64, %i: index, %acc: !soac.acc<tensor<?x2xf64>>) -> (!soac.acc<tensor<?x2xf64>>) {
      %row = soac.replicate %v : f64 -> tensor<2xf64>
      %once = soac.update_acc %acc[%i], %row : !soac.acc<tensor<?x2xf64>>, tensor<2xf64>
      soac.yield %once : !soac.acc<tensor<?x2xf64>>
    }
    soac.yield %done : !soac.acc<tensor<?x2xf64>>
  }
  return %sums : tensor<?x2xf64>
}

// 2 (1 + 4) in row 1, 2 * 3 in row 2; -2 is not added. Then 1 + 9 and 1 + 19, -2 + 9 and -2 + 19.
// VALUES: {{\[\[\[}}0.0, 0.0],
// VALUES-NEXT: [0.0, 0.0]],
// VALUES: {{\[\[}}10.0, 10.0],
// VALUES-NEXT: [10.0, 10.0]],
// VALUES: {{\[\[}}6.0, 6.0],
// VALUES-NEXT: [6.0, 6.0]]]
// VALUES-NEXT: {{\[\[}}10.0, 20.0],
// VALUES-NEXT: [7.0, 17.0]]
func.func @values() -> (tensor<3x?x2xf64>, tensor<?x2xf64>) {
  %n = arith.constant 2 : index
  %w = arith.constant dense<[1.0, -2.0, 3.0, 4.0]> : tensor<4xf64>
  %ix = arith.constant dense<[1, 0, 2, 1]> : tensor<4xindex>
  %all = tensor.cast %w : tensor<4xf64> to tensor<?xf64>
  %places = tensor.cast %ix : tensor<4xindex> to tensor<?xindex>
  %sums = func.call @rows(%all, %places, %n) : (tensor<?xf64>, tensor<?xindex>, index) -> tensor<3x?x2xf64>
  %few = tensor.extract_slice %w[0] [2] [1] : tensor<4xf64> to tensor<2xf64>
  %short = tensor.cast %few : tensor<2xf64> to tensor<?xf64>
  %at = arith.constant dense<[0, 1]> : tensor<2xindex>
  %both = tensor.cast %at : tensor<2xindex> to tensor<?xindex>
  %own = arith.constant dense<[9.0, 19.0]> : tensor<2xf64>
  %mixed = func.call @mixed(%short, %both, %own, %n)
      : (tensor<?xf64>, tensor<?xindex>, tensor<2xf64>, index) -> tensor<?x2xf64>
  return %sums, %mixed : tensor<3x?x2xf64>, tensor<?x2xf64>
}

// Rows without elements.
// VALUES-NEXT: # shape (3, 0, 2)
func.func @empty() -> tensor<3x?x2xf64> {
  %n = arith.constant 0 : index
  %w = arith.constant dense<[1.0]> : tensor<1xf64>
  %ix = arith.constant dense<[2]> : tensor<1xindex>
  %all = tensor.cast %w : tensor<1xf64> to tensor<?xf64>
  %places = tensor.cast %ix : tensor<1xindex> to tensor<?xindex>
  %sums = func.call @rows(%all, %places, %n) : (tensor<?xf64>, tensor<?xindex>, index) -> tensor<3x?x2xf64>
  return %sums : tensor<3x?x2xf64>
}
