// soac.map, forward mode: primals and tangents are bundled in one map [F01, F05].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.' --implicit-check-not='scf.for' --implicit-check-not='tensor.insert' --implicit-check-not='?x?'

func.func private @closed(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = math.exp %x : f64
    soac.yield %y : f64
  }
  return %ys : tensor<?xf64>
}
// CHECK-LABEL: func.func @closed_jvp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[XS_DOT:[a-z0-9]+]]: tensor<?xf64>)
// CHECK: %[[MAP:.*]]:2 = soac.map ins(%[[XS]], %[[XS_DOT]] : tensor<?xf64>, tensor<?xf64>) (%[[E:[a-z0-9]+]]: f64, %[[E2:[a-z0-9]+]]: f64) -> (tensor<?xf64>, tensor<?xf64>) {
// CHECK: %[[EXP:.*]] = math.exp %[[E]]
// CHECK: %[[MULF:.*]] = arith.mulf %[[E2]], %[[EXP]]
// CHECK: soac.yield %[[EXP]], %[[MULF]]
// CHECK: return %[[MAP]]#0, %[[MAP]]#1
func.func @closed_jvp(%xs: tensor<?xf64>, %xs_dot: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:2 = ad.jvp @closed(%xs) seed(%xs_dot)
      : (tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}

func.func private @free_scalar(%c: f64, %xs: tensor<?xf64>) -> tensor<?xf64> {
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = arith.mulf %x, %c : f64
    soac.yield %y : f64
  }
  return %ys : tensor<?xf64>
}
// CHECK-LABEL: func.func @free_scalar_jvp(
// CHECK-SAME: %[[C:[a-z0-9]+]]: f64, %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[C_DOT:[a-z0-9]+]]: f64, %[[XS_DOT:[a-z0-9]+]]: tensor<?xf64>)
// CHECK: %[[MAP:.*]]:2 = soac.map ins(%[[XS]], %[[XS_DOT]] : tensor<?xf64>, tensor<?xf64>) (%[[E:[a-z0-9]+]]: f64, %[[E2:[a-z0-9]+]]: f64) -> (tensor<?xf64>, tensor<?xf64>) {
// CHECK: %[[MULF:.*]] = arith.mulf %[[E]], %[[C]]
// CHECK: %[[MULF2:.*]] = arith.mulf %[[E2]], %[[C]]
// CHECK: %[[MULF3:.*]] = arith.mulf %[[C_DOT]], %[[E]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[MULF2]], %[[MULF3]]
// CHECK: soac.yield %[[MULF]], %[[ADDF]]
// CHECK: return %[[MAP]]#0, %[[MAP]]#1
func.func @free_scalar_jvp(%c: f64, %xs: tensor<?xf64>, %c_dot: f64, %xs_dot: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:2 = ad.jvp @free_scalar(%c, %xs) seed(%c_dot, %xs_dot)
      : (f64, tensor<?xf64>), (f64, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}

func.func private @gather(%xs: tensor<?xf64>, %is: tensor<?xindex>) -> tensor<?xf64> {
  %ys = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %y = math.exp %x : f64
    soac.yield %y : f64
  }
  return %ys : tensor<?xf64>
}
// CHECK-LABEL: func.func @gather_jvp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[IS:[a-z0-9]+]]: tensor<?xindex>, %[[XS_DOT:[a-z0-9]+]]: tensor<?xf64>)
// CHECK: %[[MAP:.*]]:2 = soac.map ins(%[[IS]] : tensor<?xindex>) (%[[E:[a-z0-9]+]]: index) -> (tensor<?xf64>, tensor<?xf64>) {
// CHECK: %[[EXTRACT:.*]] = tensor.extract %[[XS]][%[[E]]]
// CHECK: %[[EXTRACT2:.*]] = tensor.extract %[[XS_DOT]][%[[E]]]
// CHECK: %[[EXP:.*]] = math.exp %[[EXTRACT]]
// CHECK: %[[MULF:.*]] = arith.mulf %[[EXTRACT2]], %[[EXP]]
// CHECK: soac.yield %[[EXP]], %[[MULF]]
// CHECK: return %[[MAP]]#0, %[[MAP]]#1
func.func @gather_jvp(%xs: tensor<?xf64>, %is: tensor<?xindex>, %xs_dot: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:2 = ad.jvp @gather(%xs, %is) seed(%xs_dot)
      : (tensor<?xf64>, tensor<?xindex>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}

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
// CHECK-LABEL: func.func @variadic_jvp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<4xf64>, %[[YS:[a-z0-9]+]]: tensor<4xf32>, %[[IS:[a-z0-9]+]]: tensor<4xi32>, %[[XS_DOT:[a-z0-9]+]]: tensor<4xf64>, %[[YS_DOT:[a-z0-9]+]]: tensor<4xf32>)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 1 : i32
// CHECK: %[[MAP:.*]]:5 = soac.map ins(%[[XS]], %[[YS]], %[[IS]], %[[XS_DOT]], %[[YS_DOT]] : tensor<4xf64>, tensor<4xf32>, tensor<4xi32>, tensor<4xf64>, tensor<4xf32>) (%[[E:[a-z0-9]+]]: f64, %[[E2:[a-z0-9]+]]: f32, %[[E3:[a-z0-9]+]]: i32, %[[E4:[a-z0-9]+]]: f64, %[[E5:[a-z0-9]+]]: f32) -> (tensor<4xf64>, tensor<4xi32>, tensor<4xf32>, tensor<4xf64>, tensor<4xf32>) {
// CHECK: %[[EXTF:.*]] = arith.extf %[[E2]]
// CHECK: %[[EXTF2:.*]] = arith.extf %[[E5]]
// CHECK: %[[MULF:.*]] = arith.mulf %[[E]], %[[EXTF]]
// CHECK: %[[MULF2:.*]] = arith.mulf %[[E4]], %[[EXTF]]
// CHECK: %[[MULF3:.*]] = arith.mulf %[[EXTF2]], %[[E]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[MULF2]], %[[MULF3]]
// CHECK: %[[ADDI:.*]] = arith.addi %[[E3]], %[[CONST]]
// CHECK: %[[MULF4:.*]] = arith.mulf %[[E2]], %[[E2]]
// CHECK: %[[MULF5:.*]] = arith.mulf %[[E5]], %[[E2]]
// CHECK: %[[ADDF2:.*]] = arith.addf %[[MULF5]], %[[MULF5]]
// CHECK: soac.yield %[[MULF]], %[[ADDI]], %[[MULF4]], %[[ADDF]], %[[ADDF2]]
// CHECK: return %[[MAP]]#0, %[[MAP]]#1, %[[MAP]]#2, %[[MAP]]#3, %[[MAP]]#4
func.func @variadic_jvp(%xs: tensor<4xf64>, %ys: tensor<4xf32>, %is: tensor<4xi32>, %xs_dot: tensor<4xf64>, %ys_dot: tensor<4xf32>) -> (tensor<4xf64>, tensor<4xi32>, tensor<4xf32>, tensor<4xf64>, tensor<4xf32>) {
  %r:5 = ad.jvp @variadic(%xs, %ys, %is) seed(%xs_dot, %ys_dot)
      : (tensor<4xf64>, tensor<4xf32>, tensor<4xi32>), (tensor<4xf64>, tensor<4xf32>) -> (tensor<4xf64>, tensor<4xi32>, tensor<4xf32>, tensor<4xf64>, tensor<4xf32>)
  return %r#0, %r#1, %r#2, %r#3, %r#4 : tensor<4xf64>, tensor<4xi32>, tensor<4xf32>, tensor<4xf64>, tensor<4xf32>
}
