// Padding and concatenation of nothing: upstream's verifiers refuse the empty slices behind the
// end of an array of static size that bufferization makes of them.
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<f8' '(0,)'
// RUN: ad-opt run %s --entry=padded --input=%t.none.npy | FileCheck %s --check-prefix=PADDED
// RUN: ad-opt run %s --entry=sorted --input=%t.none.npy | FileCheck %s --check-prefix=SORTED
// RUN: ad-opt %s --ad-bufferize | FileCheck %s

// PADDED: [7.0]
// SORTED: [0.0, 0.0]
// CHECK-LABEL: func.func @padded(
// CHECK-NOT:     memref.subview
// CHECK:         return

func.func @padded(%x: tensor<?xf64>) -> tensor<1xf64> {
  %seven = arith.constant 7.0 : f64
  %p = tensor.pad %x low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %seven : f64
  } : tensor<?xf64> to tensor<1xf64>
  return %p : tensor<1xf64>
}

// The derivative of a histogram of any operator sorts by bin and takes the part in range.
func.func @hist(%x: tensor<0xf64>, %y: tensor<2xf64>) -> tensor<2xf64> {
  %one = arith.constant 1.0 : f64
  %at = arith.constant dense<> : tensor<0xindex>
  %h = soac.hist at(%at : tensor<0xindex>) ins(%x : tensor<0xf64>) into(%y : tensor<2xf64>) neutral(%one : f64) (%a: f64, %b: f64) {
    %c = math.sin %a : f64
    %d = arith.mulf %c, %b : f64
    soac.yield %d : f64
  }
  return %h : tensor<2xf64>
}

func.func @sorted(%x: tensor<?xf64>) -> tensor<2xf64> {
  %none = tensor.cast %x : tensor<?xf64> to tensor<0xf64>
  %y = arith.constant dense<1.0> : tensor<2xf64>
  %seed = arith.constant dense<0.0> : tensor<2xf64>
  %h, %x_bar, %y_bar = ad.vjp @hist(%none, %y) seed(%seed)
      : (tensor<0xf64>, tensor<2xf64>), (tensor<2xf64>)
      -> (tensor<2xf64>, tensor<0xf64>, tensor<2xf64>)
  return %y_bar : tensor<2xf64>
}
