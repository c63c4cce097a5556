// Complex numbers at zero: values worked out by hand.
// RUN: ad-opt run %s --entry=parts_vjp --input=0 --input=2 | FileCheck %s --check-prefix=PARTS
// RUN: ad-opt run %s --entry=parts_jvp --input=0 --input=1+2j | FileCheck %s --check-prefix=TANGENTS
// RUN: ad-opt run %s --entry=power_vjp --input=0 --input=0 --input=3-1j | FileCheck %s --check-prefix=ZERO
// RUN: ad-opt run %s --entry=power_vjp --input=0 --input=1 --input=3-1j | FileCheck %s --check-prefix=ONE
// RUN: ad-opt run %s --entry=power_vjp --input=0 --input=2 --input=3-1j | FileCheck %s --check-prefix=TWO
// RUN: ad-opt run %s --entry=powi_vjp --input=0 --input=0 --input=3-1j | FileCheck %s --check-prefix=INT-ZERO
// RUN: ad-opt run %s --entry=powi_vjp --input=0 --input=1 --input=3-1j | FileCheck %s --check-prefix=INT-ONE
// RUN: ad-opt run %s --entry=chosen_vjp --input=0 --input=3-1j | FileCheck %s --check-prefix=CHOSEN
// RUN: ad-opt run %s --entry=square_vjp --input=2+1j --input=1j | FileCheck %s --check-prefix=SQUARE

func.func private @parts(%z: complex<f64>) -> (f64, f64, complex<f64>) {
  %0 = complex.abs %z : complex<f64>
  %1 = complex.angle %z : complex<f64>
  %2 = complex.sign %z : complex<f64>
  return %0, %1, %2 : f64, f64, complex<f64>
}

// The derivatives of abs, angle and sign at 0 are 0.
// PARTS: {{^}}0.0{{[+-]}}0.0j{{$}}
func.func @parts_vjp(%z: complex<f64>, %s: f64) -> complex<f64> {
  %c = complex.create %s, %s : complex<f64>
  %r:4 = ad.vjp @parts(%z) seed(%s, %s, %c)
      : (complex<f64>), (f64, f64, complex<f64>) -> (f64, f64, complex<f64>, complex<f64>)
  return %r#3 : complex<f64>
}
// TANGENTS: {{^}}0.0{{$}}
// TANGENTS-NEXT: {{^}}0.0{{$}}
// TANGENTS-NEXT: {{^}}0.0+0.0j{{$}}
func.func @parts_jvp(%z: complex<f64>, %t: complex<f64>) -> (f64, f64, complex<f64>) {
  %r:6 = ad.jvp @parts(%z) seed(%t)
      : (complex<f64>), (complex<f64>) -> (f64, f64, complex<f64>, f64, f64, complex<f64>)
  return %r#3, %r#4, %r#5 : f64, f64, complex<f64>
}

// z**0 has derivative 0, z**1 derivative 1, and z**2 derivative 0, at z = 0 too; by
// the exponent it is 0 there.
// ZERO: {{^}}{{-?}}0.0{{[+-]}}0.0j{{$}}
// ZERO-NEXT: {{^}}{{-?}}0.0{{[+-]}}0.0j{{$}}
// ONE: {{^}}3.0-1.0j{{$}}
// ONE-NEXT: {{^}}{{-?}}0.0{{[+-]}}0.0j{{$}}
// TWO: {{^}}{{-?}}0.0{{[+-]}}0.0j{{$}}
// TWO-NEXT: {{^}}{{-?}}0.0{{[+-]}}0.0j{{$}}
func.func private @power(%z: complex<f64>, %w: complex<f64>) -> complex<f64> {
  %y = complex.pow %z, %w : complex<f64>
  return %y : complex<f64>
}
func.func @power_vjp(%z: complex<f64>, %w: complex<f64>, %s: complex<f64>) -> (complex<f64>, complex<f64>) {
  %r:3 = ad.vjp @power(%z, %w) seed(%s)
      : (complex<f64>, complex<f64>), (complex<f64>) -> (complex<f64>, complex<f64>, complex<f64>)
  return %r#1, %r#2 : complex<f64>, complex<f64>
}

// INT-ZERO: {{^}}{{-?}}0.0{{[+-]}}0.0j{{$}}
// INT-ONE: {{^}}3.0-1.0j{{$}}
func.func private @powi(%z: complex<f64>, %n: i32) -> complex<f64> {
  %y = complex.powi %z, %n : complex<f64>, i32
  return %y : complex<f64>
}
func.func @powi_vjp(%z: complex<f64>, %n: i32, %s: complex<f64>) -> complex<f64> {
  %r:2 = ad.vjp @powi(%z, %n) seed(%s)
      : (complex<f64>, i32), (complex<f64>) -> (complex<f64>, complex<f64>)
  return %r#1 : complex<f64>
}

// What was not chosen has derivative 0, though that of log at 0 is infinite.
// CHOSEN: {{^}}3.0-1.0j{{$}}
func.func private @choose(%z: complex<f64>) -> complex<f64> {
  %zero = complex.constant [0.0, 0.0] : complex<f64>
  %c = complex.eq %z, %zero : complex<f64>
  %l = complex.log %z : complex<f64>
  %r = arith.select %c, %z, %l : complex<f64>
  return %r : complex<f64>
}
func.func @chosen_vjp(%z: complex<f64>, %s: complex<f64>) -> complex<f64> {
  %r:2 = ad.vjp @choose(%z) seed(%s)
      : (complex<f64>), (complex<f64>) -> (complex<f64>, complex<f64>)
  return %r#1 : complex<f64>
}

// Not conjugated: i 2 (2 + i) = -2 + 4i.
// SQUARE: {{^}}-2.0+4.0j{{$}}
func.func private @square(%z: complex<f64>) -> complex<f64> {
  %y = complex.mul %z, %z : complex<f64>
  return %y : complex<f64>
}
func.func @square_vjp(%z: complex<f64>, %s: complex<f64>) -> complex<f64> {
  %r:2 = ad.vjp @square(%z) seed(%s)
      : (complex<f64>), (complex<f64>) -> (complex<f64>, complex<f64>)
  return %r#1 : complex<f64>
}
