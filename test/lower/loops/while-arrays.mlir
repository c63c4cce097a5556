// What an iteration of `scf.while` hands to the next one is an array of its own: a copy of what comes from outside, and of what
// is handed on twice. What an iteration has changed, and arrays that change places, are not copied.
// RUN: ad-opt %s --lower-own-destinations | FileCheck %s
// RUN: %python %S/../../driver/Inputs/npy.py %t.x.npy '<f8' '(4,)' 1 2 3 4
// RUN: %python %S/../../driver/Inputs/npy.py %t.y.npy '<f8' '(4,)' 5 6 7 8
// DEFINE: %{target} = cpu
// DEFINE: %{run} = ad-opt run %s --input=%t.x.npy --input=%t.y.npy --target=%{target}
// RUN: %{run} --entry=outside | FileCheck %s --check-prefix=OUTSIDE
// RUN: %{run} --entry=twice | FileCheck %s --check-prefix=TWICE
// RUN: %{run} --entry=swapped | FileCheck %s --check-prefix=SWAPPED
// REDEFINE: %{target} = gpu-emulate
// RUN: %{run} --entry=outside | FileCheck %s --check-prefix=OUTSIDE
// RUN: %{run} --entry=twice | FileCheck %s --check-prefix=TWICE
// RUN: %{run} --entry=swapped | FileCheck %s --check-prefix=SWAPPED

// CHECK-LABEL: func.func @outside(
// CHECK: %[[Z:.*]] = tensor.insert
// CHECK: } do {
// CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[Z]]) : tensor<?xf64>
// CHECK: scf.yield %[[COPY]]
// OUTSIDE: [-1.0, 2.0, 3.0, 4.0]
// OUTSIDE: [-1.0, 77.0, 3.0, 4.0]
func.func @outside(%x: tensor<?xf64>, %y: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 77.0 : f64
  %u = arith.constant -1.0 : f64
  %z = tensor.insert %u into %x[%c0] : tensor<?xf64>
  %r:2 = scf.while (%a = %y, %i = %c0) : (tensor<?xf64>, index) -> (tensor<?xf64>, index) {
    %b = tensor.insert %v into %a[%c1] : tensor<?xf64>
    %more = arith.cmpi slt, %i, %c1 : index
    scf.condition(%more) %b, %i : tensor<?xf64>, index
  } do {
  ^bb0(%a: tensor<?xf64>, %i: index):
    %j = arith.addi %i, %c1 : index
    scf.yield %z, %j : tensor<?xf64>, index
  }
  return %z, %r#0 : tensor<?xf64>, tensor<?xf64>
}

// CHECK-LABEL: func.func @twice(
// CHECK: ^bb0(%[[A:.*]]: tensor<?xf64>, %{{.*}}: tensor<?xf64>, %{{.*}}: index):
// CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[A]])
// CHECK: scf.yield %[[A]], %[[COPY]]
// TWICE: [77.0, 77.0, 3.0, 4.0]
// TWICE: [77.0, 2.0, 3.0, 4.0]
func.func @twice(%x: tensor<?xf64>, %y: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 77.0 : f64
  %r:3 = scf.while (%a = %x, %b = %y, %i = %c0) : (tensor<?xf64>, tensor<?xf64>, index) -> (tensor<?xf64>, tensor<?xf64>, index) {
    %changed = tensor.insert %v into %a[%i] : tensor<?xf64>
    %more = arith.cmpi slt, %i, %c1 : index
    scf.condition(%more) %changed, %b, %i : tensor<?xf64>, tensor<?xf64>, index
  } do {
  ^bb0(%a: tensor<?xf64>, %b: tensor<?xf64>, %i: index):
    %j = arith.addi %i, %c1 : index
    scf.yield %a, %a, %j : tensor<?xf64>, tensor<?xf64>, index
  }
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}

// CHECK-LABEL: func.func @swapped(
// CHECK-NOT: bufferization.alloc_tensor
// CHECK: return
// SWAPPED: [5.0, 77.0, 7.0, 8.0]
// SWAPPED: [77.0, 2.0, 3.0, 4.0]
func.func @swapped(%x: tensor<?xf64>, %y: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 77.0 : f64
  %r:3 = scf.while (%a = %x, %b = %y, %i = %c0) : (tensor<?xf64>, tensor<?xf64>, index) -> (tensor<?xf64>, tensor<?xf64>, index) {
    %more = arith.cmpi sle, %i, %c1 : index
    scf.condition(%more) %a, %b, %i : tensor<?xf64>, tensor<?xf64>, index
  } do {
  ^bb0(%a: tensor<?xf64>, %b: tensor<?xf64>, %i: index):
    %changed = tensor.insert %v into %a[%i] : tensor<?xf64>
    %j = arith.addi %i, %c1 : index
    scf.yield %b, %changed, %j : tensor<?xf64>, tensor<?xf64>, index
  }
  return %r#1, %r#0 : tensor<?xf64>, tensor<?xf64>
}
