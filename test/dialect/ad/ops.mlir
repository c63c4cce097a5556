// The operations of the ad dialect print as they parse [M15].
// RUN: ad-opt %s | ad-opt | FileCheck %s
// RUN: ad-opt %s --mlir-print-op-generic | ad-opt | FileCheck %s
// RUN: ad-opt %s --emit-bytecode | ad-opt | FileCheck %s

func.func private @f(%x: tensor<?xf64>, %w: f32, %n: index) -> (f64, index, tensor<?xf64>) {
  %c = arith.constant 0.0 : f64
  return %c, %n, %x : f64, index, tensor<?xf64>
}

// One seed per differentiable result, one cotangent per argument in wrt.
// CHECK-LABEL: func.func @vjp(
// CHECK: ad.vjp @f(%{{.*}}, %{{.*}}, %{{.*}}) seed(%{{.*}}, %{{.*}}) {wrt = array<i64: 0>}
// CHECK-SAME: : (tensor<?xf64>, f32, index), (f64, tensor<?xf64>) -> (f64, index, tensor<?xf64>, tensor<?xf64>)
func.func @vjp(%x: tensor<?xf64>, %w: f32, %n: index, %s: f64) -> tensor<?xf64> {
  %r:4 = ad.vjp @f(%x, %w, %n) seed(%s, %x) {wrt = array<i64: 0>}
      : (tensor<?xf64>, f32, index), (f64, tensor<?xf64>) -> (f64, index, tensor<?xf64>, tensor<?xf64>)
  return %r#3 : tensor<?xf64>
}

// Without wrt, all floats and tensors of floats are meant; wrt may reorder.
// CHECK-LABEL: func.func @wrt(
// CHECK: ad.vjp @f(%{{.*}}) seed(%{{.*}}) : (tensor<?xf64>, f32, index), (f64, tensor<?xf64>) -> (f64, index, tensor<?xf64>, tensor<?xf64>, f32)
// CHECK: ad.vjp @f(%{{.*}}) seed(%{{.*}}) {wrt = array<i64: 1, 0>} : {{.*}} -> (f64, index, tensor<?xf64>, f32, tensor<?xf64>)
func.func @wrt(%x: tensor<?xf64>, %w: f32, %n: index, %s: f64) -> (f32, f32) {
  %r:5 = ad.vjp @f(%x, %w, %n) seed(%s, %x)
      : (tensor<?xf64>, f32, index), (f64, tensor<?xf64>) -> (f64, index, tensor<?xf64>, tensor<?xf64>, f32)
  %q:5 = ad.vjp @f(%x, %w, %n) seed(%s, %x) {wrt = array<i64: 1, 0>}
      : (tensor<?xf64>, f32, index), (f64, tensor<?xf64>) -> (f64, index, tensor<?xf64>, f32, tensor<?xf64>)
  return %r#4, %q#3 : f32, f32
}

// One seed per argument in wrt, one tangent per differentiable result.
// CHECK-LABEL: func.func @jvp(
// CHECK: ad.jvp @f(%{{.*}}) seed(%{{.*}}) {wrt = array<i64: 1>}
// CHECK-SAME: : (tensor<?xf64>, f32, index), (f32) -> (f64, index, tensor<?xf64>, f64, tensor<?xf64>)
func.func @jvp(%x: tensor<?xf64>, %w: f32, %n: index) -> f64 {
  %r:5 = ad.jvp @f(%x, %w, %n) seed(%w) {wrt = array<i64: 1>}
      : (tensor<?xf64>, f32, index), (f32) -> (f64, index, tensor<?xf64>, f64, tensor<?xf64>)
  return %r#3 : f64
}

// CHECK-LABEL: func.func @stop(
// CHECK: ad.stop_gradient %{{.*}} : tensor<?xf64>
func.func @stop(%x: tensor<?xf64>) -> tensor<?xf64> {
  %y = ad.stop_gradient %x : tensor<?xf64>
  return %y : tensor<?xf64>
}

// Nothing of the callee's results needs a seed.
// CHECK-LABEL: func.func @no_seeds(
// CHECK: ad.vjp @size(%{{.*}}) seed() : (tensor<?xf64>), () -> (index, tensor<?xf64>)
func.func private @size(%x: tensor<?xf64>) -> index {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?xf64>
  return %n : index
}
func.func @no_seeds(%x: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = ad.vjp @size(%x) seed() : (tensor<?xf64>), () -> (index, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
