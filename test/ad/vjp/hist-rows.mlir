// RUN: ad-opt %s --ad-optimize | FileCheck %s
//
// A histogram of rows with an elementwise operator is one of scalars with two indices;
// the destination stays as it is [F32].

func.func @combine(%is: tensor<?xindex>, %vs: tensor<?x3xf64>, %dest: tensor<4x3xf64>) -> tensor<4x3xf64> {
  %e = arith.constant dense<0x7FF0000000000000> : tensor<3xf64>
  %h = soac.hist at(%is : tensor<?xindex>) ins(%vs : tensor<?x3xf64>) into(%dest : tensor<4x3xf64>)
      neutral(%e : tensor<3xf64>) (%l: tensor<3xf64>, %r: tensor<3xf64>) {
    %s = arith.minimumf %l, %r : tensor<3xf64>
    soac.yield %s : tensor<3xf64>
  }
  return %h : tensor<4x3xf64>
}

// CHECK-LABEL: func.func @vjp_of_rows
// CHECK:         %[[FLAT:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0, 1]] : tensor<?x3xf64> into tensor<?xf64>
// CHECK:         %[[AT:.*]]:2 = soac.map
// CHECK:           arith.divui
// CHECK:           arith.remui
// CHECK:         soac.hist at(%[[AT]]#0, %[[AT]]#1 : tensor<?xindex>, tensor<?xindex>) ins(%[[FLAT]], %{{.*}}) into(%{{.*}} : tensor<4x3xf64>, tensor<4x3xindex>)
// CHECK-NOT:     soac.hist
// CHECK:         tensor.expand_shape
func.func @vjp_of_rows(%is: tensor<?xindex>, %vs: tensor<?x3xf64>, %dest: tensor<4x3xf64>,
    %h_bar: tensor<4x3xf64>) -> (tensor<?x3xf64>, tensor<4x3xf64>) {
  %y:3 = ad.vjp @combine(%is, %vs, %dest) seed(%h_bar)
      : (tensor<?xindex>, tensor<?x3xf64>, tensor<4x3xf64>), (tensor<4x3xf64>)
      -> (tensor<4x3xf64>, tensor<?x3xf64>, tensor<4x3xf64>)
  return %y#1, %y#2 : tensor<?x3xf64>, tensor<4x3xf64>
}
