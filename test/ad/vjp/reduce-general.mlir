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
// CHECK-DAG: %[[CONST:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[CONST2:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[CONST3:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-DAG: %[[CONST4:.*]] = arith.constant 1.000000e+00 : f64
// CHECK: %[[DIM:.*]] = tensor.dim %[[AS]], %[[CONST2]]
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[DIM]]) : tensor<?xf64>
// CHECK: %[[DIM2:.*]] = tensor.dim %[[BS]], %[[CONST2]]
// CHECK: %[[EMPTY2:.*]] = tensor.empty(%[[DIM2]]) : tensor<?xf64>
// CHECK: %[[LOOP:.*]]:4 = scf.for %[[I:[a-z0-9]+]] = %[[CONST2]] to %[[DIM]] step %[[CONST]] iter_args(%[[CARRIED:[a-z0-9]+]] = %[[CONST3]], %[[CARRIED2:[a-z0-9]+]] = %[[CONST4]], %[[CARRIED3:[a-z0-9]+]] = %[[EMPTY]], %[[CARRIED4:[a-z0-9]+]] = %[[EMPTY2]]) -> (f64, f64, tensor<?xf64>, tensor<?xf64>) {
// CHECK: %[[INSERT:.*]] = tensor.insert %[[CARRIED]] into %[[CARRIED3]][%[[I]]]
// CHECK: %[[INSERT2:.*]] = tensor.insert %[[CARRIED2]] into %[[CARRIED4]][%[[I]]]
// CHECK: %[[EXTRACT:.*]] = tensor.extract %[[AS]][%[[I]]]
// CHECK: %[[EXTRACT2:.*]] = tensor.extract %[[BS]][%[[I]]]
// CHECK: %[[MULF:.*]] = arith.mulf %[[CARRIED2]], %[[EXTRACT]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[CARRIED]], %[[MULF]]
// CHECK: %[[MULF2:.*]] = arith.mulf %[[CARRIED2]], %[[EXTRACT2]]
// CHECK: scf.yield %[[ADDF]], %[[MULF2]], %[[INSERT]], %[[INSERT2]]
// CHECK: %[[LOOP2:.*]]:4 = scf.for %[[I2:[a-z0-9]+]] = %[[CONST2]] to %[[DIM]] step %[[CONST]] iter_args(%[[CARRIED5:[a-z0-9]+]] = %[[CONST3]], %[[CARRIED6:[a-z0-9]+]] = %[[CONST4]], %[[CARRIED7:[a-z0-9]+]] = %[[EMPTY]], %[[CARRIED8:[a-z0-9]+]] = %[[EMPTY2]]) -> (f64, f64, tensor<?xf64>, tensor<?xf64>) {
// CHECK: %[[SUBI:.*]] = arith.subi %[[DIM]], %[[CONST]]
// CHECK: %[[SUBI2:.*]] = arith.subi %[[SUBI]], %[[I2]]
// CHECK: %[[INSERT3:.*]] = tensor.insert %[[CARRIED5]] into %[[CARRIED7]][%[[SUBI2]]]
// CHECK: %[[INSERT4:.*]] = tensor.insert %[[CARRIED6]] into %[[CARRIED8]][%[[SUBI2]]]
// CHECK: %[[EXTRACT3:.*]] = tensor.extract %[[AS]][%[[SUBI2]]]
// CHECK: %[[EXTRACT4:.*]] = tensor.extract %[[BS]][%[[SUBI2]]]
// CHECK: %[[MULF3:.*]] = arith.mulf %[[EXTRACT4]], %[[CARRIED5]]
// CHECK: %[[ADDF2:.*]] = arith.addf %[[EXTRACT3]], %[[MULF3]]
// CHECK: %[[MULF4:.*]] = arith.mulf %[[EXTRACT4]], %[[CARRIED6]]
// CHECK: scf.yield %[[ADDF2]], %[[MULF4]], %[[INSERT3]], %[[INSERT4]]
// CHECK: %[[MAP:.*]]:2 = soac.map ins(%[[LOOP]]#3, %[[LOOP2]]#2 : tensor<?xf64>, tensor<?xf64>) (%[[E:[a-z0-9]+]]: f64, %[[E2:[a-z0-9]+]]: f64) -> (tensor<?xf64>, tensor<?xf64>) {
// CHECK: %[[MULF5:.*]] = arith.mulf %[[Y_BAR]], %[[E2]]
// CHECK: %[[MULF6:.*]] = arith.mulf %[[MULF5]], %[[E]]
// CHECK: %[[MULF7:.*]] = arith.mulf %[[Y_BAR]], %[[E]]
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
// CHECK-DAG: %[[CONST:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[CONST2:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[CONST3:.*]] = arith.constant 0.000000e+00 : f64
// CHECK: %[[DIM:.*]] = tensor.dim %[[XS]], %[[CONST2]]
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[DIM]]) : tensor<?xf64>
// CHECK: %[[LOOP:.*]]:2 = scf.for %[[I:[a-z0-9]+]] = %[[CONST2]] to %[[DIM]] step %[[CONST]] iter_args(%[[CARRIED:[a-z0-9]+]] = %[[CONST3]], %[[CARRIED2:[a-z0-9]+]] = %[[EMPTY]]) -> (f64, tensor<?xf64>) {
// CHECK: %[[INSERT:.*]] = tensor.insert %[[CARRIED]] into %[[CARRIED2]][%[[I]]]
// CHECK: %[[EXTRACT:.*]] = tensor.extract %[[XS]][%[[I]]]
// CHECK: %[[MULF:.*]] = arith.mulf %[[CARRIED]], %[[EXTRACT]]
// CHECK: %[[MULF2:.*]] = arith.mulf %[[MULF]], %[[K]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[CARRIED]], %[[EXTRACT]]
// CHECK: %[[ADDF2:.*]] = arith.addf %[[ADDF]], %[[MULF2]]
// CHECK: scf.yield %[[ADDF2]], %[[INSERT]]
// CHECK: %[[LOOP2:.*]]:2 = scf.for %[[I2:[a-z0-9]+]] = %[[CONST2]] to %[[DIM]] step %[[CONST]] iter_args(%[[CARRIED3:[a-z0-9]+]] = %[[CONST3]], %[[CARRIED4:[a-z0-9]+]] = %[[EMPTY]]) -> (f64, tensor<?xf64>) {
// CHECK: %[[SUBI:.*]] = arith.subi %[[DIM]], %[[CONST]]
// CHECK: %[[SUBI2:.*]] = arith.subi %[[SUBI]], %[[I2]]
// CHECK: %[[INSERT2:.*]] = tensor.insert %[[CARRIED3]] into %[[CARRIED4]][%[[SUBI2]]]
// CHECK: %[[EXTRACT2:.*]] = tensor.extract %[[XS]][%[[SUBI2]]]
// CHECK: %[[MULF3:.*]] = arith.mulf %[[EXTRACT2]], %[[CARRIED3]]
// CHECK: %[[MULF4:.*]] = arith.mulf %[[MULF3]], %[[K]]
// CHECK: %[[ADDF3:.*]] = arith.addf %[[EXTRACT2]], %[[CARRIED3]]
// CHECK: %[[ADDF4:.*]] = arith.addf %[[ADDF3]], %[[MULF4]]
// CHECK: scf.yield %[[ADDF4]], %[[INSERT2]]
// CHECK: %[[MAP:.*]]:2 = soac.map ins(%[[LOOP]]#1, %[[XS]], %[[LOOP2]]#1 : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) (%[[E:[a-z0-9]+]]: f64, %[[E2:[a-z0-9]+]]: f64, %[[E3:[a-z0-9]+]]: f64) -> (tensor<?xf64>, tensor<?xf64>) {
// CHECK: %[[MULF5:.*]] = arith.mulf %[[Y_BAR]], %[[K]]
// CHECK: %[[MULF6:.*]] = arith.mulf %[[MULF5]], %[[E3]]
// CHECK: %[[ADDF5:.*]] = arith.addf %[[Y_BAR]], %[[MULF6]]
// CHECK: %[[MULF7:.*]] = arith.mulf %[[E]], %[[E2]]
// CHECK: %[[MULF8:.*]] = arith.mulf %[[ADDF5]], %[[K]]
// CHECK: %[[MULF9:.*]] = arith.mulf %[[ADDF5]], %[[MULF7]]
// CHECK: %[[MULF10:.*]] = arith.mulf %[[MULF8]], %[[E]]
// CHECK: %[[ADDF6:.*]] = arith.addf %[[ADDF5]], %[[MULF10]]
// CHECK: soac.yield %[[ADDF6]], %[[MULF9]]
// CHECK: %[[REDUCE:.*]] = soac.reduce ins(%[[MAP]]#1 : tensor<?xf64>) neutral(%[[CONST3]] : f64) (%[[E4:[a-z0-9]+]]: f64, %[[E5:[a-z0-9]+]]: f64) {
// CHECK: %[[ADDF7:.*]] = arith.addf %[[E4]], %[[E5]]
// CHECK: soac.yield %[[ADDF7]]
// CHECK: return %[[MAP]]#0, %[[REDUCE]]
func.func @scaled_vjp(%xs: tensor<?xf64>, %k: f64, %y_bar: f64) -> (tensor<?xf64>, f64) {
  %r:3 = ad.vjp @scaled(%xs, %k) seed(%y_bar)
      : (tensor<?xf64>, f64), (f64) -> (f64, tensor<?xf64>, f64)
  return %r#1, %r#2 : tensor<?xf64>, f64
}
