// What nobody reads is an empty array, or the number 0; other poison stays.
// RUN: ad-opt %s --lower-poison | FileCheck %s

// CHECK-LABEL: func.func @nothing
// CHECK-NOT: ub.poison : tensor
// CHECK-NOT: ub.poison : index
// CHECK: %[[C0:.*]] = arith.constant 0 : index
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[C0]]) : tensor<?x3xf64>
// CHECK: %[[SIZE:.*]] = arith.constant 0 : index
// CHECK: %[[NUMBER:.*]] = arith.constant 0.0{{.*}} : f64
// CHECK: %[[CONDITION:.*]] = arith.constant false
// CHECK: %[[PAIR:.*]] = ub.poison : complex<f64>
// CHECK: return %[[EMPTY]], %[[SIZE]], %[[NUMBER]], %[[CONDITION]], %[[PAIR]]
func.func @nothing() -> (tensor<?x3xf64>, index, f64, i1, complex<f64>) {
  %array = ub.poison : tensor<?x3xf64>
  %size = ub.poison : index
  %number = ub.poison : f64
  %condition = ub.poison : i1
  %pair = ub.poison : complex<f64>
  return %array, %size, %number, %condition, %pair : tensor<?x3xf64>, index, f64, i1, complex<f64>
}
