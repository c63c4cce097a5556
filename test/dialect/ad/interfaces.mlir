// Stock passes respect requests: the callee is a use of a symbol, and requests
// may be inlined [F07].
// RUN: ad-opt %s --symbol-dce | FileCheck --check-prefix=DCE %s
// RUN: ad-opt %s --inline --canonicalize | FileCheck --check-prefix=INLINE %s
// RUN: ad-opt %s --cse --canonicalize --inline --sccp --ad-differentiate --inline --canonicalize --cse --symbol-dce | FileCheck --check-prefix=AROUND %s

// A function that is only differentiated is alive.
// DCE: func.func private @f(
// DCE-NOT: @unused
// INLINE: func.func private @f(
func.func private @f(%x: f64) -> f64 {
  %two = arith.constant 2.0 : f64
  %one = arith.constant 1.0 : f64
  %three = arith.addf %one, %two : f64
  %y = func.call @times(%three, %x) : (f64, f64) -> f64
  return %y : f64
}
func.func private @unused(%x: f64) -> f64 {
  return %x : f64
}
func.func private @times(%a: f64, %x: f64) -> f64 {
  %y = arith.mulf %a, %x : f64
  return %y : f64
}
func.func private @derivative(%x: f64, %s: f64) -> f64 {
  %r:2 = ad.vjp @f(%x) seed(%s) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}

// INLINE-LABEL: func.func @user(
// INLINE-NOT: call
// INLINE: ad.vjp @f(
// INLINE-NOT: call
// INLINE: return
// The stock passes before AD and after it leave the closed form.
// AROUND-LABEL: func.func @user(
// AROUND-SAME: %[[X:[a-z0-9]+]]: f64, %[[S:[a-z0-9]+]]: f64)
// AROUND-NEXT: %[[C:.*]] = arith.constant 3.0{{.*}} : f64
// AROUND-NEXT: %[[R:.*]] = arith.mulf %[[S]], %[[C]] : f64
// AROUND-NEXT: return %[[R]]
func.func @user(%x: f64, %s: f64) -> f64 {
  %r = call @derivative(%x, %s) : (f64, f64) -> f64
  return %r : f64
}
