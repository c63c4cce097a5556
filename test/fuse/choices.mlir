// A choice between what a map makes and one number everywhere is made for each element, so that the map and its readers become one.
// RUN: ad-opt %s --ad-fuse | FileCheck %s

// CHECK-LABEL: func.func @either(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<?xf64>, %[[C:[a-z0-9]+]]: i1
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0.0
// CHECK:         soac.map ins(%[[X]]
// CHECK:           %[[SIN:.*]] = math.sin
// CHECK:           %[[CHOSEN:.*]] = arith.select %[[C]], %[[ZERO]], %[[SIN]] : f64
// CHECK:           %[[EXP:.*]] = math.exp %[[CHOSEN]]
// CHECK:           soac.yield %[[EXP]]
// CHECK-NOT:     soac.map
// CHECK-NOT:     tensor<?xf64>
// CHECK:         return
func.func @either(%x: tensor<?xf64>, %c: i1) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %empty = tensor.empty(%n) : tensor<?xf64>
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : tensor<?xf64>) -> tensor<?xf64>
  %y = soac.map ins(%x : tensor<?xf64>) (%e: f64) -> tensor<?xf64> {
    %s = math.sin %e : f64
    soac.yield %s : f64
  }
  %z = arith.select %c, %zeros, %y : tensor<?xf64>
  %w = soac.map ins(%z : tensor<?xf64>) (%e: f64) -> tensor<?xf64> {
    %s = math.exp %e : f64
    soac.yield %s : f64
  }
  return %w : tensor<?xf64>
}

// Two dimensions.
// CHECK-LABEL: func.func @matrix(
// CHECK:         soac.map
// CHECK:           soac.map
// CHECK:             arith.select %{{.*}}, %{{.*}}, %{{.*}} : f64
// CHECK-NOT:     arith.select
// CHECK:         return
func.func @matrix(%x: tensor<3x?xf64>, %c: i1) -> tensor<3x?xf64> {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %n = tensor.dim %x, %c1 : tensor<3x?xf64>
  %ones = tensor.splat %one[%n] : tensor<3x?xf64>
  %y = soac.map ins(%x : tensor<3x?xf64>) (%row: tensor<?xf64>) -> tensor<3x?xf64> {
    %z = soac.map ins(%row : tensor<?xf64>) (%e: f64) -> tensor<?xf64> {
      %s = math.sin %e : f64
      soac.yield %s : f64
    }
    soac.yield %z : tensor<?xf64>
  }
  %z = arith.select %c, %y, %ones : tensor<3x?xf64>
  return %z : tensor<3x?xf64>
}

// Sizes that may differ, an array that others read, and a choice that is known later stay as they are.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-3: arith.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<?xf64>
func.func @others(%x: tensor<?xf64>, %c: i1, %n: index) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %m = tensor.dim %x, %c0 : tensor<?xf64>
  %zeros = tensor.splat %zero[%m] : tensor<?xf64>
  %few = tensor.splat %zero[%n] : tensor<?xf64>
  %y:3 = soac.map ins(%x : tensor<?xf64>) (%e: f64) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
    %p = math.sin %e : f64
    %q = math.cos %e : f64
    %r = math.exp %e : f64
    soac.yield %p, %q, %r : f64, f64, f64
  }
  %first = arith.select %c, %y#0, %few : tensor<?xf64>
  %second = arith.select %c, %y#1, %zeros : tensor<?xf64>
  %e = tensor.extract %y#1[%c0] : tensor<?xf64>
  %later = arith.cmpf ogt, %e, %zero : f64
  %third = arith.select %later, %y#2, %zeros : tensor<?xf64>
  return %first, %second, %third, %y#1 : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}
