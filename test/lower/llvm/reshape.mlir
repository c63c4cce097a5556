// What is reshaped has another shape than the result, so it is not computed in the result's place.
// RUN: ad-opt %s --ad-bufferize | FileCheck %s
// RUN: %python %S/../../driver/Inputs/npy.py %t.npy '<f8' '(2,)' 1.5 2.5
// RUN: ad-opt run %s --entry=rows --input=%t.npy --input=1 --input=3 | FileCheck %s --check-prefix=VALUES

// VALUES: {{\[\[\[}}1.5],
// VALUES: [1.5],
// VALUES: [1.5]],
// VALUES: {{\[\[}}2.5],

// CHECK-LABEL: func.func @rows
// CHECK-SAME: %[[N:[a-z0-9]+]]: index, %[[M:[a-z0-9]+]]: index
// CHECK: %[[OWN:[a-zA-Z0-9_]+]] = memref.alloc(%[[N]], %[[M]])
// CHECK: %[[LIST:[a-zA-Z0-9_]+]] = memref.collapse_shape %[[OWN]]
// CHECK: memref.reshape %[[LIST]]
func.func @rows(%x: tensor<?xf64>, %n: index, %m: index) -> tensor<?x?x?xf64> {
  %shape = tensor.from_elements %m, %n : tensor<2xindex>
  %r = soac.map ins(%x : tensor<?xf64>) (%v: f64) -> tensor<?x?x?xf64> {
    %wide = tensor.splat %v[%n, %m] : tensor<?x?xf64>
    %tall = tensor.reshape %wide(%shape) : (tensor<?x?xf64>, tensor<2xindex>) -> tensor<?x?xf64>
    soac.yield %tall : tensor<?x?xf64>
  }
  return %r : tensor<?x?x?xf64>
}

// Sizes that are known are the same.
// CHECK-LABEL: func.func @static
// CHECK-NOT: collapse_shape
// CHECK: return
func.func @static(%x: tensor<2x3xf64>, %shape: tensor<2xindex>) -> tensor<2x3xf64> {
  %r = tensor.reshape %x(%shape) : (tensor<2x3xf64>, tensor<2xindex>) -> tensor<2x3xf64>
  return %r : tensor<2x3xf64>
}
