// What stands beside a function of the tensor language: functions with the names that derivatives
// would get, and numbers of two types, which make a function a mixed one (T47).
// RUN: ad-opt %s --ad-differentiate | FileCheck %s
// RUN: ad-opt run %s --entry=clash --input=0.0 | FileCheck %s --check-prefix=CLASH
// RUN: ad-opt run %s --entry=precise --input=3.0 | FileCheck %s --check-prefix=PRECISE

// No tangent of the hyperbolic tangent.
func.func private @math_tanh_f64(%x: f64) -> f64 {
  %y = arith.constant 7.0 : f64
  return %y : f64
}
func.func private @tanh_of_sum(%x: tensor<2xf64>) -> f64 {
  %two = arith.constant 2 : index
  %s = atl.sum (%i in %two) -> f64 {
    %e = atl.access %x[%i] : tensor<2xf64>
    atl.yield %e : f64
  }
  %t = math.tanh %s : f64
  return %t : f64
}
// CHECK: func.func private @math_tanh_f64_1(
// CLASH: [1.0, 1.0]
func.func @clash(%a: f64) -> tensor<2xf64> {
  %one = arith.constant 1.0 : f64
  %x = tensor.from_elements %a, %a : tensor<2xf64>
  %y, %x_bar = ad.vjp @tanh_of_sum(%x) seed(%one) : (tensor<2xf64>), (f64) -> (f64, tensor<2xf64>)
  return %x_bar : tensor<2xf64>
}

// A sum of floats, squared as a double.
// PRECISE: 81.0
func.func @precise(%a: f32) -> f64 {
  %x = tensor.from_elements %a, %a, %a : tensor<3xf32>
  %three = arith.constant 3 : index
  %s = atl.sum (%i in %three) -> f32 {
    %e = atl.access %x[%i] : tensor<3xf32>
    atl.yield %e : f32
  }
  %d = arith.extf %s : f32 to f64
  %t = arith.mulf %d, %d : f64
  return %t : f64
}
