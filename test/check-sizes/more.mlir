// Arrays that are indexed alike, what a cast says of a size, and the other dimensions of what is joined: each was believed, and
// memory behind an array was written or read.
// RUN: ad-opt %s --ad-check-sizes --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @scatter(
// CHECK: cf.assert %{{.*}}, "sizes do not match: dimension 0 of argument 3 and dimension 0 of argument 4 have to be equal"
// CHECK: soac.scatter
func.func @scatter(%i: tensor<?xindex>, %v: tensor<?xf64>, %w: tensor<?xf64>, %a: tensor<?xf64>, %b: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:2 = soac.scatter at(%i : tensor<?xindex>) ins(%v, %w : tensor<?xf64>, tensor<?xf64>) into(%a, %b : tensor<?xf64>, tensor<?xf64>)
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}

// -----

// CHECK-LABEL: func.func @cast(
// CHECK: cf.assert %{{.*}}, "sizes do not match: dimension 0 of argument 0 and 3 have to be equal"
// CHECK: tensor.cast
// CHECK-NOT: cf.assert
// CHECK: return
func.func @cast(%x: tensor<?x?xf64>) -> tensor<3x?xf64> {
  %r = tensor.cast %x : tensor<?x?xf64> to tensor<3x?xf64>
  return %r : tensor<3x?xf64>
}

// -----

// A cast that forgets a size is not asked about.
// CHECK-LABEL: func.func @forget(
// CHECK-NOT: cf.assert
func.func @forget(%x: tensor<3xf64>) -> tensor<?xf64> {
  %r = tensor.cast %x : tensor<3xf64> to tensor<?xf64>
  return %r : tensor<?xf64>
}

// -----

// CHECK-LABEL: func.func @concat(
// CHECK-NOT: dimension 0
// CHECK: cf.assert %{{.*}}, "sizes do not match: dimension 1 of argument 0 and dimension 1 of argument 1 have to be equal"
// CHECK-NOT: dimension 0
// CHECK: tensor.concat
func.func @concat(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %r = tensor.concat dim(0) %a, %b : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}

// -----

// CHECK-LABEL: func.func @softmax(
// CHECK: cf.assert %{{.*}}, "sizes do not match: dimension 0 of argument 0 and dimension 0 of argument 1 have to be equal"
// CHECK: linalg.softmax
func.func @softmax(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %r = linalg.softmax dimension(0) ins(%x : tensor<?xf64>) outs(%y : tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}
