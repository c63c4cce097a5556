// soac.reduce with +, forward mode: one reduce over pairs of primal and tangent [F10].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.' --implicit-check-not='soac.reduce' --implicit-check-not='scf.for' --implicit-check-not='?x?'

func.func private @sum(%xs: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %s = soac.reduce ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.addf %l, %r : f64
    soac.yield %t : f64
  }
  return %s : f64
}
// CHECK-LABEL: func.func @sum_jvp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[XS_DOT:[a-z0-9]+]]: tensor<?xf64>)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0.000000e+00 : f64
// CHECK: %[[REDUCE:.*]]:2 = soac.reduce ins(%[[XS]], %[[XS_DOT]] : tensor<?xf64>, tensor<?xf64>) neutral(%[[CONST]], %[[CONST]] : f64, f64) (%[[E:[a-z0-9]+]]: f64, %[[E2:[a-z0-9]+]]: f64, %[[E3:[a-z0-9]+]]: f64, %[[E4:[a-z0-9]+]]: f64) {
// CHECK: %[[ADDF:.*]] = arith.addf %[[E]], %[[E3]]
// CHECK: %[[ADDF2:.*]] = arith.addf %[[E2]], %[[E4]]
// CHECK: soac.yield %[[ADDF]], %[[ADDF2]]
// CHECK: return %[[REDUCE]]#0, %[[REDUCE]]#1
func.func @sum_jvp(%xs: tensor<?xf64>, %xs_dot: tensor<?xf64>) -> (f64, f64) {
  %r:2 = ad.jvp @sum(%xs) seed(%xs_dot)
      : (tensor<?xf64>), (tensor<?xf64>) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}

func.func private @rows(%m: tensor<?x3xf64>) -> tensor<3xf64> {
  %zero = arith.constant dense<0.0> : tensor<3xf64>
  %s = soac.reduce ins(%m : tensor<?x3xf64>) neutral(%zero : tensor<3xf64>) (%l: tensor<3xf64>, %r: tensor<3xf64>) {
    %t = arith.addf %l, %r : tensor<3xf64>
    soac.yield %t : tensor<3xf64>
  }
  return %s : tensor<3xf64>
}
// CHECK-LABEL: func.func @rows_jvp(
// CHECK-SAME: %[[M:[a-z0-9]+]]: tensor<?x3xf64>, %[[M_DOT:[a-z0-9]+]]: tensor<?x3xf64>)
// CHECK-DAG: %[[CONST:.*]] = arith.constant dense<0.000000e+00> : tensor<3xf64>
// CHECK-DAG: %[[CONST2:.*]] = arith.constant 0.000000e+00 : f64
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<3xf64>
// CHECK: %[[FILL:.*]] = linalg.fill ins(%[[CONST2]] : f64) outs(%[[EMPTY]]
// CHECK: %[[REDUCE:.*]]:2 = soac.reduce ins(%[[M]], %[[M_DOT]] : tensor<?x3xf64>, tensor<?x3xf64>) neutral(%[[CONST]], %[[FILL]] : tensor<3xf64>, tensor<3xf64>) (%[[E:[a-z0-9]+]]: tensor<3xf64>, %[[E2:[a-z0-9]+]]: tensor<3xf64>, %[[E3:[a-z0-9]+]]: tensor<3xf64>, %[[E4:[a-z0-9]+]]: tensor<3xf64>) {
// CHECK: %[[ADDF:.*]] = arith.addf %[[E]], %[[E3]]
// CHECK: %[[ADDF2:.*]] = arith.addf %[[E2]], %[[E4]]
// CHECK: soac.yield %[[ADDF]], %[[ADDF2]]
// CHECK: return %[[REDUCE]]#0, %[[REDUCE]]#1
func.func @rows_jvp(%m: tensor<?x3xf64>, %m_dot: tensor<?x3xf64>) -> (tensor<3xf64>, tensor<3xf64>) {
  %r:2 = ad.jvp @rows(%m) seed(%m_dot)
      : (tensor<?x3xf64>), (tensor<?x3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  return %r#0, %r#1 : tensor<3xf64>, tensor<3xf64>
}

func.func private @pair(%xs: tensor<?xf64>, %ys: tensor<?xf64>) -> (f64, f64) {
  %zero = arith.constant 0.0 : f64
  %s:2 = soac.reduce ins(%xs, %ys : tensor<?xf64>, tensor<?xf64>) neutral(%zero, %zero : f64, f64) (%l: f64, %k: f64, %r: f64, %s: f64) {
    %t = arith.addf %r, %l : f64
    %u = arith.addf %k, %s : f64
    soac.yield %t, %u : f64, f64
  }
  return %s#0, %s#1 : f64, f64
}
// CHECK-LABEL: func.func @pair_jvp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[YS:[a-z0-9]+]]: tensor<?xf64>, %[[XS_DOT:[a-z0-9]+]]: tensor<?xf64>, %[[YS_DOT:[a-z0-9]+]]: tensor<?xf64>)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0.000000e+00 : f64
// CHECK: %[[REDUCE:.*]]:4 = soac.reduce ins(%[[XS]], %[[YS]], %[[XS_DOT]], %[[YS_DOT]] : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) neutral(%[[CONST]], %[[CONST]], %[[CONST]], %[[CONST]] : f64, f64, f64, f64) (%[[E:[a-z0-9]+]]: f64, %[[E2:[a-z0-9]+]]: f64, %[[E3:[a-z0-9]+]]: f64, %[[E4:[a-z0-9]+]]: f64, %[[E5:[a-z0-9]+]]: f64, %[[E6:[a-z0-9]+]]: f64, %[[E7:[a-z0-9]+]]: f64, %[[E8:[a-z0-9]+]]: f64) {
// CHECK: %[[ADDF:.*]] = arith.addf %[[E5]], %[[E]]
// CHECK: %[[ADDF2:.*]] = arith.addf %[[E7]], %[[E3]]
// CHECK: %[[ADDF3:.*]] = arith.addf %[[E2]], %[[E6]]
// CHECK: %[[ADDF4:.*]] = arith.addf %[[E4]], %[[E8]]
// CHECK: soac.yield %[[ADDF]], %[[ADDF3]], %[[ADDF2]], %[[ADDF4]]
// CHECK: return %[[REDUCE]]#0, %[[REDUCE]]#1, %[[REDUCE]]#2, %[[REDUCE]]#3
func.func @pair_jvp(%xs: tensor<?xf64>, %ys: tensor<?xf64>, %xs_dot: tensor<?xf64>, %ys_dot: tensor<?xf64>) -> (f64, f64, f64, f64) {
  %r:4 = ad.jvp @pair(%xs, %ys) seed(%xs_dot, %ys_dot)
      : (tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>, tensor<?xf64>) -> (f64, f64, f64, f64)
  return %r#0, %r#1, %r#2, %r#3 : f64, f64, f64, f64
}

func.func private @dot(%xs: tensor<?xf64>, %ys: tensor<?xf64>) -> f64 {
  %p = soac.map ins(%xs, %ys : tensor<?xf64>, tensor<?xf64>) (%x: f64, %y: f64) -> tensor<?xf64> {
    %m = arith.mulf %x, %y : f64
    soac.yield %m : f64
  }
  %zero = arith.constant 0.0 : f64
  %s = soac.reduce ins(%p : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %t = arith.addf %a, %b : f64
    soac.yield %t : f64
  }
  return %s : f64
}
// CHECK-LABEL: func.func @dot_jvp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[YS:[a-z0-9]+]]: tensor<?xf64>, %[[XS_DOT:[a-z0-9]+]]: tensor<?xf64>, %[[YS_DOT:[a-z0-9]+]]: tensor<?xf64>)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0.000000e+00 : f64
// CHECK: %[[MAP:.*]]:2 = soac.map ins(%[[XS]], %[[YS]], %[[XS_DOT]], %[[YS_DOT]] : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) (%[[E:[a-z0-9]+]]: f64, %[[E2:[a-z0-9]+]]: f64, %[[E3:[a-z0-9]+]]: f64, %[[E4:[a-z0-9]+]]: f64) -> (tensor<?xf64>, tensor<?xf64>) {
// CHECK: %[[MULF:.*]] = arith.mulf %[[E]], %[[E2]]
// CHECK: %[[MULF2:.*]] = arith.mulf %[[E3]], %[[E2]]
// CHECK: %[[MULF3:.*]] = arith.mulf %[[E4]], %[[E]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[MULF2]], %[[MULF3]]
// CHECK: soac.yield %[[MULF]], %[[ADDF]]
// CHECK: %[[REDUCE:.*]]:2 = soac.reduce ins(%[[MAP]]#0, %[[MAP]]#1 : tensor<?xf64>, tensor<?xf64>) neutral(%[[CONST]], %[[CONST]] : f64, f64) (%[[E5:[a-z0-9]+]]: f64, %[[E6:[a-z0-9]+]]: f64, %[[E7:[a-z0-9]+]]: f64, %[[E8:[a-z0-9]+]]: f64) {
// CHECK: %[[ADDF2:.*]] = arith.addf %[[E5]], %[[E7]]
// CHECK: %[[ADDF3:.*]] = arith.addf %[[E6]], %[[E8]]
// CHECK: soac.yield %[[ADDF2]], %[[ADDF3]]
// CHECK: return %[[REDUCE]]#0, %[[REDUCE]]#1
func.func @dot_jvp(%xs: tensor<?xf64>, %ys: tensor<?xf64>, %xs_dot: tensor<?xf64>, %ys_dot: tensor<?xf64>) -> (f64, f64) {
  %r:2 = ad.jvp @dot(%xs, %ys) seed(%xs_dot, %ys_dot)
      : (tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>, tensor<?xf64>) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
