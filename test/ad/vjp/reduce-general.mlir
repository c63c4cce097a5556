// soac.reduce with any associative operator: in reverse mode two exclusive scans, one of
// them reversed, and a map [F22]; in forward mode one reduce over pairs [F10].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.' --implicit-check-not='soac.reduce'

// The composition of linear functions, which is not commutative [F22].
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
// CHECK-LABEL: func.func @linear_vjp(
// CHECK-SAME: %[[AS:[a-z0-9]+]]: tensor<?xf64>, %[[BS:[a-z0-9]+]]: tensor<?xf64>, %[[Y_BAR:[a-z0-9]+]]: f64)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-DAG: %[[CONST2:.*]] = arith.constant 1.000000e+00 : f64
// CHECK: %[[SCAN:.*]]:2 = soac.scan ins(%[[AS]], %[[BS]] : tensor<?xf64>, tensor<?xf64>) neutral(%[[CONST]], %[[CONST2]] : f64, f64) (%[[E:[a-z0-9]+]]: f64, %[[E2:[a-z0-9]+]]: f64, %[[E3:[a-z0-9]+]]: f64, %[[E4:[a-z0-9]+]]: f64) attributes {exclusive} {
// CHECK: %[[MULF:.*]] = arith.mulf %[[E2]], %[[E3]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[E]], %[[MULF]]
// CHECK: %[[MULF2:.*]] = arith.mulf %[[E2]], %[[E4]]
// CHECK: soac.yield %[[ADDF]], %[[MULF2]]
// CHECK: %[[SCAN2:.*]]:2 = soac.scan ins(%[[AS]], %[[BS]] : tensor<?xf64>, tensor<?xf64>) neutral(%[[CONST]], %[[CONST2]] : f64, f64) (%[[E5:[a-z0-9]+]]: f64, %[[E6:[a-z0-9]+]]: f64, %[[E7:[a-z0-9]+]]: f64, %[[E8:[a-z0-9]+]]: f64) attributes {exclusive, reverse} {
// CHECK: %[[MULF3:.*]] = arith.mulf %[[E6]], %[[E7]]
// CHECK: %[[ADDF2:.*]] = arith.addf %[[E5]], %[[MULF3]]
// CHECK: %[[MULF4:.*]] = arith.mulf %[[E6]], %[[E8]]
// CHECK: soac.yield %[[ADDF2]], %[[MULF4]]
// CHECK: %[[MAP:.*]]:2 = soac.map ins(%[[SCAN]]#1, %[[SCAN2]]#0 : tensor<?xf64>, tensor<?xf64>) (%[[E9:[a-z0-9]+]]: f64, %[[E10:[a-z0-9]+]]: f64) -> (tensor<?xf64>, tensor<?xf64>) {
// CHECK: %[[MULF5:.*]] = arith.mulf %[[Y_BAR]], %[[E10]]
// CHECK: %[[MULF6:.*]] = arith.mulf %[[MULF5]], %[[E9]]
// CHECK: %[[MULF7:.*]] = arith.mulf %[[Y_BAR]], %[[E9]]
// CHECK: soac.yield %[[MULF7]], %[[MULF6]]
// CHECK: return %[[MAP]]#0, %[[MAP]]#1
func.func @linear_vjp(%as: tensor<?xf64>, %bs: tensor<?xf64>, %y_bar: f64) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:3 = ad.vjp @linear(%as, %bs) seed(%y_bar)
      : (tensor<?xf64>, tensor<?xf64>), (f64) -> (f64, tensor<?xf64>, tensor<?xf64>)
  return %r#1, %r#2 : tensor<?xf64>, tensor<?xf64>
}

// An operator with a free variable [F24].
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
// CHECK-LABEL: func.func @scaled_vjp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[K:[a-z0-9]+]]: f64, %[[Y_BAR:[a-z0-9]+]]: f64)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0.000000e+00 : f64
// CHECK: %[[SCAN:.*]] = soac.scan ins(%[[XS]] : tensor<?xf64>) neutral(%[[CONST]] : f64) (%[[E:[a-z0-9]+]]: f64, %[[E2:[a-z0-9]+]]: f64) attributes {exclusive} {
// CHECK: %[[MULF:.*]] = arith.mulf %[[E]], %[[E2]]
// CHECK: %[[MULF2:.*]] = arith.mulf %[[MULF]], %[[K]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[E]], %[[E2]]
// CHECK: %[[ADDF2:.*]] = arith.addf %[[ADDF]], %[[MULF2]]
// CHECK: soac.yield %[[ADDF2]]
// CHECK: %[[SCAN2:.*]] = soac.scan ins(%[[XS]] : tensor<?xf64>) neutral(%[[CONST]] : f64) (%[[E3:[a-z0-9]+]]: f64, %[[E4:[a-z0-9]+]]: f64) attributes {exclusive, reverse} {
// CHECK: %[[MULF3:.*]] = arith.mulf %[[E3]], %[[E4]]
// CHECK: %[[MULF4:.*]] = arith.mulf %[[MULF3]], %[[K]]
// CHECK: %[[ADDF3:.*]] = arith.addf %[[E3]], %[[E4]]
// CHECK: %[[ADDF4:.*]] = arith.addf %[[ADDF3]], %[[MULF4]]
// CHECK: soac.yield %[[ADDF4]]
// CHECK: %[[MAP:.*]]:2 = soac.map ins(%[[SCAN]], %[[XS]], %[[SCAN2]] : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) (%[[E5:[a-z0-9]+]]: f64, %[[E6:[a-z0-9]+]]: f64, %[[E7:[a-z0-9]+]]: f64) -> (tensor<?xf64>, tensor<?xf64>) {
// CHECK: %[[MULF5:.*]] = arith.mulf %[[Y_BAR]], %[[K]]
// CHECK: %[[MULF6:.*]] = arith.mulf %[[MULF5]], %[[E7]]
// CHECK: %[[ADDF5:.*]] = arith.addf %[[Y_BAR]], %[[MULF6]]
// CHECK: %[[MULF7:.*]] = arith.mulf %[[E5]], %[[E6]]
// CHECK: %[[MULF8:.*]] = arith.mulf %[[ADDF5]], %[[K]]
// CHECK: %[[MULF9:.*]] = arith.mulf %[[ADDF5]], %[[MULF7]]
// CHECK: %[[MULF10:.*]] = arith.mulf %[[MULF8]], %[[E5]]
// CHECK: %[[ADDF6:.*]] = arith.addf %[[ADDF5]], %[[MULF10]]
// CHECK: soac.yield %[[ADDF6]], %[[MULF9]]
// CHECK: %[[REDUCE:.*]] = soac.reduce ins(%[[MAP]]#1 : tensor<?xf64>) neutral(%[[CONST]] : f64) (%[[E8:[a-z0-9]+]]: f64, %[[E9:[a-z0-9]+]]: f64) {
// CHECK: %[[ADDF7:.*]] = arith.addf %[[E8]], %[[E9]]
// CHECK: soac.yield %[[ADDF7]]
// CHECK: return %[[MAP]]#0, %[[REDUCE]]
func.func @scaled_vjp(%xs: tensor<?xf64>, %k: f64, %y_bar: f64) -> (tensor<?xf64>, f64) {
  %r:3 = ad.vjp @scaled(%xs, %k) seed(%y_bar)
      : (tensor<?xf64>, f64), (f64) -> (f64, tensor<?xf64>, f64)
  return %r#1, %r#2 : tensor<?xf64>, f64
}
