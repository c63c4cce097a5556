// What is the same in every iteration moves out of loops, but no read moves to where it may be out of range.
// RUN: ad-opt %s --ad-hoist | FileCheck %s

// A product moves; the number that the loop reads by running at all does not.
// CHECK-LABEL: func.func @last(
// CHECK-SAME: %[[XS:.*]]: tensor<?xf64>, %[[A:.*]]: f64, %[[N:.*]]: index
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[A]], %[[A]]
// CHECK: %[[PLACE:.*]] = arith.subi %[[N]]
// CHECK: scf.for
// CHECK:   tensor.extract %[[XS]][%[[PLACE]]]
// CHECK:   arith.mulf %{{.*}}, %[[SQUARE]]
func.func @last(%xs: tensor<?xf64>, %a: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
    %square = arith.mulf %a, %a : f64
    %place = arith.subi %n, %c1 : index
    %x = tensor.extract %xs[%place] : tensor<?xf64>
    %p = arith.mulf %x, %square : f64
    %next = arith.addf %s, %p : f64
    scf.yield %next : f64
  }
  return %sum : f64
}

// A place that every array of the type has is read before the loop; any is, if the loop surely runs.
// CHECK-LABEL: func.func @there(
// CHECK: tensor.extract %{{.*}}[%c2]
// CHECK: scf.for
// CHECK-NOT: tensor.extract
// CHECK: tensor.extract %{{.*}}[%{{.*}}] : tensor<?xf64>
// CHECK: soac.map
// CHECK-NOT: tensor.extract
// CHECK: return
func.func @there(%xs: tensor<?xf64>, %few: tensor<3xf64>, %n: index, %i: index)
    -> (f64, tensor<3xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
    %x = tensor.extract %few[%c2] : tensor<3xf64>
    %next = arith.addf %s, %x : f64
    scf.yield %next : f64
  }
  %ys = soac.map ins(%few : tensor<3xf64>) (%y: f64) -> tensor<3xf64> {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %p = arith.mulf %x, %y : f64
    soac.yield %p : f64
  }
  return %sum, %ys : f64, tensor<3xf64>
}

// What is costly moves with what it needs, into a branch on whether the loop runs.
// CHECK-LABEL: func.func @costly(
// CHECK-SAME: %[[XS:.*]]: tensor<?xf64>, %[[I:.*]]: index, %[[YS:.*]]: tensor<?xf64>
// CHECK: %[[SIZE:.*]] = tensor.dim %[[YS]]
// CHECK: %[[RUNS:.*]] = arith.cmpi ugt, %[[SIZE]]
// CHECK: %[[COMMON:.*]]:2 = scf.if %[[RUNS]] -> (f64, tensor<?xf64>) {
// CHECK:   %[[X:.*]] = tensor.extract %[[XS]][%[[I]]]
// CHECK:   %[[E:.*]] = math.exp %[[X]]
// CHECK:   %[[MAPPED:.*]] = soac.map ins(%[[XS]]
// CHECK:   scf.yield %[[E]], %[[MAPPED]]
// CHECK: } else {
// CHECK:   %[[EMPTY:.*]] = tensor.empty(%{{.*}}) : tensor<?xf64>
// CHECK:   scf.yield %{{.*}}, %[[EMPTY]]
// CHECK: }
// CHECK: soac.map ins(%[[YS]]
// CHECK:   tensor.extract %[[COMMON]]#1
// CHECK:   tensor.extract %[[XS]][%[[I]]]
// CHECK:   arith.mulf %{{.*}}, %[[COMMON]]#0
func.func @costly(%xs: tensor<?xf64>, %i: index, %ys: tensor<?xf64>) -> tensor<?xf64> {
  %zs = soac.map ins(%ys : tensor<?xf64>) (%y: f64) -> tensor<?xf64> {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %e = math.exp %x : f64
    %mapped = soac.map ins(%xs : tensor<?xf64>) (%other: f64) -> tensor<?xf64> {
      %first = tensor.extract %xs[%i] : tensor<?xf64>
      %p = arith.mulf %other, %first : f64
      soac.yield %p : f64
    }
    %m = tensor.extract %mapped[%i] : tensor<?xf64>
    // Needed by nothing that is costly: read where it is used.
    %again = tensor.extract %xs[%i] : tensor<?xf64>
    %a = arith.mulf %y, %e : f64
    %b = arith.mulf %a, %m : f64
    %c = arith.mulf %b, %again : f64
    soac.yield %c : f64
  }
  return %zs : tensor<?xf64>
}

// A loop that decides in each iteration whether there is another one: what decides runs at least
// once, what follows may not.
// CHECK-LABEL: func.func @while(
// CHECK: tensor.extract %{{.*}}[%[[I:.*]]] : tensor<?xf64>
// CHECK: scf.while
// CHECK-NOT: tensor.extract
// CHECK: scf.condition
// CHECK: tensor.extract
// CHECK: math.exp
// CHECK: scf.yield
func.func @while(%limits: tensor<?xf64>, %steps: tensor<?xf64>, %i: index, %start: f64) -> f64 {
  %end = scf.while (%x = %start) : (f64) -> f64 {
    %limit = tensor.extract %limits[%i] : tensor<?xf64>
    %less = arith.cmpf olt, %x, %limit : f64
    scf.condition(%less) %x : f64
  } do {
  ^bb0(%x: f64):
    %step = tensor.extract %steps[%i] : tensor<?xf64>
    %e = math.exp %step : f64
    %next = arith.addf %x, %e : f64
    scf.yield %next : f64
  }
  return %end : f64
}
