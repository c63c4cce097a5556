// What a loop or a branch hands on twice, it hands on once: the other one is not read any more, and is dropped.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-simplify,ad-canonicalize)' | FileCheck %s

// CHECK-LABEL: func.func @of_for
// CHECK-SAME: (%[[X:.+]]: f64, %[[Y:.+]]: f64, %{{.+}}: index)
// CHECK: %[[R:.+]]:2 = scf.for {{.+}} iter_args(%[[A:.+]] = %[[X]], %[[C:.+]] = %[[Y]]) -> (f64, f64) {
// CHECK-NEXT: %[[P:.+]] = arith.mulf %[[A]], %[[A]] : f64
// CHECK-NEXT: %[[S:.+]] = arith.addf %[[P]], %[[C]] : f64
// CHECK-NEXT: scf.yield %[[S]], %[[S]] : f64, f64
// CHECK: return %[[R]]#0, %[[R]]#0, %[[R]]#1
func.func @of_for(%x: f64, %y: f64, %n: index) -> (f64, f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // The third one starts with something else.
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x, %c = %y) -> (f64, f64, f64) {
    %p = arith.mulf %a, %b : f64
    %s = arith.addf %p, %c : f64
    scf.yield %s, %s, %s : f64, f64, f64
  }
  return %r#0, %r#1, %r#2 : f64, f64, f64
}

// CHECK-LABEL: func.func @of_while
// CHECK: %[[R:.+]] = scf.while (%[[A:.+]] = %{{.+}}) : (f64) -> f64 {
// CHECK-NEXT: %[[P:.+]] = arith.mulf %[[A]], %[[A]] : f64
// CHECK: scf.condition(%{{.+}}) %[[P]] : f64
// CHECK: ^bb0(%[[U:.+]]: f64):
// CHECK-NEXT: %[[S:.+]] = arith.addf %[[U]], %[[U]] : f64
// CHECK-NEXT: scf.yield %[[S]] : f64
// CHECK: return %[[R]], %[[R]]
func.func @of_while(%x: f64) -> (f64, f64) {
  %limit = arith.constant 3.0 : f64
  %r:2 = scf.while (%a = %x, %b = %x) : (f64, f64) -> (f64, f64) {
    %p = arith.mulf %a, %b : f64
    %c = arith.cmpf olt, %p, %limit : f64
    scf.condition(%c) %p, %p : f64, f64
  } do {
  ^bb0(%u: f64, %v: f64):
    %s = arith.addf %u, %v : f64
    scf.yield %s, %s : f64, f64
  }
  return %r#0, %r#1 : f64, f64
}

// CHECK-LABEL: func.func @of_if
// CHECK: %[[R:.+]]:2 = scf.if %{{.+}} -> (tensor<?xf64>, tensor<?xf64>) {
// CHECK: return %[[R]]#0, %[[R]]#1, %[[R]]#0
func.func @of_if(%c: i1, %x: tensor<?xf64>, %y: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %r:3 = scf.if %c -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
    %s = math.sin %x : tensor<?xf64>
    scf.yield %s, %s, %s : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
  } else {
    %s = math.cos %y : tensor<?xf64>
    scf.yield %s, %y, %s : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
  }
  return %r#0, %r#1, %r#2 : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}
