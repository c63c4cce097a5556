// What was padded was inserted beside its place where the insertion leaves out elements: upstream's canonicalisation moves the
// insertion by the padding, not by as many steps.
// RUN: %python %S/../driver/Inputs/npy.py %t.npy '<f8' '(3,)' 1 2 3
// RUN: ad-opt run %s --entry=dilate --input=%t.npy | FileCheck %s
// RUN: ad-opt run %s --entry=dilate --input=%t.npy --target=gpu-emulate | FileCheck %s
// RUN: ad-opt check %s --entry=dilate --input=%t.npy

// CHECK: [0.5, 0.5, 1.0, 0.5, 2.0, 0.5, 3.0, 0.5, 0.5, 0.5, 0.5]
func.func @dilate(%x: tensor<3xf64>) -> tensor<11xf64> {
  %p = arith.constant 0.5 : f64
  %padded = tensor.pad %x low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %p : f64
  } : tensor<3xf64> to tensor<6xf64>
  %empty = tensor.empty() : tensor<11xf64>
  %filled = linalg.fill ins(%p : f64) outs(%empty : tensor<11xf64>) -> tensor<11xf64>
  %r = tensor.insert_slice %padded into %filled[0] [6] [2] : tensor<6xf64> into tensor<11xf64>
  return %r : tensor<11xf64>
}
