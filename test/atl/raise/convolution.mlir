// Convolutions in one and two dimensions, with strides and dilations: places are sums of two indices,
// and the adjoint is again sums of what it needs only (T06, T09).
// RUN: ad-opt %s --raise-to-atl --canonicalize --cse -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not='= linalg.' --implicit-check-not=tensor.pad
// RUN: ad-opt %t.mlir --ad-differentiate --canonicalize | FileCheck %s --check-prefix=ADJOINT
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir plain n+k-1 'k>1' 'n>1'
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir padded 'n>1'
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir dilated 1,n+9,3*m+8,2 3,3,2,2 1,'(n+4)//2+1',m+2,2
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir pooled 1,n+1,m+1,2

// CHECK-LABEL: func.func @plain(
// CHECK: atl.gen (%[[I:.*]] in
// CHECK-NEXT: atl.sum (%[[J:.*]] in
// CHECK-NEXT: atl.access %{{.*}}[%[[I]] + %[[J]]]
// CHECK-NEXT: atl.access %{{.*}}[%[[J]]]
func.func @plain(%x: tensor<?xf64>, %c: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %r = linalg.conv_1d ins(%x, %c : tensor<?xf64>, tensor<?xf64>) outs(%y : tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// The sum of squares of a convolution of what is padded: what is zero around it is read by nobody.
// CHECK-LABEL: func.func @padded(
// CHECK: atl.bracket
// ADJOINT-LABEL: func.func private @padded.vjp_0(
// ADJOINT-NOT: soac.
// ADJOINT-NOT: tensor.insert
// ADJOINT: return
func.func @padded(%x: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %around = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f64
  } : tensor<?xf64> to tensor<?xf64>
  %c = arith.constant dense<[1.0, -2.0, 1.0]> : tensor<3xf64>
  %empty = tensor.empty(%n) : tensor<?xf64>
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : tensor<?xf64>) -> tensor<?xf64>
  %y = linalg.conv_1d ins(%around, %c : tensor<?xf64>, tensor<3xf64>) outs(%zeros : tensor<?xf64>) -> tensor<?xf64>
  %start = tensor.empty() : tensor<f64>
  %start0 = linalg.fill ins(%zero : f64) outs(%start : tensor<f64>) -> tensor<f64>
  %s = linalg.dot ins(%y, %y : tensor<?xf64>, tensor<?xf64>) outs(%start0 : tensor<f64>) -> tensor<f64>
  %r = tensor.extract %s[] : tensor<f64>
  return %r : f64
}
func.func @gradient(%x: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @padded(%x) seed(%one) : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %x_bar : tensor<?xf64>
}

// CHECK-LABEL: func.func @dilated(
// CHECK: atl.gen (%[[N:.*]] in %{{.*}}, %[[H:.*]] in %{{.*}}, %[[W:.*]] in %{{.*}}, %[[F:.*]] in %{{.*}})
// CHECK-NEXT: atl.sum (%[[R:.*]] in %{{.*}}, %[[S:.*]] in %{{.*}}, %[[C:.*]] in %{{.*}}) -> f64 {
// CHECK-NEXT: atl.access %{{.*}}[%[[N]], %[[H]] * 2 + %[[R]] * 2, %[[W]] * 3 + %[[S]], %[[C]]]
func.func @dilated(%x: tensor<1x?x?x2xf64>, %c: tensor<3x3x2x2xf64>, %y: tensor<1x?x?x2xf64>) -> tensor<1x?x?x2xf64> {
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 3]> : tensor<2xi64>, dilations = dense<[2, 1]> : tensor<2xi64>}
      ins(%x, %c : tensor<1x?x?x2xf64>, tensor<3x3x2x2xf64>) outs(%y : tensor<1x?x?x2xf64>) -> tensor<1x?x?x2xf64>
  return %r : tensor<1x?x?x2xf64>
}

// A window of which only the size matters.
// CHECK-LABEL: func.func @pooled(
// CHECK: atl.sum (%{{.*}} in %c2, %{{.*}} in %c2) -> f64 {
func.func @pooled(%x: tensor<1x?x?x2xf64>) -> tensor<1x?x?x2xf64> {
  %zero = arith.constant 0.0 : f64
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %h1 = tensor.dim %x, %c1 : tensor<1x?x?x2xf64>
  %w1 = tensor.dim %x, %c2 : tensor<1x?x?x2xf64>
  %h = arith.subi %h1, %c1 : index
  %w = arith.subi %w1, %c1 : index
  %window = tensor.empty() : tensor<2x2xf64>
  %empty = tensor.empty(%h, %w) : tensor<1x?x?x2xf64>
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : tensor<1x?x?x2xf64>) -> tensor<1x?x?x2xf64>
  %r = linalg.pooling_nhwc_sum {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %window : tensor<1x?x?x2xf64>, tensor<2x2xf64>) outs(%zeros : tensor<1x?x?x2xf64>) -> tensor<1x?x?x2xf64>
  return %r : tensor<1x?x?x2xf64>
}
