// Arrays that are given by a rule have a thread for each element, where they are needed as arrays.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,canonicalize,cse)' | FileCheck %s
// RUN: ad-opt run %s --entry=generated --input=0 --target=gpu-emulate | FileCheck %s --check-prefix=GENERATED0
// RUN: ad-opt run %s --entry=generated --input=1 --target=gpu-emulate | FileCheck %s --check-prefix=GENERATED1
// RUN: ad-opt run %s --entry=generated --input=2 --target=gpu-emulate | FileCheck %s --check-prefix=GENERATED2
// RUN: ad-opt run %s --entry=generated --input=257 --target=gpu-emulate | FileCheck %s --check-prefix=GENERATED257
// RUN: ad-opt run %s --entry=generated --input=1025 --target=gpu-emulate | FileCheck %s --check-prefix=GENERATED1025
// RUN: ad-opt run %s --entry=returned --input=3 --input=2.5 --target=gpu-emulate | FileCheck %s --check-prefix=RETURNED
// RUN: ad-opt run %s --entry=virtual --input=3 --target=gpu-emulate | FileCheck %s --check-prefix=VIRTUAL

// CHECK-LABEL: func.func @generated(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK: scf.forall (%[[I:.*]], %[[J:.*]]) in (%[[N]], 3) shared_outs(%[[OUT:.*]] = %{{.*}}) -> (tensor<?x3xi64>) {
// CHECK: %[[TENS:.*]] = arith.muli %[[I]], %c10
// CHECK: arith.addi %[[TENS]], %[[J]]
// CHECK: tensor.parallel_insert_slice %{{.*}} into %[[OUT]][%[[I]], %[[J]]] [1, 1] [1, 1]
// GENERATED0: []  # shape (0, 3)
// GENERATED1: {{\[}}[0, 1, 2]]
// GENERATED2: {{\[}}[0, 1, 2],
// GENERATED2-NEXT: [10, 11, 12]]
// GENERATED257: [2550, 2551, 2552],
// GENERATED257-NEXT: [2560, 2561, 2562]]
// GENERATED1025: [10230, 10231, 10232],
// GENERATED1025-NEXT: [10240, 10241, 10242]]
func.func @generated(%n: index) -> tensor<?x3xi64> {
  %c10 = arith.constant 10 : index
  %r = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %t = arith.muli %i, %c10 : index
    %s = arith.addi %t, %j : index
    %v = arith.index_cast %s : index to i64
    tensor.yield %v : i64
  } : tensor<?x3xi64>
  return %r : tensor<?x3xi64>
}

// CHECK-LABEL: func.func @returned(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index, %[[X:[a-z0-9]+]]: f32
// CHECK: scf.forall (%[[I:.*]]) in (%[[N]])
// CHECK: arith.index_cast %[[I]] : index to i64
// CHECK: scf.forall (%{{.*}}) in (%[[N]])
// CHECK: tensor.insert %[[X]] into
// RETURNED: [0, 1, 2]
// RETURNED-NEXT: [2.5, 2.5, 2.5]
func.func @returned(%n: index, %x: f32) -> (tensor<?xi64>, tensor<?xf32>) {
  %is = soac.iota %n : tensor<?xi64>
  %xs = soac.replicate %x, %n : f32 -> tensor<?xf32>
  return %is, %xs : tensor<?xi64>, tensor<?xf32>
}

// The threads of a map know their numbers.
// CHECK-LABEL: func.func @virtual(
// CHECK-NOT: soac.iota
// CHECK-COUNT-1: scf.forall
// CHECK-NOT: scf.forall (
// CHECK: return
// VIRTUAL: [1, 2, 3]
func.func @virtual(%n: index) -> tensor<?xi64> {
  %one = arith.constant 1 : i64
  %is = soac.iota %n : tensor<?xi64>
  %ys = soac.map ins(%is : tensor<?xi64>) (%i: i64) -> tensor<?xi64> {
    %y = arith.addi %i, %one : i64
    soac.yield %y : i64
  }
  return %ys : tensor<?xi64>
}
