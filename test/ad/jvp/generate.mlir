// tensor.generate, forward mode: the tangent goes through the operation itself [F01].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

func.func private @generate(%xs: tensor<?xf64>, %c: f64, %n: index) -> tensor<?xf64> {
  %r = tensor.generate %n {
  ^bb0(%i: index):
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %p = arith.mulf %x, %c : f64
    tensor.yield %p : f64
  } : tensor<?xf64>
  return %r : tensor<?xf64>
}
// CHECK-LABEL: func.func @generate_jvp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[C:[a-z0-9]+]]: f64, %[[N:[a-z0-9]+]]: index, %[[XS_DOT:[a-z0-9]+]]: tensor<?xf64>, %[[C_DOT:[a-z0-9]+]]: f64)
// CHECK: %[[GENERATE:.*]] = tensor.generate %[[N]] {
// CHECK: ^bb0(%{{.*}}: index):
// CHECK: %[[EXTRACT:.*]] = tensor.extract %[[XS]][%{{.*}}]
// CHECK: %[[MULF:.*]] = arith.mulf %[[EXTRACT]], %[[C]]
// CHECK: tensor.yield %[[MULF]]
// CHECK: }
// CHECK: %[[GENERATE2:.*]] = tensor.generate %[[N]] {
// CHECK: ^bb0(%{{.*}}: index):
// CHECK: %[[EXTRACT2:.*]] = tensor.extract %[[XS]][%{{.*}}]
// CHECK: %[[EXTRACT3:.*]] = tensor.extract %[[XS_DOT]][%{{.*}}]
// CHECK: %[[MULF2:.*]] = arith.mulf %[[EXTRACT3]], %[[C]]
// CHECK: %[[MULF3:.*]] = arith.mulf %[[C_DOT]], %[[EXTRACT2]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[MULF2]], %[[MULF3]]
// CHECK: tensor.yield %[[ADDF]]
// CHECK: }
// CHECK: return %[[GENERATE]], %[[GENERATE2]]
func.func @generate_jvp(%xs: tensor<?xf64>, %c: f64, %n: index, %xs_dot: tensor<?xf64>, %c_dot: f64) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:2 = ad.jvp @generate(%xs, %c, %n) seed(%xs_dot, %c_dot)
      : (tensor<?xf64>, f64, index), (tensor<?xf64>, f64) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}
