// Vectors: tangents are rearranged as the primals are.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

func.func private @rows(%v: vector<4xf64>) -> vector<2xf64> {
  %m = vector.shape_cast %v : vector<4xf64> to vector<2x2xf64>
  %t = vector.transpose %m, [1, 0] : vector<2x2xf64> to vector<2x2xf64>
  %row = vector.extract %t[1] : vector<2xf64> from vector<2x2xf64>
  return %row : vector<2xf64>
}
// CHECK-LABEL: func.func @rows_jvp(
// CHECK-SAME: %[[V:[a-z0-9_]+]]: vector<4xf64>, %[[V_DOT:[a-z0-9_]+]]: vector<4xf64>)
// CHECK: %[[SHAPE_CAST:.+]] = vector.shape_cast %[[V_DOT]] : vector<4xf64> to vector<2x2xf64>
// CHECK: %[[TRANSPOSE:.+]] = vector.transpose %[[SHAPE_CAST]], [1, 0] : vector<2x2xf64> to vector<2x2xf64>
// CHECK: %[[EXTRACT:.+]] = vector.extract %[[TRANSPOSE]][1] : vector<2xf64> from vector<2x2xf64>
// CHECK: return %[[EXTRACT]] : vector<2xf64>
func.func @rows_jvp(%v: vector<4xf64>, %v_dot: vector<4xf64>) -> vector<2xf64> {
  %r:2 = ad.jvp @rows(%v) seed(%v_dot)
      : (vector<4xf64>), (vector<4xf64>) -> (vector<2xf64>, vector<2xf64>)
  return %r#1 : vector<2xf64>
}

func.func private @sum(%v: vector<3xf64>, %x: f64) -> f64 {
  %b = vector.broadcast %x : f64 to vector<3xf64>
  %p = vector.fma %v, %b, %v : vector<3xf64>
  %s = vector.reduction <add>, %p, %x : vector<3xf64> into f64
  return %s : f64
}
// CHECK-LABEL: func.func @sum_jvp(
// CHECK-SAME: %[[V:[a-z0-9_]+]]: vector<3xf64>, %[[X:[a-z0-9_]+]]: f64, %[[V_DOT:[a-z0-9_]+]]: vector<3xf64>, %[[X_DOT:[a-z0-9_]+]]: f64)
// CHECK: %[[BROADCAST:.+]] = vector.broadcast %[[X]] : f64 to vector<3xf64>
// CHECK: %[[BROADCAST2:.+]] = vector.broadcast %[[X_DOT]] : f64 to vector<3xf64>
// CHECK: %[[MULF:.+]] = arith.mulf %[[V_DOT]], %[[BROADCAST]] : vector<3xf64>
// CHECK: %[[MULF2:.+]] = arith.mulf %[[BROADCAST2]], %[[V]] : vector<3xf64>
// CHECK: %[[ADDF:.+]] = arith.addf %[[MULF]], %[[MULF2]] : vector<3xf64>
// CHECK: %[[ADDF2:.+]] = arith.addf %[[ADDF]], %[[V_DOT]] : vector<3xf64>
// CHECK: %[[REDUCTION:.+]] = vector.reduction <add>, %[[ADDF2]], %[[X_DOT]] : vector<3xf64> into f64
// CHECK: return %[[REDUCTION]] : f64
func.func @sum_jvp(%v: vector<3xf64>, %x: f64, %v_dot: vector<3xf64>, %x_dot: f64) -> f64 {
  %r:2 = ad.jvp @sum(%v, %x) seed(%v_dot, %x_dot)
      : (vector<3xf64>, f64), (vector<3xf64>, f64) -> (f64, f64)
  return %r#1 : f64
}
