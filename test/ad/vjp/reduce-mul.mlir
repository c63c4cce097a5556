// soac.reduce with *: one map-reduce counts the zeros and multiplies the others [F29]; without zeros
// and with one the adjoint is a map, and only otherwise are there scans [F26, F27, F28].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce | FileCheck %s --implicit-check-not='= ad.'

func.func private @product(%xs: tensor<?xf64>) -> f64 {
  %one = arith.constant 1.0 : f64
  %y = soac.reduce ins(%xs : tensor<?xf64>) neutral(%one : f64) (%l: f64, %r: f64) {
    %p = arith.mulf %r, %l : f64
    soac.yield %p : f64
  }
  return %y : f64
}
// CHECK-LABEL: func.func @product_vjp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[Y_BAR:[a-z0-9]+]]: f64)
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1.000000e+00 : f64
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK: %[[PARTS:.*]]:2 = soac.map ins(%[[XS]] : tensor<?xf64>) (%[[X:.*]]: f64) -> (tensor<?xf64>, tensor<?xindex>) {
// CHECK-NEXT: %[[IS_ZERO:.*]] = arith.cmpf oeq, %[[X]], %[[ZERO]]
// CHECK-NEXT: %[[OTHER:.*]] = arith.select %[[IS_ZERO]], %[[ONE]], %[[X]]
// CHECK-NEXT: %[[COUNT:.*]] = arith.select %[[IS_ZERO]], %[[C1]], %[[C0]]
// CHECK-NEXT: soac.yield %[[OTHER]], %[[COUNT]]
// CHECK: %[[Y:.*]]:3 = soac.reduce ins(%[[XS]], %[[PARTS]]#0, %[[PARTS]]#1 : {{.*}}) neutral(%[[ONE]], %[[ONE]], %[[C0]] : f64, f64, index)
// CHECK-NOT: soac.reduce
// CHECK: arith.cmpi sle, %[[Y]]#2, %[[C1]]
// CHECK: %[[XS_BAR:.*]] = scf.if
// CHECK: soac.map ins(%[[XS]] : tensor<?xf64>) (%[[X:.*]]: f64) -> tensor<?xf64> {
// CHECK: %[[QUOTIENT:.*]] = arith.divf %[[Y]]#0, %
// CHECK: %[[PARTIAL:.*]] = arith.select %{{.*}}, %[[Y]]#1, %[[QUOTIENT]]
// CHECK: arith.mulf %[[Y_BAR]], %[[PARTIAL]]
// CHECK: } else {
// CHECK-COUNT-2: soac.scan
// CHECK: return %[[Y]]#0, %[[XS_BAR]]
func.func @product_vjp(%xs: tensor<?xf64>, %y_bar: f64) -> (f64, tensor<?xf64>) {
  %r:2 = ad.vjp @product(%xs) seed(%y_bar) : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %r#0, %r#1 : f64, tensor<?xf64>
}

// A constant that is no neutral element goes to the general rule.
func.func private @doubled(%xs: tensor<?xf64>) -> f64 {
  %two = arith.constant 2.0 : f64
  %y = soac.reduce ins(%xs : tensor<?xf64>) neutral(%two : f64) (%l: f64, %r: f64) {
    %p = arith.mulf %l, %r : f64
    soac.yield %p : f64
  }
  return %y : f64
}
// CHECK-LABEL: func.func @doubled_vjp(
// CHECK-NOT: scf.if
// CHECK-COUNT-2: soac.scan
// CHECK: return
func.func @doubled_vjp(%xs: tensor<?xf64>, %y_bar: f64) -> tensor<?xf64> {
  %r:2 = ad.vjp @doubled(%xs) seed(%y_bar) : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
