// Vectors: what was taken apart is put together, what was copied is summed.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

func.func private @rows(%v: vector<4xf64>) -> vector<2xf64> {
  %m = vector.shape_cast %v : vector<4xf64> to vector<2x2xf64>
  %t = vector.transpose %m, [1, 0] : vector<2x2xf64> to vector<2x2xf64>
  %row = vector.extract %t[1] : vector<2xf64> from vector<2x2xf64>
  return %row : vector<2xf64>
}
// CHECK-LABEL: func.func @rows_vjp(
// CHECK-SAME: %[[V:[a-z0-9_]+]]: vector<4xf64>, %[[Y_BAR:[a-z0-9_]+]]: vector<2xf64>)
// CHECK-DAG: %[[CST:.+]] = arith.constant dense<0.000000e+00> : vector<2x2xf64>
// CHECK: %[[INSERT:.+]] = vector.insert %[[Y_BAR]], %[[CST]] [1] : vector<2xf64> into vector<2x2xf64>
// CHECK: %[[TRANSPOSE:.+]] = vector.transpose %[[INSERT]], [1, 0] : vector<2x2xf64> to vector<2x2xf64>
// CHECK: %[[SHAPE_CAST:.+]] = vector.shape_cast %[[TRANSPOSE]] : vector<2x2xf64> to vector<4xf64>
// CHECK: return %[[SHAPE_CAST]] : vector<4xf64>
func.func @rows_vjp(%v: vector<4xf64>, %y_bar: vector<2xf64>) -> vector<4xf64> {
  %r:2 = ad.vjp @rows(%v) seed(%y_bar)
      : (vector<4xf64>), (vector<2xf64>) -> (vector<2xf64>, vector<4xf64>)
  return %r#1 : vector<4xf64>
}

func.func private @insert(%x: f64, %v: vector<4xf64>, %i: index) -> vector<4xf64> {
  %y = vector.insert %x, %v[%i] : f64 into vector<4xf64>
  return %y : vector<4xf64>
}
// CHECK-LABEL: func.func @insert_vjp(
// CHECK-SAME: %[[X:[a-z0-9_]+]]: f64, %[[V:[a-z0-9_]+]]: vector<4xf64>, %[[I:[a-z0-9_]+]]: index, %[[Y_BAR:[a-z0-9_]+]]: vector<4xf64>)
// CHECK-DAG: %[[CST:.+]] = arith.constant 0.000000e+00 : f64
// CHECK: %[[EXTRACT:.+]] = vector.extract %[[Y_BAR]][%[[I]]] : f64 from vector<4xf64>
// CHECK: %[[INSERT:.+]] = vector.insert %[[CST]], %[[Y_BAR]] [%[[I]]] : f64 into vector<4xf64>
// CHECK: return %[[EXTRACT]], %[[INSERT]] : f64, vector<4xf64>
func.func @insert_vjp(%x: f64, %v: vector<4xf64>, %i: index, %y_bar: vector<4xf64>) -> (f64, vector<4xf64>) {
  %r:3 = ad.vjp @insert(%x, %v, %i) seed(%y_bar)
      : (f64, vector<4xf64>, index), (vector<4xf64>) -> (vector<4xf64>, f64, vector<4xf64>)
  return %r#1, %r#2 : f64, vector<4xf64>
}

// The sum's adjoint is a broadcast, and the broadcast's a sum.
func.func private @sum(%v: vector<3xf64>, %x: f64) -> f64 {
  %b = vector.broadcast %x : f64 to vector<3xf64>
  %p = arith.mulf %v, %b : vector<3xf64>
  %s = vector.reduction <add>, %p, %x : vector<3xf64> into f64
  return %s : f64
}
// CHECK-LABEL: func.func @sum_vjp(
// CHECK-SAME: %[[V:[a-z0-9_]+]]: vector<3xf64>, %[[X:[a-z0-9_]+]]: f64, %[[S_BAR:[a-z0-9_]+]]: f64)
// CHECK: %[[BROADCAST:.+]] = vector.broadcast %[[X]] : f64 to vector<3xf64>
// CHECK: %[[BROADCAST2:.+]] = vector.broadcast %[[S_BAR]] : f64 to vector<3xf64>
// CHECK: %[[MULF:.+]] = arith.mulf %[[BROADCAST2]], %[[BROADCAST]] : vector<3xf64>
// CHECK: %[[MULF2:.+]] = arith.mulf %[[BROADCAST2]], %[[V]] : vector<3xf64>
// CHECK: %[[TO_ELEMENTS:.+]]:3 = vector.to_elements %[[MULF2]] : vector<3xf64>
// CHECK: %[[ADDF:.+]] = arith.addf %[[TO_ELEMENTS]]#0, %[[TO_ELEMENTS]]#1 : f64
// CHECK: %[[ADDF2:.+]] = arith.addf %[[ADDF]], %[[TO_ELEMENTS]]#2 : f64
// CHECK: %[[ADDF3:.+]] = arith.addf %[[S_BAR]], %[[ADDF2]] : f64
// CHECK: return %[[MULF]], %[[ADDF3]] : vector<3xf64>, f64
func.func @sum_vjp(%v: vector<3xf64>, %x: f64, %s_bar: f64) -> (vector<3xf64>, f64) {
  %r:3 = ad.vjp @sum(%v, %x) seed(%s_bar)
      : (vector<3xf64>, f64), (f64) -> (f64, vector<3xf64>, f64)
  return %r#1, %r#2 : vector<3xf64>, f64
}
