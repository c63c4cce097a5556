// A branch between blocks: the return block of a branch runs only if the branch did; there is no tape, and
// nothing is added to an adjoint that has one contribution on each path [Z10, Z11, Z13, Z37].
// RUN: ad-opt %s --ad-differentiate --canonicalize --cse | FileCheck %s --implicit-check-not=ad.tape

func.func private @leaky(%x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %slope = arith.constant 0.01 : f64
  %positive = arith.cmpf ogt, %x, %zero : f64
  cf.cond_br %positive, ^join(%x : f64), ^small
^small:
  %y = arith.mulf %slope, %x : f64
  cf.br ^join(%y : f64)
^join(%r: f64):
  return %r : f64
}
// CHECK-LABEL: func.func private @leaky.vjp_0(
// CHECK-SAME: %[[X:[a-z0-9]+]]: f64, %[[R_BAR:[a-z0-9]+]]: f64)
// CHECK: %[[SLOPE:.*]] = arith.constant 1.000000e-02
// CHECK: cf.cond_br %{{.*}}, ^[[JOIN:[a-z0-9]+]](%[[X]], %false : f64, i1), ^[[SMALL:[a-z0-9]+]]
// CHECK: ^[[SMALL]]:
// CHECK: cf.br ^[[JOIN]](%{{.*}}, %true : f64, i1)
// CHECK: ^[[JOIN]](%[[R:.*]]: f64, %[[IS_SMALL:.*]]: i1):
// CHECK-NEXT: cf.cond_br %[[IS_SMALL]], ^[[SMALL_BACK:[a-z0-9]+]], ^[[ENTRY_BACK:[a-z0-9]+]](%[[R_BAR]] : f64)
// CHECK: ^[[SMALL_BACK]]:
// CHECK-NEXT: %[[X_BAR:.*]] = arith.mulf %[[R_BAR]], %[[SLOPE]]
// CHECK-NEXT: cf.br ^[[ENTRY_BACK]](%[[X_BAR]] : f64)
// CHECK: ^[[ENTRY_BACK]](%[[SUM:.*]]: f64):
// CHECK-NEXT: return %[[R]], %[[SUM]]
func.func @leaky_vjp(%x: f64, %r_bar: f64) -> f64 {
  %r:2 = ad.vjp @leaky(%x) seed(%r_bar) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}
