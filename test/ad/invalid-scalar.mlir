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

func.func private @padded(%x: tensor<2xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{'tensor.pad' op has no vjp rule: write it with 'tensor.insert_slice' into an array of the result's size}}
  %y = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<2xf32> to tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @padded_vjp(%x: tensor<2xf32>, %s: tensor<4xf32>) -> tensor<2xf32> {
  // expected-note @below {{derivative requested here}}
  %y, %x_bar = ad.vjp @padded(%x) seed(%s) {wrt = array<i64: 0>}
      : (tensor<2xf32>), (tensor<4xf32>) -> (tensor<4xf32>, tensor<2xf32>)
  return %x_bar : tensor<2xf32>
}

// -----

// Bits of an integer have no derivative, so nothing is refused.
func.func private @sign_bit(%x: f64) -> f64 {
  %bits = arith.bitcast %x : f64 to i64
  %back = arith.bitcast %bits : i64 to f64
  %y = arith.addf %x, %back : f64
  return %y : f64
}
func.func @sign_bit_vjp(%x: f64, %s: f64) -> f64 {
  %y, %x_bar = ad.vjp @sign_bit(%x) seed(%s) {wrt = array<i64: 0>} : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}
