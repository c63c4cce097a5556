// Both equations hold for every differentiable argument, with either engine and any direction.
// RUN: %python %S/Inputs/npy.py %t.npy '<f8' '(4,)' 0.5 -1.25 2 3
// RUN: ad-opt check %s --entry=f --input=1.5 --input=%t.npy --input=2 | FileCheck %s
// RUN: ad-opt check %s --entry=f --input=1.5 --input=%t.npy --input=2 --engine=interpreter --seed=7 --tolerance=1e-6 | FileCheck %s
// RUN: ad-opt check %s --entry=narrow --input=0.25 | FileCheck %s --check-prefix=NARROW
// RUN: ad-opt check %s --entry=kink --input=0 | FileCheck %s --check-prefix=KINK
// RUN: ad-opt check %s --entry=slope --input=0.5 | FileCheck %s --check-prefix=SLOPE

// CHECK:      argument type jvp vs differences vjp vs jvp
// CHECK-NEXT: 0 f64 {{.*}} ok
// CHECK-NEXT: 1 tensor<?xf64> {{.*}} ok
// CHECK-NEXT: results unchanged {{.*}} ok
// CHECK-NOT: {{.}}
func.func @f(%w: f64, %xs: tensor<?xf64>, %n: i32) -> (f64, tensor<?xf64>) {
  %zero = arith.constant 0.0 : f64
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %0 = arith.mulf %x, %w : f64
    %1 = math.fpowi %0, %n : f64, i32
    %2 = math.sin %1 : f64
    soac.yield %2 : f64
  }
  %y = soac.reduce ins(%ys : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %0 = arith.addf %a, %b : f64
    soac.yield %0 : f64
  }
  return %y, %ys : f64, tensor<?xf64>
}

// NARROW: 0 f32 {{.*}} ok
func.func @narrow(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  return %0 : f32
}

// KINK: 0 f64 {{.*}} ok (at a kink
func.func @kink(%x: f64) -> f64 {
  %0 = math.absf %x : f64
  return %0 : f64
}

// An entry may itself contain requests.
// SLOPE: 0 f64 {{.*}} ok
func.func @slope(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @sine(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}
func.func @sine(%x: f64) -> f64 {
  %0 = math.sin %x : f64
  return %0 : f64
}
