// Nesting in every order gives the same second derivative, by value [F04, Z07].
// RUN: ad-opt %s --ad-optimize | FileCheck %s --implicit-check-not='= ad.'
// RUN: ad-opt run %s --entry=all_modes --input=0.5 | FileCheck %s --check-prefix=VALUE
// RUN: ad-opt check %s --entry=vjp_f --input=0.5
// RUN: ad-opt check %s --entry=jvp_f --input=0.5
// RUN: ad-opt check %s --entry=vjp_vjp_f --input=0.5

// f = x^3, f' = 3 x^2, f'' = 6 x, f''' = 6.
func.func private @f(%x: f64) -> f64 {
  %x2 = arith.mulf %x, %x : f64
  %x3 = arith.mulf %x2, %x : f64
  return %x3 : f64
}
func.func @vjp_f(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @f(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}
func.func @jvp_f(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.jvp @f(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}
func.func @vjp_vjp_f(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @vjp_f(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}

// VALUE: 0.75
// VALUE-NEXT: 0.75
// VALUE-NEXT: 3.0
// VALUE-NEXT: 3.0
// VALUE-NEXT: 3.0
// VALUE-NEXT: 3.0
// VALUE-NEXT: 6.0
// CHECK-LABEL: func.func @all_modes(
func.func @all_modes(%x: f64) -> (f64, f64, f64, f64, f64, f64, f64) {
  %one = arith.constant 1.0 : f64
  %rr:2 = ad.vjp @vjp_f(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  %fr:2 = ad.jvp @vjp_f(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  %rf:2 = ad.vjp @jvp_f(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  %ff:2 = ad.jvp @jvp_f(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  %third:2 = ad.jvp @vjp_vjp_f(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %rr#0, %ff#0, %rr#1, %fr#1, %rf#1, %ff#1, %third#1 : f64, f64, f64, f64, f64, f64, f64
}
