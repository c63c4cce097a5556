// Structured operations that fold become nests of combinators; sums and elementwise ones stay.
// RUN: ad-opt %s --raise-to-soac --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @largest(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x?xf64>, %[[V:[a-z0-9]+]]: tensor<?xf64>)
// CHECK-DAG: %[[LOW:.*]] = arith.constant 0xFFF0000000000000 : f64
// CHECK: soac.map
// CHECK: %[[START:.*]] = tensor.extract %[[V]]
// CHECK: %[[ROW:.*]] = soac.map
// CHECK: tensor.extract %[[A]]
// CHECK: %[[M:.*]] = soac.reduce ins(%[[ROW]] : tensor<?xf64>) neutral(%[[LOW]] : f64)
// CHECK: arith.maximumf
// CHECK: arith.maximumf %[[M]], %[[START]]
func.func @largest(%a: tensor<?x?xf64>, %v: tensor<?xf64>) -> tensor<?xf64> {
  %0 = linalg.reduce ins(%a : tensor<?x?xf64>) outs(%v : tensor<?xf64>) dimensions = [1]
    (%x: f64, %o: f64) {
      %m = arith.maximumf %x, %o : f64
      linalg.yield %m : f64
    }
  return %0 : tensor<?xf64>
}

// CHECK-LABEL: func.func @recurrence(
// CHECK: soac.map
// CHECK: scf.for
// CHECK: math.sin
// CHECK-NOT: linalg
func.func @recurrence(%a: tensor<2x3xf64>, %v: tensor<2xf64>) -> tensor<2xf64> {
  %0 = linalg.reduce ins(%a : tensor<2x3xf64>) outs(%v : tensor<2xf64>) dimensions = [1]
    (%x: f64, %o: f64) {
      %p = arith.mulf %x, %o : f64
      %q = math.sin %p : f64
      linalg.yield %q : f64
    }
  return %0 : tensor<2xf64>
}

// CHECK-LABEL: func.func @sum(
// CHECK: linalg.reduce
// CHECK: linalg.exp
func.func @sum(%a: tensor<2x3xf64>, %v: tensor<2xf64>) -> tensor<2xf64> {
  %0 = linalg.reduce {arith.addf} ins(%a : tensor<2x3xf64>) outs(%v : tensor<2xf64>) dimensions = [1]
  %1 = linalg.exp ins(%0 : tensor<2xf64>) outs(%v : tensor<2xf64>) -> tensor<2xf64>
  return %1 : tensor<2xf64>
}
