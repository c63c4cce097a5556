// The sizes that an array is given were made on the device, where the host read them: the program was stopped.
// RUN: ad-opt run %s --entry=main --input=3 --input=2.5 --target=gpu-emulate | FileCheck %s
// RUN: ad-opt run %s --entry=main --input=0 --input=2.5 --target=gpu-emulate | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %s --entry=inside --input=3 --input=2.5 --target=gpu-emulate | FileCheck %s --check-prefix=INSIDE
// RUN: ad-opt run %s --entry=element --input=3 --input=2.5 --target=gpu-emulate | FileCheck %s --check-prefix=ELEMENT
// CHECK: {{\[\[5.0\],}}
// CHECK-NEXT: [5.0],
// CHECK-NEXT: {{\[5.0\]\]}}
// NONE: [] # shape (0, 1)
func.func @main(%n: index, %v: f64) -> tensor<?x1xf64> {
  %one = arith.constant 1 : index
  %empty = tensor.empty(%n) : tensor<1x?xf64>
  %x = linalg.fill ins(%v : f64) outs(%empty : tensor<1x?xf64>) -> tensor<1x?xf64>
  %sizes = tensor.from_elements %n, %one : tensor<2xindex>
  %y = tensor.reshape %x(%sizes) : (tensor<1x?xf64>, tensor<2xindex>) -> tensor<?x1xf64>
  %z = soac.map ins(%y : tensor<?x1xf64>) (%r: tensor<1xf64>) -> tensor<?x1xf64> {
    %s = soac.map ins(%r : tensor<1xf64>) (%e: f64) -> tensor<1xf64> {
      %u = arith.addf %e, %e : f64
      soac.yield %u : f64
    }
    soac.yield %s : tensor<1xf64>
  }
  return %z : tensor<?x1xf64>
}

// In the body of a map.
// INSIDE: [7.5, 7.5]
func.func @inside(%n: index, %v: f64) -> tensor<2xf64> {
  %one = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %empty = tensor.empty(%n) : tensor<1x?xf64>
  %x = linalg.fill ins(%v : f64) outs(%empty : tensor<1x?xf64>) -> tensor<1x?xf64>
  %is = soac.iota : tensor<2xindex>
  %ys = soac.map ins(%is : tensor<2xindex>) (%i: index) -> tensor<2xf64> {
    %sizes = tensor.from_elements %n, %one : tensor<2xindex>
    %y = tensor.reshape %x(%sizes) : (tensor<1x?xf64>, tensor<2xindex>) -> tensor<?x1xf64>
    %none = tensor.splat %zero : tensor<1xf64>
    %sums = soac.reduce ins(%y : tensor<?x1xf64>) neutral(%none : tensor<1xf64>) (%l: tensor<1xf64>, %r: tensor<1xf64>) {
      %s = arith.addf %l, %r : tensor<1xf64>
      soac.yield %s : tensor<1xf64>
    }
    %c0 = arith.constant 0 : index
    %sum = tensor.extract %sums[%c0] : tensor<1xf64>
    soac.yield %sum : f64
  }
  return %ys : tensor<2xf64>
}

// An element of it that the host reads: what it is an element of is on the device.
// ELEMENT: {{^3.0$}}
func.func @element(%n: index, %v: f64) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %half = arith.constant 0.5 : f64
  %x = tensor.splat %v[%n] : tensor<1x?xf64>
  %sizes = tensor.from_elements %n, %one : tensor<2xindex>
  %y = tensor.reshape %x(%sizes) : (tensor<1x?xf64>, tensor<2xindex>) -> tensor<?x1xf64>
  %z = tensor.extract %y[%two, %zero] : tensor<?x1xf64>
  %sum = arith.addf %z, %half : f64
  return %sum : f64
}
