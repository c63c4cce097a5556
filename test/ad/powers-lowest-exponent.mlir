// x**n for the lowest integer n has derivative n x**(n - 1), though n - 1 is no integer of the type of n:
// values worked out by hand, in both modes.
// RUN: ad-opt run %s --entry=narrow_both --input=0.5 --input=-128 | FileCheck %s --check-prefix=NARROW
// RUN: ad-opt run %s --entry=narrow_both --input=0 --input=-128 | FileCheck %s --check-prefix=ZERO
// RUN: ad-opt run %s --entry=narrow_both --input=2 --input=-127 | FileCheck %s --check-prefix=ABOVE
// RUN: ad-opt run %s --entry=constant_vjp --input=0.5 | FileCheck %s --check-prefix=CONSTANT
// RUN: ad-opt run %s --entry=second --input=0.5 --input=-128 | FileCheck %s --check-prefix=SECOND
// RUN: ad-opt run %s --entry=middle_vjp --input=-2147483648 | FileCheck %s --check-prefix=MIDDLE
// RUN: ad-opt run %s --entry=wide_vjp --input=2 --input=-9223372036854775808 | FileCheck %s --check-prefix=WIDE
// RUN: ad-opt run %s --entry=complex_both --input=0.5 --input=-128 | FileCheck %s --check-prefix=COMPLEX

// -128 0.5^-129 = -2^136, -128 0^-129, and -127 2^-128.
// NARROW: {{^}}-8.711228593176025e40{{$}}
// NARROW-NEXT: {{^}}-8.711228593176025e40{{$}}
// ZERO: {{^}}-inf{{$}}
// ZERO-NEXT: {{^}}-inf{{$}}
// ABOVE: {{^}}-3.732194563860763e-37{{$}}
// ABOVE-NEXT: {{^}}-3.732194563860763e-37{{$}}
func.func private @narrow(%x: f64, %n: i8) -> f64 {
  %y = math.fpowi %x, %n : f64, i8
  return %y : f64
}
func.func @narrow_both(%x: f64, %n: i8) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @narrow(%x, %n) seed(%one) : (f64, i8), (f64) -> (f64, f64)
  %q:2 = ad.jvp @narrow(%x, %n) seed(%one) : (f64, i8), (f64) -> (f64, f64)
  return %r#1, %q#1 : f64, f64
}

// CONSTANT: {{^}}-8.711228593176025e40{{$}}
func.func private @constant(%x: f64) -> f64 {
  %n = arith.constant -128 : i8
  %y = math.fpowi %x, %n : f64, i8
  return %y : f64
}
func.func @constant_vjp(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @constant(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}

// -128 (-129) 0.5^-130 = 129 2^137.
// SECOND: {{^}}2.247496977039{{[0-9]*}}e43{{$}}
// SECOND-NEXT: {{^}}2.247496977039{{[0-9]*}}e43{{$}}
func.func private @slope(%x: f64, %n: i8) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @narrow(%x, %n) seed(%one) : (f64, i8), (f64) -> (f64, f64)
  return %r#1 : f64
}
func.func @second(%x: f64, %n: i8) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @slope(%x, %n) seed(%one) : (f64, i8), (f64) -> (f64, f64)
  %q:2 = ad.jvp @slope(%x, %n) seed(%one) : (f64, i8), (f64) -> (f64, f64)
  return %r#1, %q#1 : f64, f64
}

// At 1 + 2^-31 it is nearly -2^31/e.
// MIDDLE: {{^}}-790015{{[0-9.]+}}{{$}}
func.func private @middle(%x: f64, %n: i32) -> f64 {
  %y = math.fpowi %x, %n : f64, i32
  return %y : f64
}
func.func @middle_vjp(%n: i32) -> f64 {
  %one = arith.constant 1.0 : f64
  %x = arith.constant 1.0000000004656612873 : f64
  %r:2 = ad.vjp @middle(%x, %n) seed(%one) : (f64, i32), (f64) -> (f64, f64)
  return %r#1 : f64
}

// -2^63 2^(-2^63 - 1) is too small for the type.
// WIDE: {{^}}-0.0{{$}}
func.func private @wide(%x: f64, %n: i64) -> f64 {
  %y = math.fpowi %x, %n : f64, i64
  return %y : f64
}
func.func @wide_vjp(%x: f64, %n: i64) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @wide(%x, %n) seed(%one) : (f64, i64), (f64) -> (f64, f64)
  return %r#1 : f64
}

// COMPLEX: {{^}}-8.71122859317{{[0-9]*}}e40{{[+-]}}0.0j{{$}}
// COMPLEX-NEXT: {{^}}-8.71122859317{{[0-9]*}}e40{{[+-]}}0.0j{{$}}
func.func private @complex(%z: complex<f64>, %n: i8) -> complex<f64> {
  %y = complex.powi %z, %n : complex<f64>, i8
  return %y : complex<f64>
}
func.func @complex_both(%z: complex<f64>, %n: i8) -> (complex<f64>, complex<f64>) {
  %one = complex.constant [1.0, 0.0] : complex<f64>
  %r:2 = ad.vjp @complex(%z, %n) seed(%one)
      : (complex<f64>, i8), (complex<f64>) -> (complex<f64>, complex<f64>)
  %q:2 = ad.jvp @complex(%z, %n) seed(%one)
      : (complex<f64>, i8), (complex<f64>) -> (complex<f64>, complex<f64>)
  return %r#1, %q#1 : complex<f64>, complex<f64>
}
