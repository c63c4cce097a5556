// Nested derivatives keep their perturbations apart [F06].
// RUN: ad-opt run %s --entry=siskind --input=1.0 | FileCheck %s --check-prefix=SISKIND
// RUN: ad-opt run %s --entry=siskind_reverse --input=1.0 | FileCheck %s --check-prefix=SISKIND
// RUN: ad-opt run %s --entry=product --input=3.0 | FileCheck %s --check-prefix=PRODUCT

// d/dx (x * d/dy (x + y)) = 1; a confused implementation answers 2.
func.func private @add(%x: f64, %y: f64) -> f64 {
  %s = arith.addf %x, %y : f64
  return %s : f64
}
func.func private @x_times_inner(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.jvp @add(%x, %one) seed(%one) {wrt = array<i64: 1>} : (f64, f64), (f64) -> (f64, f64)
  %p = arith.mulf %x, %r#1 : f64
  return %p : f64
}
// SISKIND: {{^}}1{{(\.0)?$}}
func.func @siskind(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.jvp @x_times_inner(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}
func.func @siskind_reverse(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @x_times_inner(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}

// d/dx (x * d/dy (x y^2 at y = x)) = d/dx (x * 2 x^2) = 6 x^2.
func.func private @xyy(%x: f64, %y: f64) -> f64 {
  %y2 = arith.mulf %y, %y : f64
  %p = arith.mulf %x, %y2 : f64
  return %p : f64
}
func.func private @outer(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @xyy(%x, %x) seed(%one) {wrt = array<i64: 1>} : (f64, f64), (f64) -> (f64, f64)
  %p = arith.mulf %x, %r#1 : f64
  return %p : f64
}
// PRODUCT: {{^}}54{{(\.0)?$}}
func.func @product(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.jvp @outer(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}
