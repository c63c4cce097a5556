// soac.reduce with any associative operator, forward mode: one reduce over pairs of primal
// and tangent [F10].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.' --implicit-check-not='soac.reduce'

func.func private @linear(%as: tensor<?xf64>, %bs: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %s:2 = soac.reduce ins(%as, %bs : tensor<?xf64>, tensor<?xf64>) neutral(%zero, %one : f64, f64) (%a: f64, %b: f64, %c: f64, %d: f64) {
    %bc = arith.mulf %b, %c : f64
    %e = arith.addf %a, %bc : f64
    %f = arith.mulf %b, %d : f64
    soac.yield %e, %f : f64, f64
  }
  return %s#0 : f64
}
// CHECK-LABEL: func.func @linear_jvp(
// CHECK-SAME: %[[AS:[a-z0-9]+]]: tensor<?xf64>, %[[BS:[a-z0-9]+]]: tensor<?xf64>, %[[AS_DOT:[a-z0-9]+]]: tensor<?xf64>, %[[BS_DOT:[a-z0-9]+]]: tensor<?xf64>)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-DAG: %[[CONST2:.*]] = arith.constant 1.000000e+00 : f64
// CHECK: %[[REDUCE:.*]]:4 = soac.reduce ins(%[[AS]], %[[BS]], %[[AS_DOT]], %[[BS_DOT]] : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) neutral(%[[CONST]], %[[CONST2]], %[[CONST]], %[[CONST]] : f64, f64, f64, f64) (%[[E:[a-z0-9]+]]: f64, %[[E2:[a-z0-9]+]]: f64, %[[E3:[a-z0-9]+]]: f64, %[[E4:[a-z0-9]+]]: f64, %[[E5:[a-z0-9]+]]: f64, %[[E6:[a-z0-9]+]]: f64, %[[E7:[a-z0-9]+]]: f64, %[[E8:[a-z0-9]+]]: f64) {
// CHECK: %[[MULF:.*]] = arith.mulf %[[E2]], %[[E5]]
// CHECK: %[[MULF2:.*]] = arith.mulf %[[E4]], %[[E5]]
// CHECK: %[[MULF3:.*]] = arith.mulf %[[E7]], %[[E2]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[MULF2]], %[[MULF3]]
// CHECK: %[[ADDF2:.*]] = arith.addf %[[E]], %[[MULF]]
// CHECK: %[[ADDF3:.*]] = arith.addf %[[E3]], %[[ADDF]]
// CHECK: %[[MULF4:.*]] = arith.mulf %[[E2]], %[[E6]]
// CHECK: %[[MULF5:.*]] = arith.mulf %[[E4]], %[[E6]]
// CHECK: %[[MULF6:.*]] = arith.mulf %[[E8]], %[[E2]]
// CHECK: %[[ADDF4:.*]] = arith.addf %[[MULF5]], %[[MULF6]]
// CHECK: soac.yield %[[ADDF2]], %[[MULF4]], %[[ADDF3]], %[[ADDF4]]
// CHECK: return %[[REDUCE]]#0, %[[REDUCE]]#2
func.func @linear_jvp(%as: tensor<?xf64>, %bs: tensor<?xf64>, %as_dot: tensor<?xf64>, %bs_dot: tensor<?xf64>) -> (f64, f64) {
  %r:2 = ad.jvp @linear(%as, %bs) seed(%as_dot, %bs_dot)
      : (tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>, tensor<?xf64>) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}

func.func private @scaled(%xs: tensor<?xf64>, %k: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %s = soac.reduce ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %p = arith.mulf %l, %r : f64
    %q = arith.mulf %p, %k : f64
    %t = arith.addf %l, %r : f64
    %u = arith.addf %t, %q : f64
    soac.yield %u : f64
  }
  return %s : f64
}
// CHECK-LABEL: func.func @scaled_jvp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[K:[a-z0-9]+]]: f64, %[[XS_DOT:[a-z0-9]+]]: tensor<?xf64>, %[[K_DOT:[a-z0-9]+]]: f64)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0.000000e+00 : f64
// CHECK: %[[REDUCE:.*]]:2 = soac.reduce ins(%[[XS]], %[[XS_DOT]] : tensor<?xf64>, tensor<?xf64>) neutral(%[[CONST]], %[[CONST]] : f64, f64) (%[[E:[a-z0-9]+]]: f64, %[[E2:[a-z0-9]+]]: f64, %[[E3:[a-z0-9]+]]: f64, %[[E4:[a-z0-9]+]]: f64) {
// CHECK: %[[MULF:.*]] = arith.mulf %[[E]], %[[E3]]
// CHECK: %[[MULF2:.*]] = arith.mulf %[[E2]], %[[E3]]
// CHECK: %[[MULF3:.*]] = arith.mulf %[[E4]], %[[E]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[MULF2]], %[[MULF3]]
// CHECK: %[[MULF4:.*]] = arith.mulf %[[MULF]], %[[K]]
// CHECK: %[[MULF5:.*]] = arith.mulf %[[ADDF]], %[[K]]
// CHECK: %[[MULF6:.*]] = arith.mulf %[[K_DOT]], %[[MULF]]
// CHECK: %[[ADDF2:.*]] = arith.addf %[[MULF5]], %[[MULF6]]
// CHECK: %[[ADDF3:.*]] = arith.addf %[[E]], %[[E3]]
// CHECK: %[[ADDF4:.*]] = arith.addf %[[E2]], %[[E4]]
// CHECK: %[[ADDF5:.*]] = arith.addf %[[ADDF3]], %[[MULF4]]
// CHECK: %[[ADDF6:.*]] = arith.addf %[[ADDF4]], %[[ADDF2]]
// CHECK: soac.yield %[[ADDF5]], %[[ADDF6]]
// CHECK: return %[[REDUCE]]#0, %[[REDUCE]]#1
func.func @scaled_jvp(%xs: tensor<?xf64>, %k: f64, %xs_dot: tensor<?xf64>, %k_dot: f64) -> (f64, f64) {
  %r:2 = ad.jvp @scaled(%xs, %k) seed(%xs_dot, %k_dot)
      : (tensor<?xf64>, f64), (tensor<?xf64>, f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
