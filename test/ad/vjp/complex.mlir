// Complex numbers: a cotangent is the seed times df/dz, not conjugated; the operations
// that are linear over the real numbers only conjugate it.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.'

func.func private @holomorphic(%z: complex<f64>) -> complex<f64> {
  %s = complex.mul %z, %z : complex<f64>
  %e = complex.exp %s : complex<f64>
  return %e : complex<f64>
}
// CHECK-LABEL: func.func @holomorphic_vjp(
// CHECK-SAME: %[[Z:[a-z0-9_]+]]: complex<f64>, %[[Y_BAR:[a-z0-9_]+]]: complex<f64>)
// CHECK: %[[MUL:.+]] = complex.mul %[[Z]], %[[Z]] : complex<f64>
// CHECK: %[[EXP:.+]] = complex.exp %[[MUL]] : complex<f64>
// CHECK: %[[MUL2:.+]] = complex.mul %[[Y_BAR]], %[[EXP]] : complex<f64>
// CHECK: %[[MUL3:.+]] = complex.mul %[[MUL2]], %[[Z]] : complex<f64>
// CHECK: %[[ADD:.+]] = complex.add %[[MUL3]], %[[MUL3]] : complex<f64>
// CHECK: return %[[ADD]] : complex<f64>
func.func @holomorphic_vjp(%z: complex<f64>, %y_bar: complex<f64>) -> complex<f64> {
  %r:2 = ad.vjp @holomorphic(%z) seed(%y_bar)
      : (complex<f64>), (complex<f64>) -> (complex<f64>, complex<f64>)
  return %r#1 : complex<f64>
}

func.func private @parts(%z: complex<f64>) -> (f64, f64, complex<f64>) {
  %x = complex.re %z : complex<f64>
  %y = complex.im %z : complex<f64>
  %c = complex.conj %z : complex<f64>
  return %x, %y, %c : f64, f64, complex<f64>
}
// CHECK-LABEL: func.func @parts_vjp(
// CHECK-SAME: %[[Z:[a-z0-9_]+]]: complex<f64>, %[[X_BAR:[a-z0-9_]+]]: f64, %[[Y_BAR:[a-z0-9_]+]]: f64, %[[C_BAR:[a-z0-9_]+]]: complex<f64>)
// CHECK-DAG: %[[CST:.+]] = arith.constant 0.000000e+00 : f64
// CHECK: %[[CONJ:.+]] = complex.conj %[[C_BAR]] : complex<f64>
// CHECK: %[[NEGF:.+]] = arith.negf %[[Y_BAR]] : f64
// CHECK: %[[CREATE:.+]] = complex.create %[[CST]], %[[NEGF]] : complex<f64>
// CHECK: %[[ADD:.+]] = complex.add %[[CONJ]], %[[CREATE]] : complex<f64>
// CHECK: %[[CREATE2:.+]] = complex.create %[[X_BAR]], %[[CST]] : complex<f64>
// CHECK: %[[ADD2:.+]] = complex.add %[[ADD]], %[[CREATE2]] : complex<f64>
// CHECK: return %[[ADD2]] : complex<f64>
func.func @parts_vjp(%z: complex<f64>, %x_bar: f64, %y_bar: f64, %c_bar: complex<f64>) -> complex<f64> {
  %r:4 = ad.vjp @parts(%z) seed(%x_bar, %y_bar, %c_bar)
      : (complex<f64>), (f64, f64, complex<f64>) -> (f64, f64, complex<f64>, complex<f64>)
  return %r#3 : complex<f64>
}

func.func private @create(%a: f64, %b: f64) -> complex<f64> {
  %z = complex.create %a, %b : complex<f64>
  return %z : complex<f64>
}
// CHECK-LABEL: func.func @create_vjp(
// CHECK-SAME: %[[A:[a-z0-9_]+]]: f64, %[[B:[a-z0-9_]+]]: f64, %[[Z_BAR:[a-z0-9_]+]]: complex<f64>)
// CHECK: %[[RE:.+]] = complex.re %[[Z_BAR]] : complex<f64>
// CHECK: %[[IM:.+]] = complex.im %[[Z_BAR]] : complex<f64>
// CHECK: %[[NEGF:.+]] = arith.negf %[[IM]] : f64
// CHECK: return %[[RE]], %[[NEGF]] : f64, f64
func.func @create_vjp(%a: f64, %b: f64, %z_bar: complex<f64>) -> (f64, f64) {
  %r:3 = ad.vjp @create(%a, %b) seed(%z_bar)
      : (f64, f64), (complex<f64>) -> (complex<f64>, f64, f64)
  return %r#1, %r#2 : f64, f64
}

func.func private @size(%z: complex<f32>) -> f32 {
  %y = complex.abs %z : complex<f32>
  return %y : f32
}
// CHECK-LABEL: func.func @size_vjp(
// CHECK-SAME: %[[Z:[a-z0-9_]+]]: complex<f32>, %[[Y_BAR:[a-z0-9_]+]]: f32)
// CHECK: %[[SIGN:.+]] = complex.sign %[[Z]] : complex<f32>
// CHECK: %[[CONJ:.+]] = complex.conj %[[SIGN]] : complex<f32>
// CHECK: %[[RE:.+]] = complex.re %[[CONJ]] : complex<f32>
// CHECK: %[[MULF:.+]] = arith.mulf %[[Y_BAR]], %[[RE]] : f32
// CHECK: %[[IM:.+]] = complex.im %[[CONJ]] : complex<f32>
// CHECK: %[[MULF2:.+]] = arith.mulf %[[Y_BAR]], %[[IM]] : f32
// CHECK: %[[CREATE:.+]] = complex.create %[[MULF]], %[[MULF2]] : complex<f32>
// CHECK: return %[[CREATE]] : complex<f32>
func.func @size_vjp(%z: complex<f32>, %y_bar: f32) -> complex<f32> {
  %r:2 = ad.vjp @size(%z) seed(%y_bar) : (complex<f32>), (f32) -> (f32, complex<f32>)
  return %r#1 : complex<f32>
}
