// Every operation of the soac dialect prints as it parses, with static and
// dynamic shapes, several inputs and results [F05], and each element type.
// RUN: ad-opt %s | ad-opt | FileCheck %s
// RUN: ad-opt %s --mlir-print-op-generic | ad-opt | FileCheck %s
// RUN: ad-opt %s --emit-bytecode | ad-opt | FileCheck %s

// CHECK-LABEL: func.func @map_variadic(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[IS:[a-z0-9]+]]: tensor<?xindex>, %[[ROWS:[a-z0-9]+]]: tensor<?x3xf32>)
// CHECK: %[[R:.*]]:3 = soac.map ins(%[[XS]], %[[IS]], %[[ROWS]] : tensor<?xf64>, tensor<?xindex>, tensor<?x3xf32>)
// CHECK-SAME: (%[[X:[a-z0-9]+]]: f64, %[[I:[a-z0-9]+]]: index, %[[ROW:[a-z0-9]+]]: tensor<3xf32>) -> (tensor<?xindex>, tensor<?xf64>, tensor<?x3xf32>) {
// CHECK: soac.yield %[[I]], %[[X]], %[[ROW]] : index, f64, tensor<3xf32>
func.func @map_variadic(%xs: tensor<?xf64>, %is: tensor<?xindex>, %rows: tensor<?x3xf32>)
    -> (tensor<?xindex>, tensor<?xf64>, tensor<?x3xf32>) {
  %r:3 = soac.map ins(%xs, %is, %rows : tensor<?xf64>, tensor<?xindex>, tensor<?x3xf32>)
      (%x: f64, %i: index, %row: tensor<3xf32>)
      -> (tensor<?xindex>, tensor<?xf64>, tensor<?x3xf32>) {
    soac.yield %i, %x, %row : index, f64, tensor<3xf32>
  }
  return %r#0, %r#1, %r#2 : tensor<?xindex>, tensor<?xf64>, tensor<?x3xf32>
}

// CHECK-LABEL: func.func @map_nested(
// CHECK: soac.map ins(%{{.*}} : tensor<4x?xi32>) (%[[ROW:.*]]: tensor<?xi32>) -> tensor<4x?xi32> {
// CHECK: soac.map ins(%[[ROW]] : tensor<?xi32>) (%{{.*}}: i32) -> tensor<?xi32> {
func.func @map_nested(%m: tensor<4x?xi32>, %c: i32) -> tensor<4x?xi32> {
  %r = soac.map ins(%m : tensor<4x?xi32>) (%row: tensor<?xi32>) -> tensor<4x?xi32> {
    %s = soac.map ins(%row : tensor<?xi32>) (%x: i32) -> tensor<?xi32> {
      %y = arith.addi %x, %c : i32
      soac.yield %y : i32
    }
    soac.yield %s : tensor<?xi32>
  }
  return %r : tensor<4x?xi32>
}

// CHECK-LABEL: func.func @map_attributes(
// CHECK: -> tensor<2xf64> attributes {note = "kept"} {
func.func @map_attributes(%xs: tensor<2xf64>) -> tensor<2xf64> {
  %r = soac.map ins(%xs : tensor<2xf64>) (%x: f64) -> tensor<2xf64> attributes {note = "kept"} {
    soac.yield %x : f64
  }
  return %r : tensor<2xf64>
}

// Left operands come first, then right operands [F05].
// CHECK-LABEL: func.func @reduce_variadic(
// CHECK: soac.reduce ins(%{{.*}}, %{{.*}} : tensor<?xf64>, tensor<?xindex>) neutral(%{{.*}}, %{{.*}} : f64, index)
// CHECK-SAME: (%[[L:[a-z0-9]+]]: f64, %[[LI:[a-z0-9]+]]: index, %[[R:[a-z0-9]+]]: f64, %[[RI:[a-z0-9]+]]: index) {
// CHECK: arith.cmpf olt, %[[L]], %[[R]]
func.func @reduce_variadic(%xs: tensor<?xf64>, %is: tensor<?xindex>, %inf: f64, %none: index) -> (f64, index) {
  %r:2 = soac.reduce ins(%xs, %is : tensor<?xf64>, tensor<?xindex>) neutral(%inf, %none : f64, index)
      (%l: f64, %li: index, %r: f64, %ri: index) {
    %c = arith.cmpf olt, %l, %r : f64
    %v = arith.select %c, %l, %r : f64
    %i = arith.select %c, %li, %ri : index
    soac.yield %v, %i : f64, index
  }
  return %r#0, %r#1 : f64, index
}

// CHECK-LABEL: func.func @reduce_rows(
// CHECK: soac.reduce ins(%{{.*}} : tensor<?x2xf32>) neutral(%{{.*}} : tensor<2xf32>) (%{{.*}}: tensor<2xf32>, %{{.*}}: tensor<2xf32>) {
func.func @reduce_rows(%m: tensor<?x2xf32>, %zero: tensor<2xf32>) -> tensor<2xf32> {
  %r = soac.reduce ins(%m : tensor<?x2xf32>) neutral(%zero : tensor<2xf32>)
      (%l: tensor<2xf32>, %r: tensor<2xf32>) {
    %s = arith.addf %l, %r : tensor<2xf32>
    soac.yield %s : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}

// CHECK-LABEL: func.func @virtual(
// CHECK: soac.iota %{{.*}} : tensor<?xindex>
// CHECK: soac.iota : tensor<8xi64>
// CHECK: soac.replicate %{{.*}}, %{{.*}} : f32 -> tensor<?xf32>
// CHECK: soac.replicate %{{.*}} : tensor<?xf64> -> tensor<8x?xf64>
func.func @virtual(%n: index, %v: f32, %row: tensor<?xf64>)
    -> (tensor<?xindex>, tensor<8xi64>, tensor<?xf32>, tensor<8x?xf64>) {
  %0 = soac.iota %n : tensor<?xindex>
  %1 = soac.iota : tensor<8xi64>
  %2 = soac.replicate %v, %n : f32 -> tensor<?xf32>
  %3 = soac.replicate %row : tensor<?xf64> -> tensor<8x?xf64>
  return %0, %1, %2, %3 : tensor<?xindex>, tensor<8xi64>, tensor<?xf32>, tensor<8x?xf64>
}

// Accumulators of several dimensions, updates at every depth, and an extra
// result beside the arrays [F44].
// CHECK-LABEL: func.func @accumulate(
// CHECK: soac.with_acc ins(%{{.*}}, %{{.*}} : tensor<?x4xf64>, tensor<?xi32>)
// CHECK-SAME: (%[[A:[a-z0-9]+]]: !soac.acc<tensor<?x4xf64>>, %[[B:[a-z0-9]+]]: !soac.acc<tensor<?xi32>>) -> (tensor<?x4xf64>, tensor<?xi32>, f64) {
// CHECK: %[[A1:.*]] = soac.update_acc %[[A]][%{{.*}}, %{{.*}}], %{{.*}} : !soac.acc<tensor<?x4xf64>>, f64
// CHECK: %[[A2:.*]] = soac.update_acc %[[A1]][%{{.*}}], %{{.*}} : !soac.acc<tensor<?x4xf64>>, tensor<4xf64>
// CHECK: %[[A3:.*]] = soac.update_acc %[[A2]][], %{{.*}} : !soac.acc<tensor<?x4xf64>>, tensor<?x4xf64>
// CHECK: soac.yield %[[A3]], %[[B]], %{{.*}}
func.func @accumulate(%m: tensor<?x4xf64>, %h: tensor<?xi32>, %i: index, %row: tensor<4xf64>, %v: f64)
    -> (tensor<?x4xf64>, tensor<?xi32>, f64) {
  %r:3 = soac.with_acc ins(%m, %h : tensor<?x4xf64>, tensor<?xi32>)
      (%a: !soac.acc<tensor<?x4xf64>>, %b: !soac.acc<tensor<?xi32>>)
      -> (tensor<?x4xf64>, tensor<?xi32>, f64) {
    %a1 = soac.update_acc %a[%i, %i], %v : !soac.acc<tensor<?x4xf64>>, f64
    %a2 = soac.update_acc %a1[%i], %row : !soac.acc<tensor<?x4xf64>>, tensor<4xf64>
    %a3 = soac.update_acc %a2[], %m : !soac.acc<tensor<?x4xf64>>, tensor<?x4xf64>
    soac.yield %a3, %b, %v : !soac.acc<tensor<?x4xf64>>, !soac.acc<tensor<?xi32>>, f64
  }
  return %r#0, %r#1, %r#2 : tensor<?x4xf64>, tensor<?xi32>, f64
}

// An accumulator passes through maps, loops and branches [F44].
// CHECK-LABEL: func.func @accumulate_in_scopes(
// CHECK: soac.map ins(%{{.*}} : tensor<?xindex>) accs(%{{.*}} : !soac.acc<tensor<?xf64>>)
// CHECK-SAME: (%{{.*}}: index, %[[A:[a-z0-9]+]]: !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>> {
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[A]]) -> (!soac.acc<tensor<?xf64>>)
// CHECK: scf.if %{{.*}} -> (!soac.acc<tensor<?xf64>>)
func.func @accumulate_in_scopes(%as: tensor<?xf64>, %is: tensor<?xindex>, %v: f64, %c: i1) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = soac.with_acc ins(%as : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> tensor<?xf64> {
    %m = soac.map ins(%is : tensor<?xindex>) accs(%acc : !soac.acc<tensor<?xf64>>)
        (%i: index, %a: !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>> {
      %f = scf.for %k = %zero to %i step %one iter_args(%b = %a) -> !soac.acc<tensor<?xf64>> {
        %d = scf.if %c -> !soac.acc<tensor<?xf64>> {
          %u = soac.update_acc %b[%i], %v : !soac.acc<tensor<?xf64>>, f64
          scf.yield %u : !soac.acc<tensor<?xf64>>
        } else {
          scf.yield %b : !soac.acc<tensor<?xf64>>
        }
        scf.yield %d : !soac.acc<tensor<?xf64>>
      }
      soac.yield %f : !soac.acc<tensor<?xf64>>
    }
    soac.yield %m : !soac.acc<tensor<?xf64>>
  }
  return %r : tensor<?xf64>
}

// A null accumulator may be used any number of times.
// CHECK-LABEL: func.func @null(
// CHECK: %[[N:.*]] = soac.null_acc : !soac.acc<tensor<2xf64>>
// CHECK: soac.update_acc %[[N]][%{{.*}}]
// CHECK: soac.update_acc %[[N]][%{{.*}}]
func.func @null(%i: index, %v: f64) -> (!soac.acc<tensor<2xf64>>, !soac.acc<tensor<2xf64>>) {
  %n = soac.null_acc : !soac.acc<tensor<2xf64>>
  %a = soac.update_acc %n[%i], %v : !soac.acc<tensor<2xf64>>, f64
  %b = soac.update_acc %n[%i], %v : !soac.acc<tensor<2xf64>>, f64
  return %a, %b : !soac.acc<tensor<2xf64>>, !soac.acc<tensor<2xf64>>
}
