// Derivatives of linalg convolutions and sum pooling agree with central differences and with each other.
// RUN: %python %S/../../driver/Inputs/npy.py %t.s7.npy '<f8' '(7,)' --vary=1
// RUN: %python %S/../../driver/Inputs/npy.py %t.k3.npy '<f8' '(3,)' --vary=2
// RUN: %python %S/../../driver/Inputs/npy.py %t.s1.npy '<f8' '(1,)' 0.5
// RUN: %python %S/../../driver/Inputs/npy.py %t.s0.npy '<f8' '(0,)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.s2.npy '<f8' '(2,)' 0.5 0.2
// RUN: %python %S/../../driver/Inputs/npy.py %t.s5.npy '<f8' '(5,)' --vary=3
// RUN: %python %S/../../driver/Inputs/npy.py %t.i.npy '<f8' '(4,5)' --vary=4
// RUN: %python %S/../../driver/Inputs/npy.py %t.w.npy '<f8' '(2,3)' --vary=5
// RUN: %python %S/../../driver/Inputs/npy.py %t.o.npy '<f8' '(3,3)' --vary=6
// RUN: %python %S/../../driver/Inputs/npy.py %t.nhwc.npy '<f8' '(1,7,6,2)' --vary=7
// RUN: %python %S/../../driver/Inputs/npy.py %t.hwcf.npy '<f8' '(3,2,2,3)' --vary=8
// RUN: %python %S/../../driver/Inputs/npy.py %t.nchw.npy '<f4' '(1,2,7,6)' --vary=9
// RUN: %python %S/../../driver/Inputs/npy.py %t.fchw.npy '<f4' '(3,2,3,2)' --vary=10
// RUN: %python %S/../../driver/Inputs/npy.py %t.hwc.npy '<f8' '(3,2,2)' --vary=11
// RUN: ad-opt check %s --entry=conv_1d --input=%t.s7.npy --input=%t.k3.npy --input=%t.s5.npy
// RUN: ad-opt check %s --engine=interpreter --entry=conv_1d --input=%t.s7.npy --input=%t.k3.npy --input=%t.s5.npy
// RUN: ad-opt check %s --entry=conv_1d --input=%t.s1.npy --input=%t.s1.npy --input=%t.s1.npy
// RUN: ad-opt check %s --entry=conv_1d --input=%t.s2.npy --input=%t.k3.npy --input=%t.s0.npy
// RUN: ad-opt check %s --engine=interpreter --entry=conv_1d --input=%t.s2.npy --input=%t.k3.npy --input=%t.s0.npy
// RUN: ad-opt check %s --entry=conv_1d_gradient --input=%t.s7.npy --input=%t.k3.npy --input=%t.s5.npy
// RUN: ad-opt check %s --entry=conv_2d --input=%t.i.npy --input=%t.w.npy --input=%t.o.npy
// RUN: ad-opt check %s --entry=strided --input=%t.nhwc.npy --input=%t.hwcf.npy
// RUN: ad-opt check %s --engine=interpreter --entry=strided --input=%t.nhwc.npy --input=%t.hwcf.npy
// RUN: ad-opt check %s --entry=strided_gradient --input=%t.nhwc.npy --input=%t.hwcf.npy
// RUN: ad-opt check %s --entry=channels_first --input=%t.nchw.npy --input=%t.fchw.npy
// RUN: ad-opt check %s --entry=depthwise --input=%t.nhwc.npy --input=%t.hwc.npy
// RUN: ad-opt check %s --entry=pooling --input=%t.nhwc.npy
// RUN: ad-opt check %s --engine=interpreter --entry=pooling --input=%t.nhwc.npy

func.func @conv_1d(%x: tensor<?xf64>, %w: tensor<?xf64>, %c: tensor<?xf64>) -> tensor<?xf64> {
  %0 = linalg.conv_1d ins(%x, %w : tensor<?xf64>, tensor<?xf64>) outs(%c : tensor<?xf64>) -> tensor<?xf64>
  return %0 : tensor<?xf64>
}
func.func @conv_1d_gradient(%x: tensor<?xf64>, %w: tensor<?xf64>, %c: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:3 = ad.vjp @conv_1d(%x, %w, %c) seed(%c) {wrt = array<i64: 0, 1>} : (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>)
      -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %r#1, %r#2 : tensor<?xf64>, tensor<?xf64>
}

func.func @conv_2d(%x: tensor<4x5xf64>, %w: tensor<2x3xf64>, %c: tensor<3x3xf64>) -> tensor<3x3xf64> {
  %0 = linalg.conv_2d ins(%x, %w : tensor<4x5xf64>, tensor<2x3xf64>) outs(%c : tensor<3x3xf64>) -> tensor<3x3xf64>
  return %0 : tensor<3x3xf64>
}

// Strides and dilations; some of the image is not read.
func.func @strided(%x: tensor<1x7x6x2xf64>, %w: tensor<3x2x2x3xf64>) -> tensor<1x2x3x3xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<1x2x3x3xf64>
  %c = linalg.fill ins(%zero : f64) outs(%e : tensor<1x2x3x3xf64>) -> tensor<1x2x3x3xf64>
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>, dilations = dense<[2, 1]> : tensor<2xi64>}
      ins(%x, %w : tensor<1x7x6x2xf64>, tensor<3x2x2x3xf64>) outs(%c : tensor<1x2x3x3xf64>) -> tensor<1x2x3x3xf64>
  return %0 : tensor<1x2x3x3xf64>
}
func.func @strided_gradient(%x: tensor<1x7x6x2xf64>, %w: tensor<3x2x2x3xf64>) -> (tensor<1x7x6x2xf64>, tensor<3x2x2x3xf64>) {
  %y = func.call @strided(%x, %w) : (tensor<1x7x6x2xf64>, tensor<3x2x2x3xf64>) -> tensor<1x2x3x3xf64>
  %r:3 = ad.vjp @strided(%x, %w) seed(%y) : (tensor<1x7x6x2xf64>, tensor<3x2x2x3xf64>), (tensor<1x2x3x3xf64>)
      -> (tensor<1x2x3x3xf64>, tensor<1x7x6x2xf64>, tensor<3x2x2x3xf64>)
  return %r#1, %r#2 : tensor<1x7x6x2xf64>, tensor<3x2x2x3xf64>
}

func.func @channels_first(%x: tensor<1x2x7x6xf32>, %w: tensor<3x2x3x2xf32>) -> tensor<1x3x5x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x3x5x5xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<1x3x5x5xf32>) -> tensor<1x3x5x5xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x7x6xf32>, tensor<3x2x3x2xf32>) outs(%c : tensor<1x3x5x5xf32>) -> tensor<1x3x5x5xf32>
  return %0 : tensor<1x3x5x5xf32>
}

func.func @depthwise(%x: tensor<1x7x6x2xf64>, %w: tensor<3x2x2xf64>) -> tensor<1x5x5x2xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<1x5x5x2xf64>
  %c = linalg.fill ins(%zero : f64) outs(%e : tensor<1x5x5x2xf64>) -> tensor<1x5x5x2xf64>
  %0 = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<1x7x6x2xf64>, tensor<3x2x2xf64>) outs(%c : tensor<1x5x5x2xf64>) -> tensor<1x5x5x2xf64>
  return %0 : tensor<1x5x5x2xf64>
}

// The window only gives sizes.
func.func @pooling(%x: tensor<1x7x6x2xf64>) -> tensor<1x3x2x2xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<1x3x2x2xf64>
  %c = linalg.fill ins(%zero : f64) outs(%e : tensor<1x3x2x2xf64>) -> tensor<1x3x2x2xf64>
  %window = tensor.empty() : tensor<3x3xf64>
  %0 = linalg.pooling_nhwc_sum {strides = dense<2> : tensor<2xi64>}
      ins(%x, %window : tensor<1x7x6x2xf64>, tensor<3x3xf64>) outs(%c : tensor<1x3x2x2xf64>) -> tensor<1x3x2x2xf64>
  return %0 : tensor<1x3x2x2xf64>
}
