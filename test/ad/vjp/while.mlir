// scf.while in reverse mode is an scf.for: F52 an inspector counts the iterations of the
// slice that the condition depends on; F51 with a bound, a branch is nested in the loop.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --ad-simplify --canonicalize --cse \
// RUN:   --symbol-dce | FileCheck %s --implicit-check-not='= ad.'

// The condition depends on %k alone, so the inspector carries nothing else.
func.func private @count(%n: index, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %r:2 = scf.while (%k = %c0, %p = %x) : (index, f64) -> (index, f64) {
    %c = arith.cmpi slt, %k, %n : index
    scf.condition(%c) %k, %p : index, f64
  } do {
  ^bb0(%k: index, %p: f64):
    %l = arith.addi %k, %c2 : index
    %q = math.sin %p : f64
    scf.yield %l, %q : index, f64
  }
  return %r#1 : f64
}
// CHECK-LABEL: func.func @count_vjp(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index, %[[X:[a-z0-9]+]]: f64, %[[BAR:[a-z0-9]+]]: f64)
// CHECK: %[[COUNT:.*]]:2 = scf.while (%[[K:.*]] = %c0, %[[TRIP:.*]] = %c0) : (index, index) -> (index, index) {
// CHECK-NEXT: arith.cmpi slt, %[[K]], %[[N]]
// CHECK-NEXT: scf.condition
// CHECK-NEXT: } do {
// CHECK-NOT: math
// CHECK: scf.yield
// CHECK: scf.for {{.*}} = %c0 to %[[COUNT]]#1
// CHECK: math.sin
// CHECK: scf.for
// CHECK: math.cos
func.func @count_vjp(%n: index, %x: f64, %bar: f64) -> f64 {
  %r:2 = ad.vjp @count(%n, %x) seed(%bar) {wrt = array<i64: 1>} : (index, f64), (f64) -> (f64, f64)
  return %r#1 : f64
}

func.func private @bounded(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %r = scf.while (%p = %x) : (f64) -> f64 {
    %c = arith.cmpf ogt, %p, %one : f64
    scf.condition(%c) %p : f64
  } do {
  ^bb0(%p: f64):
    %q = math.sqrt %p : f64
    %s = math.sin %q : f64
    scf.yield %s : f64
  } attributes {ad.bound = 50 : i64}
  return %r : f64
}
// CHECK-LABEL: func.func @bounded_vjp(
// CHECK-NOT: scf.while
// CHECK: scf.for {{.*}} = %c0 to %c50
// CHECK: scf.if
// CHECK: cf.assert {{.*}}, "the loop does more iterations than its 'ad.bound'"
// CHECK: scf.for {{.*}} = %c0 to %c50
// CHECK: scf.if
func.func @bounded_vjp(%x: f64, %bar: f64) -> f64 {
  %r:2 = ad.vjp @bounded(%x) seed(%bar) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}
