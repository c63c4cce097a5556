// Loops of blocks carry arrays without copies: what a loop hands to its body is in the order in which it carries it (F54).
// RUN: ad-opt %s --lower-while-order --split-input-file | FileCheck %s
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-optimize,ad-place-buffers)' | FileCheck %s --check-prefix=BUFFERS
// RUN: %python %S/../driver/Inputs/npy.py %t.xs.npy '<f8' '(4,)' 0.5 1.5 0.25 2
// RUN: ad-opt run %s --entry=swapped --input=%t.xs.npy --input=%t.xs.npy --input=3 | FileCheck %s --check-prefix=SWAPPED
// RUN: ad-opt run %s --entry=gradient --input=%t.xs.npy --input=3 | FileCheck %s --check-prefix=GRADIENT
// RUN: ad-opt run %s --entry=gradient --input=%t.xs.npy --input=0 | FileCheck %s --check-prefix=NONE

// Array %a is handed on twice, at the positions 0 and 3, and carried at 1; what nothing reads comes last.
// CHECK-LABEL: func.func @handed
// CHECK: %[[R:.+]]:4 = scf.while (%[[I:.+]] = %{{.+}}, %[[A:.+]] = %{{.+}}) : (index, tensor<?xf64>) -> (index, tensor<?xf64>, index, tensor<?xf64>)
// CHECK: scf.condition(%{{.+}}) %[[TWICE:.+]], %[[A]], %[[I]], %[[A]] : index, tensor<?xf64>, index, tensor<?xf64>
// CHECK: ^bb0(%[[T:.+]]: index, %[[B:.+]]: tensor<?xf64>, %[[J:.+]]: index, %{{.+}}: tensor<?xf64>):
// CHECK: tensor.extract %[[B]][%[[J]]]
// CHECK: %[[C:.+]] = tensor.insert %{{.+}} into %[[B]][%[[J]]]
// CHECK: scf.yield %{{.+}}, %[[C]] : index, tensor<?xf64>
// CHECK: return %[[R]]#1, %[[R]]#0
func.func @handed(%x: tensor<?xf64>, %n: index) -> (tensor<?xf64>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:4 = scf.while (%i = %c0, %a = %x) : (index, tensor<?xf64>) -> (tensor<?xf64>, index, index, tensor<?xf64>) {
    %less = arith.cmpi slt, %i, %n : index
    %twice = arith.addi %i, %i : index
    scf.condition(%less) %a, %twice, %i, %a : tensor<?xf64>, index, index, tensor<?xf64>
  } do {
  ^bb0(%first: tensor<?xf64>, %t: index, %j: index, %b: tensor<?xf64>):
    %v = tensor.extract %b[%j] : tensor<?xf64>
    %s = math.sin %v : f64
    %c = tensor.insert %s into %b[%j] : tensor<?xf64>
    %next = arith.addi %j, %c1 : index
    scf.yield %next, %c : index, tensor<?xf64>
  }
  return %r#0, %r#1 : tensor<?xf64>, index
}

// Two arrays that change their places in each iteration: their order is not the loop's, and values stay right.
// SWAPPED: [2.0, 2.5, 0.25, 2.0]
// SWAPPED: [1.0, 3.5, 0.25, 2.0]
func.func @swapped(%x: tensor<?xf64>, %y: tensor<?xf64>, %n: index) -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %r:3 = scf.while (%a = %x, %b = %y, %i = %c0) : (tensor<?xf64>, tensor<?xf64>, index) -> (index, tensor<?xf64>, tensor<?xf64>) {
    %less = arith.cmpi slt, %i, %n : index
    scf.condition(%less) %i, %b, %a : index, tensor<?xf64>, tensor<?xf64>
  } do {
  ^bb0(%i: index, %b: tensor<?xf64>, %a: tensor<?xf64>):
    %u = tensor.extract %a[%c1] : tensor<?xf64>
    %v = tensor.extract %b[%c0] : tensor<?xf64>
    %w = arith.addf %u, %one : f64
    %a1 = tensor.insert %w into %a[%c1] : tensor<?xf64>
    %s = arith.addf %v, %v : f64
    %b1 = tensor.insert %s into %b[%c0] : tensor<?xf64>
    %next = arith.addi %i, %c1 : index
    scf.yield %b1, %a1, %next : tensor<?xf64>, tensor<?xf64>, index
  }
  return %r#2, %r#1 : tensor<?xf64>, tensor<?xf64>
}

func.func private @sines(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0, %x : index, tensor<?xf64>)
^head(%i: index, %a: tensor<?xf64>):
  %less = arith.cmpi slt, %i, %n : index
  cf.cond_br %less, ^body, ^end
^body:
  %v = tensor.extract %a[%i] : tensor<?xf64>
  %s = math.sin %v : f64
  %next = arith.addi %i, %c1 : index
  %b = tensor.insert %s into %a[%next] : tensor<?xf64>
  cf.br ^head(%next, %b : index, tensor<?xf64>)
^end:
  return %a : tensor<?xf64>
}

// The elements after the first become sin 0.5, sin sin 0.5 and sin sin sin 0.5: with the seed 1 for all, the derivative by
// the first is 1 + cos 0.5 (1 + cos sin 0.5 (1 + cos sin sin 0.5)).
// BUFFERS-LABEL: func.func @gradient
// BUFFERS: scf.while
// BUFFERS-NOT: memref.copy
// BUFFERS: scf.while
// BUFFERS-NOT: memref.copy
// BUFFERS: return
// GRADIENT: [3.35349294611239{{[0-9]+}}, 0.0, 0.0, 0.0]
// NONE: [1.0, 1.0, 1.0, 1.0]
func.func @gradient(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %size = tensor.dim %x, %c0 : tensor<?xf64>
  %ones = tensor.splat %one[%size] : tensor<?xf64>
  %y, %bar = ad.vjp @sines(%x, %n) seed(%ones) {wrt = array<i64: 0>} : (tensor<?xf64>, index), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %bar : tensor<?xf64>
}
