// The derivatives of atan2, asinh and acosh are right where the squares of the operands are not in the
// range of their type: values worked out by hand, in both modes.
// RUN: ad-opt run %s --entry=angle_f16_both --input=300 --input=400 | FileCheck %s --check-prefix=WIDE
// RUN: ad-opt run %s --entry=angle_f16_both --input=-400 --input=300 | FileCheck %s --check-prefix=HIGH
// RUN: ad-opt run %s --entry=angle_f32_both --input=3e-23 --input=4e-23 | FileCheck %s --check-prefix=SMALL
// RUN: ad-opt run %s --entry=angle_f32_both --input=3e25 --input=4e25 | FileCheck %s --check-prefix=LARGE
// RUN: ad-opt run %s --entry=angle_second --input=0 --input=2 | FileCheck %s --check-prefix=ON-AXIS
// RUN: ad-opt run %s --entry=angle_second --input=2 --input=-2 | FileCheck %s --check-prefix=DIAGONAL
// RUN: ad-opt run %s --entry=asinh_both --input=-300 | FileCheck %s --check-prefix=BOTH
// RUN: ad-opt run %s --entry=acosh_both --input=300 | FileCheck %s --check-prefix=BOTH
// RUN: ad-opt run %s --entry=asinh_higher --input=300 | FileCheck %s --check-prefix=HIGHER
// RUN: ad-opt run %s --entry=asinh_higher --input=0 | FileCheck %s --check-prefix=HIGHER-ZERO

// By y: 400/500^2 = 0.0016, and by x: -300/500^2 = -0.0012.
// WIDE: {{^}}0.0016002655{{$}}
// WIDE-NEXT: {{^}}-0.0011997223{{$}}
// WIDE-NEXT: {{^}}0.0016002655{{$}}
// WIDE-NEXT: {{^}}-0.0011997223{{$}}

// By y: 0.0012, and by x: 0.0016.
// HIGH: {{^}}0.0011997223{{$}}
// HIGH-NEXT: {{^}}0.0016002655{{$}}
// HIGH-NEXT: {{^}}0.0011997223{{$}}
// HIGH-NEXT: {{^}}0.0016002655{{$}}
func.func private @angle_f16(%y: f16, %x: f16) -> f16 {
  %r = math.atan2 %y, %x : f16
  return %r : f16
}
func.func @angle_f16_both(%y: f16, %x: f16) -> (f16, f16, f16, f16) {
  %zero = arith.constant 0.0 : f16
  %one = arith.constant 1.0 : f16
  %r:3 = ad.vjp @angle_f16(%y, %x) seed(%one) : (f16, f16), (f16) -> (f16, f16, f16)
  %q:2 = ad.jvp @angle_f16(%y, %x) seed(%one, %zero) : (f16, f16), (f16, f16) -> (f16, f16)
  %p:2 = ad.jvp @angle_f16(%y, %x) seed(%zero, %one) : (f16, f16), (f16, f16) -> (f16, f16)
  return %r#1, %r#2, %q#1, %p#1 : f16, f16, f16, f16
}

// SMALL: {{^}}1.{{5999|6}}{{[0-9]*}}e22{{$}}
// SMALL-NEXT: {{^}}-1.{{1999|2}}{{[0-9]*}}e22{{$}}
// SMALL-NEXT: {{^}}1.{{5999|6}}{{[0-9]*}}e22{{$}}
// SMALL-NEXT: {{^}}-1.{{1999|2}}{{[0-9]*}}e22{{$}}
// LARGE: {{^}}1.{{5999|6}}{{[0-9]*}}e-26{{$}}
// LARGE-NEXT: {{^}}-1.{{1999|2}}{{[0-9]*}}e-26{{$}}
// LARGE-NEXT: {{^}}1.{{5999|6}}{{[0-9]*}}e-26{{$}}
// LARGE-NEXT: {{^}}-1.{{1999|2}}{{[0-9]*}}e-26{{$}}
func.func private @angle_f32(%y: f32, %x: f32) -> f32 {
  %r = math.atan2 %y, %x : f32
  return %r : f32
}
func.func @angle_f32_both(%y: f32, %x: f32) -> (f32, f32, f32, f32) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %r:3 = ad.vjp @angle_f32(%y, %x) seed(%one) : (f32, f32), (f32) -> (f32, f32, f32)
  %q:2 = ad.jvp @angle_f32(%y, %x) seed(%one, %zero) : (f32, f32), (f32, f32) -> (f32, f32)
  %p:2 = ad.jvp @angle_f32(%y, %x) seed(%zero, %one) : (f32, f32), (f32, f32) -> (f32, f32)
  return %r#1, %r#2, %q#1, %p#1 : f32, f32, f32, f32
}

// The second derivatives are -2xy/(x^2 + y^2)^2, (y^2 - x^2)/(x^2 + y^2)^2 twice, and 2xy/(x^2 + y^2)^2.
// ON-AXIS: {{^}}{{-?}}0.0{{$}}
// ON-AXIS-NEXT: {{^}}-0.25{{$}}
// ON-AXIS-NEXT: {{^}}-0.25{{$}}
// ON-AXIS-NEXT: {{^}}{{-?}}0.0{{$}}
// DIAGONAL: {{^}}0.125{{$}}
// DIAGONAL-NEXT: {{^}}{{-?}}0.0{{$}}
// DIAGONAL-NEXT: {{^}}{{-?}}0.0{{$}}
// DIAGONAL-NEXT: {{^}}-0.125{{$}}
func.func private @angle(%y: f64, %x: f64) -> f64 {
  %r = math.atan2 %y, %x : f64
  return %r : f64
}
func.func private @angle_first(%y: f64, %x: f64) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %r:3 = ad.vjp @angle(%y, %x) seed(%one) : (f64, f64), (f64) -> (f64, f64, f64)
  return %r#1, %r#2 : f64, f64
}
func.func @angle_second(%y: f64, %x: f64) -> (f64, f64, f64, f64) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %r:4 = ad.vjp @angle_first(%y, %x) seed(%one, %zero)
      : (f64, f64), (f64, f64) -> (f64, f64, f64, f64)
  %q:4 = ad.jvp @angle_first(%y, %x) seed(%zero, %one)
      : (f64, f64), (f64, f64) -> (f64, f64, f64, f64)
  return %r#2, %r#3, %q#2, %q#3 : f64, f64, f64, f64
}

// 1/sqrt(300^2 + 1), and 1/sqrt(300^2 - 1).
// BOTH: {{^}}0.0033340454{{$}}
// BOTH-NEXT: {{^}}0.0033340454{{$}}
func.func private @asinh(%x: f16) -> f16 {
  %y = math.asinh %x : f16
  return %y : f16
}
func.func @asinh_both(%x: f16) -> (f16, f16) {
  %one = arith.constant 1.0 : f16
  %r:2 = ad.vjp @asinh(%x) seed(%one) : (f16), (f16) -> (f16, f16)
  %q:2 = ad.jvp @asinh(%x) seed(%one) : (f16), (f16) -> (f16, f16)
  return %r#1, %q#1 : f16, f16
}
func.func private @acosh(%x: f16) -> f16 {
  %y = math.acosh %x : f16
  return %y : f16
}
func.func @acosh_both(%x: f16) -> (f16, f16) {
  %one = arith.constant 1.0 : f16
  %r:2 = ad.vjp @acosh(%x) seed(%one) : (f16), (f16) -> (f16, f16)
  %q:2 = ad.jvp @acosh(%x) seed(%one) : (f16), (f16) -> (f16, f16)
  return %r#1, %q#1 : f16, f16
}

// -1/300^2, within the smallest numbers, and 0 and -1 at 0, where no kink may be.
// HIGHER: {{^}}-1.1{{[0-9]+}}e-5{{$}}
// HIGHER-ZERO: {{^}}{{-?}}0.0{{$}}
// HIGHER-ZERO-NEXT: {{^}}-1.0{{$}}
func.func private @asinh_first(%x: f16) -> f16 {
  %one = arith.constant 1.0 : f16
  %r:2 = ad.vjp @asinh(%x) seed(%one) : (f16), (f16) -> (f16, f16)
  return %r#1 : f16
}
func.func private @asinh_second(%x: f16) -> f16 {
  %one = arith.constant 1.0 : f16
  %r:2 = ad.vjp @asinh_first(%x) seed(%one) : (f16), (f16) -> (f16, f16)
  return %r#1 : f16
}
func.func @asinh_higher(%x: f16) -> (f16, f16) {
  %one = arith.constant 1.0 : f16
  %r:2 = ad.jvp @asinh_second(%x) seed(%one) : (f16), (f16) -> (f16, f16)
  return %r#0, %r#1 : f16, f16
}
