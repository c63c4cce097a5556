// Derivatives of the matmul family agree with central differences and with each other.
// RUN: %python %S/../../driver/Inputs/npy.py %t.a.npy '<f8' '(2,3)' --vary=1
// RUN: %python %S/../../driver/Inputs/npy.py %t.b.npy '<f8' '(3,4)' --vary=2
// RUN: %python %S/../../driver/Inputs/npy.py %t.bt.npy '<f8' '(4,3)' --vary=2
// RUN: %python %S/../../driver/Inputs/npy.py %t.c.npy '<f8' '(2,4)' --vary=3
// RUN: %python %S/../../driver/Inputs/npy.py %t.q.npy '<f8' '(3,3)' --vary=4
// RUN: %python %S/../../driver/Inputs/npy.py %t.x.npy '<f8' '(3,)' --vary=5
// RUN: %python %S/../../driver/Inputs/npy.py %t.a20.npy '<f8' '(2,0)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.b04.npy '<f8' '(0,4)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.a13.npy '<f8' '(1,3)' --vary=6
// RUN: %python %S/../../driver/Inputs/npy.py %t.b31.npy '<f8' '(3,1)' --vary=7
// RUN: %python %S/../../driver/Inputs/npy.py %t.c11.npy '<f8' '(1,1)' --vary=8
// RUN: %python %S/../../driver/Inputs/npy.py %t.ba.npy '<f8' '(2,2,3)' --vary=9
// RUN: %python %S/../../driver/Inputs/npy.py %t.bb.npy '<f8' '(2,3,4)' --vary=10
// RUN: %python %S/../../driver/Inputs/npy.py %t.bc.npy '<f8' '(2,2,4)' --vary=11
// RUN: %python %S/../../driver/Inputs/npy.py %t.bx.npy '<f8' '(2,3)' --vary=12
// RUN: %python %S/../../driver/Inputs/npy.py %t.af.npy '<f4' '(2,3)' --vary=13
// RUN: %python %S/../../driver/Inputs/npy.py %t.bf.npy '<f4' '(3,4)' --vary=14
// RUN: ad-opt check %s --entry=matmul --input=%t.a.npy --input=%t.b.npy --input=%t.c.npy
// RUN: ad-opt check %s --entry=matmul --input=%t.a20.npy --input=%t.b04.npy --input=%t.c.npy
// RUN: ad-opt check %s --entry=matmul --input=%t.a13.npy --input=%t.b31.npy --input=%t.c11.npy
// RUN: ad-opt check %s --engine=interpreter --entry=matmul --input=%t.a.npy --input=%t.b.npy --input=%t.c.npy
// RUN: ad-opt check %s --engine=interpreter --entry=matmul --input=%t.a20.npy --input=%t.b04.npy --input=%t.c.npy
// RUN: ad-opt check %s --entry=transposed --input=%t.a.npy --input=%t.bt.npy --input=%t.c.npy
// RUN: ad-opt check %s --engine=interpreter --entry=transposed --input=%t.a.npy --input=%t.bt.npy --input=%t.c.npy
// RUN: ad-opt check %s --entry=square --input=%t.q.npy
// RUN: ad-opt check %s --entry=square_gradient --input=%t.q.npy
// RUN: ad-opt check %s --entry=matmul_gradient --input=%t.q.npy --input=%t.q.npy
// RUN: ad-opt check %s --entry=matmul_tangent --input=%t.a.npy --input=%t.b.npy
// RUN: ad-opt check %s --entry=mixed --input=%t.af.npy --input=%t.bf.npy
// RUN: ad-opt check %s --entry=batch --input=%t.ba.npy --input=%t.bb.npy --input=%t.bc.npy
// RUN: ad-opt check %s --engine=interpreter --entry=batch --input=%t.ba.npy --input=%t.bb.npy --input=%t.bc.npy
// RUN: ad-opt check %s --entry=vectors --input=%t.q.npy --input=%t.x.npy
// RUN: ad-opt check %s --engine=interpreter --entry=vectors --input=%t.q.npy --input=%t.x.npy
// RUN: ad-opt check %s --entry=batch_vectors --input=%t.bb.npy --input=%t.bx.npy
// RUN: ad-opt check %s --entry=contract --input=%t.a.npy --input=%t.b.npy --input=%t.c.npy

func.func @matmul(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %c: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf64>, tensor<?x?xf64>) outs(%c : tensor<?x?xf64>) -> tensor<?x?xf64>
  return %0 : tensor<?x?xf64>
}

// The second operand transposed by its indexing map.
func.func @transposed(%a: tensor<2x3xf64>, %b: tensor<4x3xf64>, %c: tensor<2x4xf64>) -> tensor<2x4xf64> {
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<2x3xf64>, tensor<4x3xf64>) outs(%c : tensor<2x4xf64>) -> tensor<2x4xf64>
  return %0 : tensor<2x4xf64>
}

// One operand is used three times, and by another operation.
func.func @square(%a: tensor<3x3xf64>) -> tensor<3x3xf64> {
  %0 = linalg.matmul ins(%a, %a : tensor<3x3xf64>, tensor<3x3xf64>) outs(%a : tensor<3x3xf64>) -> tensor<3x3xf64>
  %1 = arith.mulf %0, %a : tensor<3x3xf64>
  return %1 : tensor<3x3xf64>
}

// Second order, reverse over reverse.
func.func @square_gradient(%a: tensor<3x3xf64>) -> tensor<3x3xf64> {
  %r:2 = ad.vjp @square(%a) seed(%a) : (tensor<3x3xf64>), (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>)
  return %r#1 : tensor<3x3xf64>
}
func.func @matmul_gradient(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %c = linalg.matmul ins(%a, %b : tensor<?x?xf64>, tensor<?x?xf64>) outs(%a : tensor<?x?xf64>) -> tensor<?x?xf64>
  %r:3 = ad.vjp @matmul(%a, %b, %c) seed(%c) {wrt = array<i64: 0, 1>} : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>), (tensor<?x?xf64>)
      -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
  return %r#1, %r#2 : tensor<?x?xf64>, tensor<?x?xf64>
}

// Second order, reverse over forward.
func.func @matmul_tangent(%a: tensor<2x3xf64>, %b: tensor<3x4xf64>) -> tensor<2x4xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<2x4xf64>
  %c = linalg.fill ins(%zero : f64) outs(%e : tensor<2x4xf64>) -> tensor<2x4xf64>
  %r:2 = ad.jvp @static(%a, %b, %c) seed(%a, %b) {wrt = array<i64: 0, 1>} : (tensor<2x3xf64>, tensor<3x4xf64>, tensor<2x4xf64>), (tensor<2x3xf64>, tensor<3x4xf64>)
      -> (tensor<2x4xf64>, tensor<2x4xf64>)
  return %r#1 : tensor<2x4xf64>
}
func.func private @static(%a: tensor<2x3xf64>, %b: tensor<3x4xf64>, %c: tensor<2x4xf64>) -> tensor<2x4xf64> {
  %0 = linalg.matmul ins(%a, %b : tensor<2x3xf64>, tensor<3x4xf64>) outs(%c : tensor<2x4xf64>) -> tensor<2x4xf64>
  return %0 : tensor<2x4xf64>
}

// Narrow factors, a wide sum.
func.func @mixed(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<2x4xf64>
  %c = linalg.fill ins(%zero : f64) outs(%e : tensor<2x4xf64>) -> tensor<2x4xf64>
  %0 = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x4xf32>) outs(%c : tensor<2x4xf64>) -> tensor<2x4xf64>
  return %0 : tensor<2x4xf64>
}

func.func @batch(%a: tensor<?x2x?xf64>, %b: tensor<?x?x4xf64>, %c: tensor<?x2x4xf64>) -> (tensor<?x2x4xf64>, tensor<2x4xf64>) {
  %0 = linalg.batch_matmul ins(%a, %b : tensor<?x2x?xf64>, tensor<?x?x4xf64>) outs(%c : tensor<?x2x4xf64>) -> tensor<?x2x4xf64>
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<2x4xf64>
  %z = linalg.fill ins(%zero : f64) outs(%e : tensor<2x4xf64>) -> tensor<2x4xf64>
  %1 = linalg.batch_reduce_matmul ins(%a, %b : tensor<?x2x?xf64>, tensor<?x?x4xf64>) outs(%z : tensor<2x4xf64>) -> tensor<2x4xf64>
  return %0, %1 : tensor<?x2x4xf64>, tensor<2x4xf64>
}

func.func @vectors(%a: tensor<3x3xf64>, %x: tensor<3xf64>) -> (tensor<3xf64>, tensor<f64>) {
  %0 = linalg.matvec ins(%a, %x : tensor<3x3xf64>, tensor<3xf64>) outs(%x : tensor<3xf64>) -> tensor<3xf64>
  %1 = linalg.vecmat ins(%0, %a : tensor<3xf64>, tensor<3x3xf64>) outs(%x : tensor<3xf64>) -> tensor<3xf64>
  %zero = arith.constant dense<0.0> : tensor<f64>
  %2 = linalg.dot ins(%0, %1 : tensor<3xf64>, tensor<3xf64>) outs(%zero : tensor<f64>) -> tensor<f64>
  return %1, %2 : tensor<3xf64>, tensor<f64>
}

func.func @batch_vectors(%a: tensor<2x3x4xf64>, %x: tensor<2x3xf64>) -> (tensor<2x4xf64>, tensor<2x3xf64>) {
  %zero = arith.constant dense<0.0> : tensor<2x4xf64>
  %0 = linalg.batch_vecmat ins(%x, %a : tensor<2x3xf64>, tensor<2x3x4xf64>) outs(%zero : tensor<2x4xf64>) -> tensor<2x4xf64>
  %1 = linalg.batch_matvec ins(%a, %0 : tensor<2x3x4xf64>, tensor<2x4xf64>) outs(%x : tensor<2x3xf64>) -> tensor<2x3xf64>
  return %0, %1 : tensor<2x4xf64>, tensor<2x3xf64>
}

// Both operands transposed.
func.func @contract(%a: tensor<2x3xf64>, %b: tensor<3x4xf64>, %c: tensor<2x4xf64>) -> tensor<4x2xf64> {
  %e = arith.constant dense<0.5> : tensor<4x2xf64>
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<2x3xf64>, tensor<3x4xf64>) outs(%e : tensor<4x2xf64>) -> tensor<4x2xf64>
  return %0 : tensor<4x2xf64>
}
