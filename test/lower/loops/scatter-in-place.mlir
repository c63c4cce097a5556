// The derivative of a chain of scatters copies no array [F39].
// RUN: ad-opt %s --ad-bufferize | FileCheck %s

func.func @f(%is: tensor<?xindex>, %vs: tensor<?xf64>, %n: index, %times: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %empty = tensor.empty(%n) : tensor<?xf64>
  %xs = linalg.fill ins(%zero : f64) outs(%empty : tensor<?xf64>) -> tensor<?xf64>
  %ys = scf.for %t = %c0 to %times step %c1 iter_args(%ys = %xs) -> tensor<?xf64> {
    %ws = soac.map ins(%vs : tensor<?xf64>) (%v: f64) -> tensor<?xf64> {
      %w = math.sin %v : f64
      soac.yield %w : f64
    }
    %zs = soac.scatter at(%is : tensor<?xindex>) ins(%ws : tensor<?xf64>) into(%ys : tensor<?xf64>)
    scf.yield %zs : tensor<?xf64>
  }
  %us = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %u = tensor.extract %ys[%i] : tensor<?xf64>
    soac.yield %u : f64
  }
  %s = soac.reduce ins(%us : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %0 = arith.addf %l, %r : f64
    soac.yield %0 : f64
  }
  return %s : f64
}
// CHECK-LABEL: func.func @grad(
// CHECK-NOT:   memref.copy
// CHECK:       return
func.func @grad(%is: tensor<?xindex>, %vs: tensor<?xf64>, %n: index, %times: index) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @f(%is, %vs, %n, %times) seed(%one)
      : (tensor<?xindex>, tensor<?xf64>, index, index), (f64) -> (f64, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
