// arith.select: the operand that was not chosen contributes a zero that is never
// multiplied.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

func.func private @scalar(%c: i1, %x: f64, %y: f64) -> f64 {
  %a = math.sqrt %x : f64
  %r = arith.select %c, %a, %y : f64
  return %r : f64
}
// CHECK-LABEL: func.func @scalar_vjp(
// CHECK-SAME: %[[C:[a-z0-9]+]]: i1, %[[X:[a-z0-9]+]]: f64, %[[Y:[a-z0-9]+]]: f64, %[[Y_BAR:[a-z0-9]+]]: f64)
// CHECK-DAG: %[[HALF:.*]] = arith.constant 5.000000e-01 : f64
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1.000000e+00 : f64
// CHECK-DAG: %[[CONST2:.*]] = arith.constant 0.000000e+00 : f64
// CHECK: %[[SQRT:.*]] = math.sqrt %[[X]]
// CHECK: %[[SELECT:.*]] = arith.select %[[C]], %[[Y_BAR]], %[[CONST2]]
// CHECK: %[[SELECT2:.*]] = arith.select %[[C]], %[[CONST2]], %[[Y_BAR]]
// CHECK: %[[DIVF:.*]] = arith.divf %[[ONE]], %[[SQRT]]
// CHECK: %[[SLOPE:.*]] = arith.mulf %[[DIVF]], %[[HALF]]
// CHECK: %[[MULF:.*]] = arith.mulf %[[SELECT]], %[[SLOPE]]
// CHECK: %[[SELECT3:.*]] = arith.select %[[C]], %[[MULF]], %[[CONST2]]
// CHECK: return %[[SELECT3]], %[[SELECT2]]
func.func @scalar_vjp(%c: i1, %x: f64, %y: f64, %y_bar: f64) -> (f64, f64) {
  %r:3 = ad.vjp @scalar(%c, %x, %y) seed(%y_bar)
      : (i1, f64, f64), (f64) -> (f64, f64, f64)
  return %r#1, %r#2 : f64, f64
}

// Whole arrays by one condition: the zero has the size of the array that it is for, which may be another than that of
// the one chosen.
func.func private @array(%c: i1, %x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %r = arith.select %c, %x, %y : tensor<?xf64>
  return %r : tensor<?xf64>
}
// CHECK-LABEL: func.func @array_vjp(
// CHECK-SAME: %[[C:[a-z0-9]+]]: i1, %[[X:[a-z0-9]+]]: tensor<?xf64>, %[[Y:[a-z0-9]+]]: tensor<?xf64>, %[[Y_BAR:[a-z0-9]+]]: tensor<?xf64>)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-DAG: %[[CONST2:.*]] = arith.constant 0 : index
// CHECK: %[[DIM:.*]] = tensor.dim %[[X]], %[[CONST2]]
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[DIM]]) : tensor<?xf64>
// CHECK: %[[FILL:.*]] = linalg.fill ins(%[[CONST]] : f64) outs(%[[EMPTY]]
// CHECK: %[[SELECT:.*]] = arith.select %[[C]], %[[Y_BAR]], %[[FILL]]
// CHECK: %[[DIM2:.*]] = tensor.dim %[[Y]], %[[CONST2]]
// CHECK: %[[EMPTY2:.*]] = tensor.empty(%[[DIM2]]) : tensor<?xf64>
// CHECK: %[[FILL2:.*]] = linalg.fill ins(%[[CONST]] : f64) outs(%[[EMPTY2]]
// CHECK: %[[SELECT2:.*]] = arith.select %[[C]], %[[FILL2]], %[[Y_BAR]]
// CHECK: return %[[SELECT]], %[[SELECT2]]
func.func @array_vjp(%c: i1, %x: tensor<?xf64>, %y: tensor<?xf64>, %y_bar: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:3 = ad.vjp @array(%c, %x, %y) seed(%y_bar)
      : (i1, tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %r#1, %r#2 : tensor<?xf64>, tensor<?xf64>
}
