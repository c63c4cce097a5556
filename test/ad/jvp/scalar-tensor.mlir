// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse | FileCheck %s

// Rows are elementwise; constants take the sizes of the operand.

func.func private @tensor(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %r = math.tanh %x : tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}
// CHECK-LABEL: func.func @tensor_jvp
// CHECK-SAME: (%[[X:.+]]: tensor<?x3xf32>, %[[X_DOT:.+]]: tensor<?x3xf32>)
// CHECK-NEXT: %[[C0:.+]] = arith.constant 0 : index
// CHECK-NEXT: %[[C:.+]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V0:.+]] = math.tanh %[[X]] : tensor<?x3xf32>
// CHECK-NEXT: %[[N:.+]] = tensor.dim %[[V0]], %[[C0]] : tensor<?x3xf32>
// CHECK-NEXT: %[[ONES:.+]] = tensor.splat %[[C]][%[[N]]] : tensor<?x3xf32>
// CHECK-NEXT: %[[V1:.+]] = arith.mulf %[[V0]], %[[V0]] : tensor<?x3xf32>
// CHECK-NEXT: %[[V2:.+]] = arith.subf %[[ONES]], %[[V1]] : tensor<?x3xf32>
// CHECK-NEXT: %[[V3:.+]] = arith.mulf %[[X_DOT]], %[[V2]] : tensor<?x3xf32>
// CHECK-NEXT: return %[[V3]] : tensor<?x3xf32>
func.func @tensor_jvp(%x: tensor<?x3xf32>, %x_dot: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %p, %d = ad.jvp @tensor(%x) seed(%x_dot) {wrt = array<i64: 0>}
      : (tensor<?x3xf32>), (tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>)
  return %d : tensor<?x3xf32>
}
