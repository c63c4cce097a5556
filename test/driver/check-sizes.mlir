// Elements of each size move by steps of their size: right derivatives pass next to poles, and a wrong one is seen beside
// elements that are much smaller or larger.
// RUN: ad-opt check %s --entry=smooth --input=1e-9 | FileCheck %s
// RUN: ad-opt check %s --entry=smooth --input=1e-30 | FileCheck %s
// RUN: ad-opt check %s --entry=smooth --input=1e20 --engine=interpreter | FileCheck %s
// RUN: ad-opt check %s --entry=one_more --input=1e-9 | FileCheck %s
// RUN: ad-opt check %s --entry=sine --input=1e4 | FileCheck %s
// Derivatives of numbers whose powers are none in f32.
// RUN: ad-opt check %s --entry=cube --input=1e-20 | FileCheck %s
// A jump has the slope of the side that the point is on, also where larger steps see another one.
// RUN: ad-opt check %s --entry=jump --input=2 | FileCheck %s --check-prefix=JUMP
// RUN: ad-opt check %s --entry=jump --input=1e5 | FileCheck %s --check-prefix=JUMP
// RUN: ad-opt check %s --entry=square --input=3e-9-2e-9j | FileCheck %s
// RUN: %python %S/Inputs/npy.py %t.npy '<f8' '(3,)' 1e-4 1 3
// RUN: not ad-opt check %s --entry=beside_small --input=%t.npy 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: %python %S/Inputs/npy.py %t.npy '<f8' '(3,)' 1e-9 -1 1e6
// RUN: not ad-opt check %s --entry=reciprocals --input=%t.npy 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: %python %S/Inputs/npy.py %t.npy '<f4' '(2,)' 1e-6 1e6
// RUN: not ad-opt check %s --entry=squares --input=%t.npy 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not ad-opt check %s --entry=log --input=1e-9 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not ad-opt check %s --entry=log --input=1e20 2>&1 | FileCheck %s --check-prefix=WRONG

// CHECK: {{^}}0 {{f64|f32|complex<f64>}} {{.*}} ok{{$}}
// CHECK: {{^}}results {{.*}} ok{{$}}
func.func @smooth(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %log = math.log %x : f64
  %root = math.sqrt %x : f64
  %inverse = arith.divf %one, %x : f64
  %product = arith.mulf %inverse, %root : f64
  %y = arith.mulf %product, %log : f64
  return %y : f64
}
// Steps of the size of x are lost in the rounding of 1.
func.func @one_more(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y = arith.addf %x, %one : f64
  return %y : f64
}
// Steps of the size of x are many periods.
func.func @sine(%x: f64) -> f64 {
  %y = math.sin %x : f64
  return %y : f64
}
func.func @square(%x: complex<f64>) -> complex<f64> {
  %y = complex.mul %x, %x : complex<f64>
  return %y : complex<f64>
}

// WRONG: {{^}}0 {{.*}} FAILED{{$}}
// WRONG: error: the derivatives of @{{.*}} fail the check
func.func @beside_small(%x: tensor<3xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.extract %x[%c0] : tensor<3xf64>
  %b = tensor.extract %x[%c1] : tensor<3xf64>
  %log = math.log %a : f64
  %other = func.call @log(%b) : (f64) -> f64
  %y = arith.addf %log, %other : f64
  return %y : f64
}
// Three times too large.
func.func @log(%x: f64) -> f64 attributes {custom_vjp = @log_derivative, custom_jvp = @log_derivative} {
  %y = math.log %x : f64
  return %y : f64
}
func.func private @log_derivative(%x: f64, %t: f64) -> (f64, f64) {
  %three = arith.constant 3.0 : f64
  %y = math.log %x : f64
  %quotient = arith.divf %t, %x : f64
  %d = arith.mulf %three, %quotient : f64
  return %y, %d : f64, f64
}

// By a hundredth too large where numbers are large.
func.func @reciprocals(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = func.call @reciprocal(%x) : (f64) -> f64
    soac.yield %y : f64
  }
  return %ys : tensor<?xf64>
}
func.func private @reciprocal(%x: f64) -> f64
    attributes {custom_vjp = @reciprocal_derivative, custom_jvp = @reciprocal_derivative} {
  %one = arith.constant 1.0 : f64
  %y = arith.divf %one, %x : f64
  return %y : f64
}
func.func private @reciprocal_derivative(%x: f64, %t: f64) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %wrong = arith.constant 1.01 : f64
  %large = arith.constant 1.0e3 : f64
  %y = arith.divf %one, %x : f64
  %yy = arith.mulf %y, %y : f64
  %negative = arith.negf %yy : f64
  %right = arith.mulf %negative, %t : f64
  %too_large = arith.mulf %right, %wrong : f64
  %is_large = arith.cmpf ogt, %x, %large : f64
  %d = arith.select %is_large, %too_large, %right : f64
  return %y, %d : f64, f64
}

// Zero where numbers are small.
func.func @squares(%xs: tensor<?xf32>) -> tensor<?xf32> {
  %ys = soac.map ins(%xs : tensor<?xf32>) (%x: f32) -> tensor<?xf32> {
    %y = func.call @square_f32(%x) : (f32) -> f32
    soac.yield %y : f32
  }
  return %ys : tensor<?xf32>
}
func.func private @square_f32(%x: f32) -> f32
    attributes {custom_vjp = @square_derivative, custom_jvp = @square_derivative} {
  %y = arith.mulf %x, %x : f32
  return %y : f32
}
func.func private @square_derivative(%x: f32, %t: f32) -> (f32, f32) {
  %zero = arith.constant 0.0 : f32
  %small = arith.constant 1.0e-3 : f32
  %y = arith.mulf %x, %x : f32
  %two_x = arith.addf %x, %x : f32
  %right = arith.mulf %two_x, %t : f32
  %is_small = arith.cmpf olt, %x, %small : f32
  %d = arith.select %is_small, %zero, %right : f32
  return %y, %d : f32, f32
}

func.func @cube(%x: f32) -> f32 {
  %square = arith.mulf %x, %x : f32
  %y = arith.mulf %square, %x : f32
  return %y : f32
}

// JUMP: {{^}}0 f64 {{.*}} ok (at a kink: any value between the one-sided slopes)
func.func @jump(%x: f64) -> f64 {
  %y = math.floor %x : f64
  return %y : f64
}
