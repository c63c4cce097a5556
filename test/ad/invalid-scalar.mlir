// RUN: ad-opt %s --ad-differentiate --split-input-file --verify-diagnostics

// Scalar operations that are refused, each with its reason.

func.func private @bits(%x: f16) -> bf16 {
  // expected-error @below {{'arith.bitcast' op has no vjp rule: it interprets the bits of a float as another type; mark its operand with 'ad.stop_gradient' if no derivative is wanted}}
  %y = arith.bitcast %x : f16 to bf16
  return %y : bf16
}
func.func @bits_vjp(%x: f16, %s: bf16) -> f16 {
  // expected-note @below {{derivative requested here}}
  %y, %x_bar = ad.vjp @bits(%x) seed(%s) {wrt = array<i64: 0>} : (f16), (bf16) -> (bf16, f16)
  return %x_bar : f16
}

// -----

func.func private @scaled(%x: f32, %scale: f8E8M0FNU) -> f4E2M1FN {
  // expected-error @below {{'arith.scaling_truncf' op has no jvp rule: it converts block-scaled numbers, which have no derivative; mark its operand with 'ad.stop_gradient' if no derivative is wanted}}
  %y = arith.scaling_truncf %x, %scale : f32, f8E8M0FNU to f4E2M1FN
  return %y : f4E2M1FN
}
func.func @scaled_jvp(%x: f32, %scale: f8E8M0FNU, %x_dot: f32) -> f4E2M1FN {
  // expected-note @below {{derivative requested here}}
  %y, %y_dot = ad.jvp @scaled(%x, %scale) seed(%x_dot) {wrt = array<i64: 0>}
      : (f32, f8E8M0FNU), (f32) -> (f4E2M1FN, f4E2M1FN)
  return %y_dot : f4E2M1FN
}

// -----

// The bits of a float that come back as a float would lose the derivative.
func.func private @sign_cleared(%x: f64) -> f64 {
  %mask = arith.constant 9223372036854775807 : i64
  // expected-error @below {{'arith.bitcast' op has no vjp rule: it interprets the bits of a float as another type; mark its operand with 'ad.stop_gradient' if no derivative is wanted}}
  %bits = arith.bitcast %x : f64 to i64
  %clear = arith.andi %bits, %mask : i64
  %y = arith.bitcast %clear : i64 to f64
  return %y : f64
}
func.func @sign_cleared_vjp(%x: f64, %s: f64) -> f64 {
  // expected-note @below {{derivative requested here}}
  %y, %x_bar = ad.vjp @sign_cleared(%x) seed(%s) {wrt = array<i64: 0>} : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}

// -----

// Also by way of a loop, an array and a branch.
func.func private @around(%x: tensor<2xf32>, %n: index, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{'tensor.bitcast' op has no jvp rule: it interprets the bits of a float as another type}}
  %bits = tensor.bitcast %x : tensor<2xf32> to tensor<2xi32>
  %first = tensor.extract %bits[%c0] : tensor<2xi32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%k = %first) -> i32 {
    %l = arith.addi %k, %first : i32
    scf.yield %l : i32
  }
  %chosen = scf.if %c -> i32 {
    scf.yield %sum : i32
  } else {
    scf.yield %first : i32
  }
  %y = arith.bitcast %chosen : i32 to f32
  return %y : f32
}
func.func @around_jvp(%x: tensor<2xf32>, %n: index, %c: i1, %x_dot: tensor<2xf32>) -> f32 {
  // expected-note @below {{derivative requested here}}
  %y, %y_dot = ad.jvp @around(%x, %n, %c) seed(%x_dot) {wrt = array<i64: 0>}
      : (tensor<2xf32>, index, i1), (tensor<2xf32>) -> (f32, f32)
  return %y_dot : f32
}

// -----

// A decision by the bits of a float loses nothing, whatever it decides between.
func.func private @sign_bit(%x: f64, %a: i64, %b: i64) -> f64 {
  %zero = arith.constant 0 : i64
  %bits = arith.bitcast %x : f64 to i64
  %negative = arith.cmpi slt, %bits, %zero : i64
  %chosen = arith.select %negative, %a, %b : i64
  %factor = arith.bitcast %chosen : i64 to f64
  %y = arith.mulf %x, %factor : f64
  return %y : f64
}
func.func @sign_bit_vjp(%x: f64, %a: i64, %b: i64, %s: f64) -> f64 {
  %y, %x_bar = ad.vjp @sign_bit(%x, %a, %b) seed(%s) {wrt = array<i64: 0>}
      : (f64, i64, i64), (f64) -> (f64, f64)
  return %x_bar : f64
}

// -----

func.func private @swapped(%v: vector<4xf32>) -> vector<4xf32> {
  // expected-error @below {{'vector.shuffle' op has no vjp rule: write it with 'vector.to_elements' and 'vector.from_elements'; mark its operand with 'ad.stop_gradient' if no derivative is wanted}}
  %y = vector.shuffle %v, %v [1, 0, 3, 2] : vector<4xf32>, vector<4xf32>
  return %y : vector<4xf32>
}
func.func @swapped_vjp(%v: vector<4xf32>, %s: vector<4xf32>) -> vector<4xf32> {
  // expected-note @below {{derivative requested here}}
  %y, %v_bar = ad.vjp @swapped(%v) seed(%s) : (vector<4xf32>), (vector<4xf32>) -> (vector<4xf32>, vector<4xf32>)
  return %v_bar : vector<4xf32>
}

// -----

func.func private @as_real(%z: complex<f32>) -> f64 {
  // expected-error @below {{'complex.bitcast' op has no jvp rule: it interprets the bits of a float as another type; mark its operand with 'ad.stop_gradient' if no derivative is wanted}}
  %y = complex.bitcast %z : complex<f32> to f64
  return %y : f64
}
func.func @as_real_jvp(%z: complex<f32>, %z_dot: complex<f32>) -> f64 {
  // expected-note @below {{derivative requested here}}
  %y, %y_dot = ad.jvp @as_real(%z) seed(%z_dot) : (complex<f32>), (complex<f32>) -> (f64, f64)
  return %y_dot : f64
}

// -----

// Also by way of a buffer, of which a slice is written.
func.func private @by_buffer(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %mask = arith.constant 9223372036854775807 : i64
  %all = memref.alloc() : memref<2xi64>
  %part = memref.subview %all[0] [1] [1] : memref<2xi64> to memref<1xi64, strided<[1]>>
  // expected-error @below {{'arith.bitcast' op has no vjp rule: it interprets the bits of a float as another type; mark its operand with 'ad.stop_gradient' if no derivative is wanted}}
  %bits = arith.bitcast %x : f64 to i64
  %clear = arith.andi %bits, %mask : i64
  memref.store %clear, %part[%c0] : memref<1xi64, strided<[1]>>
  %read = memref.load %all[%c0] : memref<2xi64>
  %y = arith.bitcast %read : i64 to f64
  return %y : f64
}
func.func @by_buffer_vjp(%x: f64, %s: f64) -> f64 {
  // expected-note @below {{derivative requested here}}
  %y, %x_bar = ad.vjp @by_buffer(%x) seed(%s) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}

// -----

// By way of what a function returns.
func.func private @bits_of(%x: f64) -> i64 {
  %bits = arith.bitcast %x : f64 to i64
  return %bits : i64
}
func.func private @by_result(%x: f64) -> f64 {
  // expected-error @below {{'func.call' op has no vjp rule: the function interprets the bits of a float as another type; mark its operand with 'ad.stop_gradient' if no derivative is wanted}}
  %bits = func.call @bits_of(%x) : (f64) -> i64
  %y = arith.bitcast %bits : i64 to f64
  return %y : f64
}
func.func @by_result_vjp(%x: f64, %s: f64) -> f64 {
  // expected-note @below {{derivative requested here}}
  %y, %x_bar = ad.vjp @by_result(%x) seed(%s) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}

// -----

// By way of what it is given, here a buffer that it writes to.
func.func private @put(%to: memref<i64>, %bits: i64) {
  memref.store %bits, %to[] : memref<i64>
  return
}
func.func private @by_argument(%x: f64) -> f64 {
  %buffer = memref.alloc() : memref<i64>
  // expected-error @below {{'arith.bitcast' op has no vjp rule: it interprets the bits of a float as another type; mark its operand with 'ad.stop_gradient' if no derivative is wanted}}
  %bits = arith.bitcast %x : f64 to i64
  func.call @put(%buffer, %bits) : (memref<i64>, i64) -> ()
  %read = memref.load %buffer[] : memref<i64>
  %y = arith.bitcast %read : i64 to f64
  return %y : f64
}
func.func @by_argument_vjp(%x: f64, %s: f64) -> f64 {
  // expected-note @below {{derivative requested here}}
  %y, %x_bar = ad.vjp @by_argument(%x) seed(%s) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}
