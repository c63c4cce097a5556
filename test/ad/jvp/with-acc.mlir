// soac.with_acc and soac.update_acc, forward mode: one accumulator for the tangent beside
// the one for the primal.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.' --implicit-check-not='soac.with_acc' --implicit-check-not='soac.update_acc'

func.func private @histogram(%as: tensor<?xf64>, %is: tensor<?xindex>, %vs: tensor<?xf64>) -> tensor<?xf64> {
  %r = soac.with_acc ins(%as : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> tensor<?xf64> {
    %m = soac.map ins(%is, %vs : tensor<?xindex>, tensor<?xf64>) accs(%acc : !soac.acc<tensor<?xf64>>) (%i: index, %v: f64, %a: !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>> {
      %w = arith.mulf %v, %v : f64
      %u = soac.update_acc %a[%i], %w : !soac.acc<tensor<?xf64>>, f64
      soac.yield %u : !soac.acc<tensor<?xf64>>
    }
    soac.yield %m : !soac.acc<tensor<?xf64>>
  }
  return %r : tensor<?xf64>
}
// CHECK-LABEL: func.func @histogram_jvp(
// CHECK-SAME: %[[AS:[a-z0-9]+]]: tensor<?xf64>, %[[IS:[a-z0-9]+]]: tensor<?xindex>, %[[VS:[a-z0-9]+]]: tensor<?xf64>, %[[AS_DOT:[a-z0-9]+]]: tensor<?xf64>, %[[VS_DOT:[a-z0-9]+]]: tensor<?xf64>)
// CHECK: %[[WITH_ACC:.*]]:2 = soac.with_acc ins(%[[AS]], %[[AS_DOT]] : tensor<?xf64>, tensor<?xf64>) (%[[ACC:[a-z0-9]+]]: !soac.acc<tensor<?xf64>>, %[[ACC2:[a-z0-9]+]]: !soac.acc<tensor<?xf64>>) -> (tensor<?xf64>, tensor<?xf64>) {
// CHECK: %[[MAP:.*]]:2 = soac.map ins(%[[IS]], %[[VS]], %[[VS_DOT]] : tensor<?xindex>, tensor<?xf64>, tensor<?xf64>) accs(%[[ACC]], %[[ACC2]] : !soac.acc<tensor<?xf64>>, !soac.acc<tensor<?xf64>>) (%[[E:[a-z0-9]+]]: index, %[[E2:[a-z0-9]+]]: f64, %[[E3:[a-z0-9]+]]: f64, %[[ACC3:[a-z0-9]+]]: !soac.acc<tensor<?xf64>>, %[[ACC4:[a-z0-9]+]]: !soac.acc<tensor<?xf64>>) -> (!soac.acc<tensor<?xf64>>, !soac.acc<tensor<?xf64>>) {
// CHECK: %[[MULF:.*]] = arith.mulf %[[E2]], %[[E2]]
// CHECK: %[[MULF2:.*]] = arith.mulf %[[E3]], %[[E2]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[MULF2]], %[[MULF2]]
// CHECK: %[[UPDATE_ACC:.*]] = soac.update_acc %[[ACC3]][%[[E]]], %[[MULF]]
// CHECK: %[[UPDATE_ACC2:.*]] = soac.update_acc %[[ACC4]][%[[E]]], %[[ADDF]]
// CHECK: soac.yield %[[UPDATE_ACC]], %[[UPDATE_ACC2]]
// CHECK: soac.yield %[[MAP]]#0, %[[MAP]]#1
// CHECK: return %[[WITH_ACC]]#0, %[[WITH_ACC]]#1
func.func @histogram_jvp(%as: tensor<?xf64>, %is: tensor<?xindex>, %vs: tensor<?xf64>, %as_dot: tensor<?xf64>, %vs_dot: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:2 = ad.jvp @histogram(%as, %is, %vs) seed(%as_dot, %vs_dot)
      : (tensor<?xf64>, tensor<?xindex>, tensor<?xf64>), (tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}

func.func private @extra(%m: tensor<?x3xf64>, %i: index, %row: tensor<3xf64>, %x: f64) -> (tensor<?x3xf64>, f64) {
  %r:2 = soac.with_acc ins(%m : tensor<?x3xf64>) (%acc: !soac.acc<tensor<?x3xf64>>) -> (tensor<?x3xf64>, f64) {
    %a = soac.update_acc %acc[%i], %row : !soac.acc<tensor<?x3xf64>>, tensor<3xf64>
    %y = math.exp %x : f64
    %b = soac.update_acc %a[%i, %i], %y : !soac.acc<tensor<?x3xf64>>, f64
    soac.yield %b, %y : !soac.acc<tensor<?x3xf64>>, f64
  }
  return %r#0, %r#1 : tensor<?x3xf64>, f64
}
// CHECK-LABEL: func.func @extra_jvp(
// CHECK-SAME: %[[M:[a-z0-9]+]]: tensor<?x3xf64>, %[[I:[a-z0-9]+]]: index, %[[ROW:[a-z0-9]+]]: tensor<3xf64>, %[[X:[a-z0-9]+]]: f64, %[[M_DOT:[a-z0-9]+]]: tensor<?x3xf64>, %[[ROW_DOT:[a-z0-9]+]]: tensor<3xf64>, %[[X_DOT:[a-z0-9]+]]: f64)
// CHECK: %[[WITH_ACC:.*]]:4 = soac.with_acc ins(%[[M]], %[[M_DOT]] : tensor<?x3xf64>, tensor<?x3xf64>) (%[[ACC:[a-z0-9]+]]: !soac.acc<tensor<?x3xf64>>, %[[ACC2:[a-z0-9]+]]: !soac.acc<tensor<?x3xf64>>) -> (tensor<?x3xf64>, tensor<?x3xf64>, f64, f64) {
// CHECK: %[[UPDATE_ACC:.*]] = soac.update_acc %[[ACC]][%[[I]]], %[[ROW]]
// CHECK: %[[UPDATE_ACC2:.*]] = soac.update_acc %[[ACC2]][%[[I]]], %[[ROW_DOT]]
// CHECK: %[[EXP:.*]] = math.exp %[[X]]
// CHECK: %[[MULF:.*]] = arith.mulf %[[X_DOT]], %[[EXP]]
// CHECK: %[[UPDATE_ACC3:.*]] = soac.update_acc %[[UPDATE_ACC]][%[[I]], %[[I]]], %[[EXP]]
// CHECK: %[[UPDATE_ACC4:.*]] = soac.update_acc %[[UPDATE_ACC2]][%[[I]], %[[I]]], %[[MULF]]
// CHECK: soac.yield %[[UPDATE_ACC3]], %[[UPDATE_ACC4]], %[[EXP]], %[[MULF]]
// CHECK: return %[[WITH_ACC]]#0, %[[WITH_ACC]]#2, %[[WITH_ACC]]#1, %[[WITH_ACC]]#3
func.func @extra_jvp(%m: tensor<?x3xf64>, %i: index, %row: tensor<3xf64>, %x: f64, %m_dot: tensor<?x3xf64>, %row_dot: tensor<3xf64>, %x_dot: f64) -> (tensor<?x3xf64>, f64, tensor<?x3xf64>, f64) {
  %r:4 = ad.jvp @extra(%m, %i, %row, %x) seed(%m_dot, %row_dot, %x_dot)
      : (tensor<?x3xf64>, index, tensor<3xf64>, f64), (tensor<?x3xf64>, tensor<3xf64>, f64) -> (tensor<?x3xf64>, f64, tensor<?x3xf64>, f64)
  return %r#0, %r#1, %r#2, %r#3 : tensor<?x3xf64>, f64, tensor<?x3xf64>, f64
}
