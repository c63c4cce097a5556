// Derivatives of linalg softmax, pack and unpack agree with central differences and with each other.
// RUN: %python %S/../../driver/Inputs/npy.py %t.a.npy '<f8' '(2,3)' --vary=1
// RUN: %python %S/../../driver/Inputs/npy.py %t.af.npy '<f4' '(2,3)' --vary=1
// RUN: %python %S/../../driver/Inputs/npy.py %t.z.npy '<f8' '(0,3)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.n.npy '<f8' '(2,0)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.o.npy '<f8' '(1,1)' 0.4
// RUN: %python %S/../../driver/Inputs/npy.py %t.p.npy '<f8' '(4,6)' --vary=2
// RUN: %python %S/../../driver/Inputs/npy.py %t.q.npy '<f8' '(5,6)' --vary=3
// RUN: ad-opt check %s --entry=softmax --input=%t.a.npy
// RUN: ad-opt check %s --engine=interpreter --entry=softmax --input=%t.a.npy
// RUN: ad-opt check %s --entry=softmax --input=%t.z.npy
// RUN: ad-opt check %s --entry=softmax --input=%t.n.npy
// RUN: ad-opt check %s --entry=softmax --input=%t.o.npy
// RUN: ad-opt check %s --entry=softmax_gradient --input=%t.a.npy
// RUN: ad-opt check %s --entry=softmax_f32 --input=%t.af.npy
// RUN: ad-opt check %s --entry=pack --input=%t.p.npy
// RUN: ad-opt check %s --engine=interpreter --entry=pack --input=%t.p.npy
// RUN: ad-opt check %s --entry=padded --input=%t.q.npy --input=0.5
// RUN: ad-opt check %s --engine=interpreter --entry=padded --input=%t.q.npy --input=0.5
// RUN: ad-opt check %s --entry=round_trip --input=%t.q.npy
// RUN: ad-opt check %s --engine=interpreter --entry=round_trip --input=%t.q.npy

func.func @softmax(%x: tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %0 = linalg.softmax dimension(1) ins(%x : tensor<?x?xf64>) outs(%x : tensor<?x?xf64>) -> tensor<?x?xf64>
  %1 = linalg.softmax dimension(0) ins(%0 : tensor<?x?xf64>) outs(%x : tensor<?x?xf64>) -> tensor<?x?xf64>
  return %0, %1 : tensor<?x?xf64>, tensor<?x?xf64>
}
func.func @softmax_gradient(%x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %r:3 = ad.vjp @softmax(%x) seed(%x, %x) : (tensor<?x?xf64>), (tensor<?x?xf64>, tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
  return %r#2 : tensor<?x?xf64>
}
func.func @softmax_f32(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = linalg.softmax dimension(1) ins(%x : tensor<2x3xf32>) outs(%x : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

func.func @pack(%x: tensor<4x6xf64>) -> tensor<3x2x2x2xf64> {
  %e = tensor.empty() : tensor<3x2x2x2xf64>
  %0 = linalg.pack %x outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %e : tensor<4x6xf64> -> tensor<3x2x2x2xf64>
  %1 = arith.mulf %0, %0 : tensor<3x2x2x2xf64>
  return %1 : tensor<3x2x2x2xf64>
}

func.func @padded(%x: tensor<?x6xf64>, %padding: f64) -> tensor<?x6x4xf64> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %x, %c0 : tensor<?x6xf64>
  %tiles = arith.ceildivui %n, %c4 : index
  %e = tensor.empty(%tiles) : tensor<?x6x4xf64>
  %0 = linalg.pack %x padding_value(%padding : f64) inner_dims_pos = [0] inner_tiles = [4] into %e : tensor<?x6xf64> -> tensor<?x6x4xf64>
  %1 = arith.mulf %0, %0 : tensor<?x6x4xf64>
  return %1 : tensor<?x6x4xf64>
}

func.func @round_trip(%x: tensor<5x6xf64>) -> tensor<5x6xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<3x2x2x3xf64>
  %d = tensor.empty() : tensor<5x6xf64>
  %0 = linalg.pack %x padding_value(%zero : f64) inner_dims_pos = [0, 1] inner_tiles = [2, 3] into %e : tensor<5x6xf64> -> tensor<3x2x2x3xf64>
  %1 = math.sin %0 : tensor<3x2x2x3xf64>
  %2 = linalg.unpack %1 inner_dims_pos = [0, 1] inner_tiles = [2, 3] into %d : tensor<3x2x2x3xf64> -> tensor<5x6xf64>
  return %2 : tensor<5x6xf64>
}
