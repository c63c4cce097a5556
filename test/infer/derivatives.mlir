// Requests are specialised like calls: the copy is that of the function with the signature of the request, and what the
// request gives has the sizes of the arguments [M10, M21]. Then derivatives are those of any function.
// RUN: ad-opt %s --ad-specialize --canonicalize | FileCheck %s
// RUN: ad-opt run %s --entry=gradient --input=2.0 | FileCheck %s --check-prefix=VALUE
// RUN: ad-opt run %s --entry=hessian --input=2.0 | FileCheck %s --check-prefix=SECOND
// RUN: ad-opt check %s --entry=gradient --input=0.7
// RUN: not ad-opt %s --ad-differentiate 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: {{.*}} has no vjp rule: the rank of a tensor is unknown; run 'ad-specialize' first, which infers it

// CHECK-LABEL: func.func private @cube.of_3(
func.func private @cube(%x: tensor<*xf64>) -> tensor<*xf64> {
  %a = arith.mulf %x, %x : tensor<*xf64>
  %b = arith.mulf %a, %x : tensor<*xf64>
  return %b : tensor<*xf64>
}
// CHECK-LABEL: func.func private @slope.of_3_3(
// CHECK: ad.vjp @cube.of_3(%{{.*}}) seed(%{{.*}}) : (tensor<3xf64>), (tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
func.func private @slope(%x: tensor<*xf64>, %s: tensor<*xf64>) -> tensor<*xf64> {
  %r:2 = ad.vjp @cube(%x) seed(%s) : (tensor<*xf64>), (tensor<*xf64>) -> (tensor<*xf64>, tensor<*xf64>)
  return %r#1 : tensor<*xf64>
}
// CHECK-LABEL: func.func @gradient(
// CHECK: call @slope.of_3_3(
// VALUE: 12.0
func.func @gradient(%x: f64) -> f64 {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %v = tensor.splat %x : tensor<3xf64>
  %u = tensor.splat %one : tensor<3xf64>
  %v0 = tensor.cast %v : tensor<3xf64> to tensor<*xf64>
  %u0 = tensor.cast %u : tensor<3xf64> to tensor<*xf64>
  %s = func.call @slope(%v0, %u0) : (tensor<*xf64>, tensor<*xf64>) -> tensor<*xf64>
  %t = tensor.cast %s : tensor<*xf64> to tensor<3xf64>
  %e = tensor.extract %t[%c1] : tensor<3xf64>
  return %e : f64
}
// CHECK-LABEL: func.func @hessian(
// CHECK: ad.jvp @slope.of_3_3(%{{.*}}, %{{.*}}) seed(%{{.*}}) {wrt = array<i64: 0>} : (tensor<3xf64>, tensor<3xf64>), (tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
// SECOND: 12.0
func.func @hessian(%x: f64) -> f64 {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %v = tensor.splat %x : tensor<3xf64>
  %u = tensor.splat %one : tensor<3xf64>
  %v0 = tensor.cast %v : tensor<3xf64> to tensor<*xf64>
  %u0 = tensor.cast %u : tensor<3xf64> to tensor<*xf64>
  %r:2 = ad.jvp @slope(%v0, %u0) seed(%u0) {wrt = array<i64: 0>}
      : (tensor<*xf64>, tensor<*xf64>), (tensor<*xf64>) -> (tensor<*xf64>, tensor<*xf64>)
  %t = tensor.cast %r#1 : tensor<*xf64> to tensor<3xf64>
  %e = tensor.extract %t[%c1] : tensor<3xf64>
  return %e : f64
}
