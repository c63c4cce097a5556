// Complex numbers: tangents of holomorphic operations, and of those that are linear
// over the real numbers only.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

func.func private @holomorphic(%z: complex<f64>) -> complex<f64> {
  %s = complex.mul %z, %z : complex<f64>
  %e = complex.exp %s : complex<f64>
  return %e : complex<f64>
}
// CHECK-LABEL: func.func @holomorphic_jvp(
// CHECK-SAME: %[[Z:[a-z0-9_]+]]: complex<f64>, %[[Z_DOT:[a-z0-9_]+]]: complex<f64>)
// CHECK: %[[MUL:.+]] = complex.mul %[[Z]], %[[Z]] : complex<f64>
// CHECK: %[[MUL2:.+]] = complex.mul %[[Z_DOT]], %[[Z]] : complex<f64>
// CHECK: %[[ADD:.+]] = complex.add %[[MUL2]], %[[MUL2]] : complex<f64>
// CHECK: %[[EXP:.+]] = complex.exp %[[MUL]] : complex<f64>
// CHECK: %[[MUL3:.+]] = complex.mul %[[ADD]], %[[EXP]] : complex<f64>
// CHECK: return %[[MUL3]] : complex<f64>
func.func @holomorphic_jvp(%z: complex<f64>, %z_dot: complex<f64>) -> complex<f64> {
  %r:2 = ad.jvp @holomorphic(%z) seed(%z_dot)
      : (complex<f64>), (complex<f64>) -> (complex<f64>, complex<f64>)
  return %r#1 : complex<f64>
}

func.func private @parts(%z: complex<f64>) -> (f64, f64, complex<f64>) {
  %x = complex.re %z : complex<f64>
  %y = complex.im %z : complex<f64>
  %c = complex.conj %z : complex<f64>
  return %x, %y, %c : f64, f64, complex<f64>
}
// CHECK-LABEL: func.func @parts_jvp(
// CHECK-SAME: %[[Z:[a-z0-9_]+]]: complex<f64>, %[[Z_DOT:[a-z0-9_]+]]: complex<f64>)
// CHECK: %[[RE:.+]] = complex.re %[[Z_DOT]] : complex<f64>
// CHECK: %[[IM:.+]] = complex.im %[[Z_DOT]] : complex<f64>
// CHECK: %[[CONJ:.+]] = complex.conj %[[Z_DOT]] : complex<f64>
// CHECK: return %[[RE]], %[[IM]], %[[CONJ]] : f64, f64, complex<f64>
func.func @parts_jvp(%z: complex<f64>, %z_dot: complex<f64>) -> (f64, f64, complex<f64>) {
  %r:6 = ad.jvp @parts(%z) seed(%z_dot)
      : (complex<f64>), (complex<f64>) -> (f64, f64, complex<f64>, f64, f64, complex<f64>)
  return %r#3, %r#4, %r#5 : f64, f64, complex<f64>
}

func.func private @create(%a: f64, %b: f64) -> complex<f64> {
  %z = complex.create %a, %b : complex<f64>
  return %z : complex<f64>
}
// CHECK-LABEL: func.func @create_jvp(
// CHECK-SAME: %[[A:[a-z0-9_]+]]: f64, %[[B:[a-z0-9_]+]]: f64, %[[A_DOT:[a-z0-9_]+]]: f64)
// CHECK-DAG: %[[CST:.+]] = arith.constant 0.000000e+00 : f64
// CHECK: %[[CREATE:.+]] = complex.create %[[A_DOT]], %[[CST]] : complex<f64>
// CHECK: return %[[CREATE]] : complex<f64>
func.func @create_jvp(%a: f64, %b: f64, %a_dot: f64) -> complex<f64> {
  %r:2 = ad.jvp @create(%a, %b) seed(%a_dot) {wrt = array<i64: 0>}
      : (f64, f64), (f64) -> (complex<f64>, complex<f64>)
  return %r#1 : complex<f64>
}
