// soac.map: the derivative of a map is a map; no iteration is saved [F18, F62] and no
// Jacobian is made [Z04].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.' --implicit-check-not='scf.for' --implicit-check-not='tensor.insert' --implicit-check-not='?x?'

// Without free variables: a single map [F41].
func.func private @closed(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = math.exp %x : f64
    soac.yield %y : f64
  }
  return %ys : tensor<?xf64>
}
// CHECK-LABEL: func.func @closed_vjp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[Y_BAR:[a-z0-9]+]]: tensor<?xf64>)
// CHECK: %[[MAP:.*]] = soac.map ins(%[[XS]], %[[Y_BAR]] : tensor<?xf64>, tensor<?xf64>) (%[[E:[a-z0-9]+]]: f64, %[[E2:[a-z0-9]+]]: f64) -> tensor<?xf64> {
// CHECK: %[[EXP:.*]] = math.exp %[[E]]
// CHECK: %[[MULF:.*]] = arith.mulf %[[E2]], %[[EXP]]
// CHECK: soac.yield %[[MULF]]
// CHECK: return %[[MAP]]
func.func @closed_vjp(%xs: tensor<?xf64>, %y_bar: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = ad.vjp @closed(%xs) seed(%y_bar)
      : (tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

// A free scalar is bound per iteration, then summed [F42].
func.func private @free_scalar(%c: f64, %xs: tensor<?xf64>) -> tensor<?xf64> {
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = arith.mulf %x, %c : f64
    soac.yield %y : f64
  }
  return %ys : tensor<?xf64>
}
// CHECK-LABEL: func.func @free_scalar_vjp(
// CHECK-SAME: %[[C:[a-z0-9]+]]: f64, %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[Y_BAR:[a-z0-9]+]]: tensor<?xf64>)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0.000000e+00 : f64
// CHECK: %[[MAP:.*]]:2 = soac.map ins(%[[XS]], %[[Y_BAR]] : tensor<?xf64>, tensor<?xf64>) (%[[E:[a-z0-9]+]]: f64, %[[E2:[a-z0-9]+]]: f64) -> (tensor<?xf64>, tensor<?xf64>) {
// CHECK: %[[MULF:.*]] = arith.mulf %[[E2]], %[[C]]
// CHECK: %[[MULF2:.*]] = arith.mulf %[[E2]], %[[E]]
// CHECK: soac.yield %[[MULF]], %[[MULF2]]
// CHECK: %[[REDUCE:.*]] = soac.reduce ins(%[[MAP]]#1 : tensor<?xf64>) neutral(%[[CONST]] : f64) (%[[E3:[a-z0-9]+]]: f64, %[[E4:[a-z0-9]+]]: f64) {
// CHECK: %[[ADDF:.*]] = arith.addf %[[E3]], %[[E4]]
// CHECK: soac.yield %[[ADDF]]
// CHECK: return %[[REDUCE]], %[[MAP]]#0
func.func @free_scalar_vjp(%c: f64, %xs: tensor<?xf64>, %y_bar: tensor<?xf64>) -> (f64, tensor<?xf64>) {
  %r:3 = ad.vjp @free_scalar(%c, %xs) seed(%y_bar)
      : (f64, tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, f64, tensor<?xf64>)
  return %r#1, %r#2 : f64, tensor<?xf64>
}

// A free array becomes an accumulator; a gather's adjoint is an accumulation [F43].
func.func private @gather(%xs: tensor<?xf64>, %is: tensor<?xindex>) -> tensor<?xf64> {
  %ys = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %y = math.exp %x : f64
    soac.yield %y : f64
  }
  return %ys : tensor<?xf64>
}
// CHECK-LABEL: func.func @gather_vjp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[IS:[a-z0-9]+]]: tensor<?xindex>, %[[Y_BAR:[a-z0-9]+]]: tensor<?xf64>)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-DAG: %[[CONST2:.*]] = arith.constant 0 : index
// CHECK: %[[DIM:.*]] = tensor.dim %[[XS]], %[[CONST2]]
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[DIM]]) : tensor<?xf64>
// CHECK: %[[FILL:.*]] = linalg.fill ins(%[[CONST]] : f64) outs(%[[EMPTY]]
// CHECK: %[[WITH_ACC:.*]] = soac.with_acc ins(%[[FILL]] : tensor<?xf64>) (%[[ACC:[a-z0-9]+]]: !soac.acc<tensor<?xf64>>) -> tensor<?xf64> {
// CHECK: %[[MAP:.*]] = soac.map ins(%[[IS]], %[[Y_BAR]] : tensor<?xindex>, tensor<?xf64>) accs(%[[ACC]] : !soac.acc<tensor<?xf64>>) (%[[E:[a-z0-9]+]]: index, %[[E2:[a-z0-9]+]]: f64, %[[ACC2:[a-z0-9]+]]: !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>> {
// CHECK: %[[EXTRACT:.*]] = tensor.extract %[[XS]][%[[E]]]
// CHECK: %[[EXP:.*]] = math.exp %[[EXTRACT]]
// CHECK: %[[MULF:.*]] = arith.mulf %[[E2]], %[[EXP]]
// CHECK: %[[UPDATE_ACC:.*]] = soac.update_acc %[[ACC2]][%[[E]]], %[[MULF]]
// CHECK: soac.yield %[[UPDATE_ACC]]
// CHECK: soac.yield %[[MAP]]
// CHECK: return %[[WITH_ACC]]
func.func @gather_vjp(%xs: tensor<?xf64>, %is: tensor<?xindex>, %y_bar: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = ad.vjp @gather(%xs, %is) seed(%y_bar)
      : (tensor<?xf64>, tensor<?xindex>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

// Several inputs and results, one of them of integers [F05].
func.func private @variadic(%xs: tensor<4xf64>, %ys: tensor<4xf32>, %is: tensor<4xi32>) -> (tensor<4xf64>, tensor<4xi32>, tensor<4xf32>) {
  %c1 = arith.constant 1 : i32
  %r:3 = soac.map ins(%xs, %ys, %is : tensor<4xf64>, tensor<4xf32>, tensor<4xi32>) (%x: f64, %y: f32, %i: i32) -> (tensor<4xf64>, tensor<4xi32>, tensor<4xf32>) {
    %w = arith.extf %y : f32 to f64
    %p = arith.mulf %x, %w : f64
    %j = arith.addi %i, %c1 : i32
    %q = arith.mulf %y, %y : f32
    soac.yield %p, %j, %q : f64, i32, f32
  }
  return %r#0, %r#1, %r#2 : tensor<4xf64>, tensor<4xi32>, tensor<4xf32>
}
// CHECK-LABEL: func.func @variadic_vjp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<4xf64>, %[[YS:[a-z0-9]+]]: tensor<4xf32>, %[[IS:[a-z0-9]+]]: tensor<4xi32>, %[[Y0_BAR:[a-z0-9]+]]: tensor<4xf64>, %[[Y1_BAR:[a-z0-9]+]]: tensor<4xf32>)
// CHECK: %[[MAP:.*]]:2 = soac.map ins(%[[XS]], %[[YS]], %[[Y0_BAR]], %[[Y1_BAR]] : tensor<4xf64>, tensor<4xf32>, tensor<4xf64>, tensor<4xf32>) (%[[E:[a-z0-9]+]]: f64, %[[E2:[a-z0-9]+]]: f32, %[[E3:[a-z0-9]+]]: f64, %[[E4:[a-z0-9]+]]: f32) -> (tensor<4xf64>, tensor<4xf32>) {
// CHECK: %[[EXTF:.*]] = arith.extf %[[E2]]
// CHECK: %[[MULF:.*]] = arith.mulf %[[E4]], %[[E2]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[MULF]], %[[MULF]]
// CHECK: %[[MULF2:.*]] = arith.mulf %[[E3]], %[[EXTF]]
// CHECK: %[[MULF3:.*]] = arith.mulf %[[E3]], %[[E]]
// CHECK: %[[TRUNCF:.*]] = arith.truncf %[[MULF3]]
// CHECK: %[[ADDF2:.*]] = arith.addf %[[ADDF]], %[[TRUNCF]]
// CHECK: soac.yield %[[MULF2]], %[[ADDF2]]
// CHECK: return %[[MAP]]#0, %[[MAP]]#1
func.func @variadic_vjp(%xs: tensor<4xf64>, %ys: tensor<4xf32>, %is: tensor<4xi32>, %y0_bar: tensor<4xf64>, %y1_bar: tensor<4xf32>) -> (tensor<4xf64>, tensor<4xf32>) {
  %r:5 = ad.vjp @variadic(%xs, %ys, %is) seed(%y0_bar, %y1_bar)
      : (tensor<4xf64>, tensor<4xf32>, tensor<4xi32>), (tensor<4xf64>, tensor<4xf32>) -> (tensor<4xf64>, tensor<4xi32>, tensor<4xf32>, tensor<4xf64>, tensor<4xf32>)
  return %r#3, %r#4 : tensor<4xf64>, tensor<4xf32>
}
