// RUN: ad-opt %s --ad-optimize | FileCheck %s
//
// A stable sort by bin, a segmented scan in each direction, and a map; then back to
// where the values came from [F33].

func.func @combine(%is: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %h = soac.hist at(%is : tensor<?xindex>) ins(%vs : tensor<?xf64>) into(%dest : tensor<?xf64>)
      neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    %p = arith.mulf %l, %r : f64
    %t = arith.addf %s, %p : f64
    soac.yield %t : f64
  }
  return %h : tensor<?xf64>
}

// CHECK-LABEL: func.func @vjp_of_combine
// CHECK-SAME:    %[[IS:[a-z0-9]+]]: tensor<?xindex>, %[[VS:[a-z0-9]+]]: tensor<?xf64>, %{{.*}}, %[[H_BAR:[a-z0-9]+]]: tensor<?xf64>)
// CHECK-NOT:     soac.hist
// The number of bits of the last bin is the number of passes.
// CHECK:         math.ctlz
// CHECK:         %[[SORTED:.*]]:2 = scf.for
// CHECK:           soac.scan
// CHECK:           soac.scatter at(%{{.*}}) ins(%{{.*}}, %{{.*}} : tensor<?xindex>, tensor<?xindex>)
// CHECK:         %[[BINS:.*]] = tensor.extract_slice %[[SORTED]]#0
// CHECK:         %[[ORDER:.*]] = tensor.extract_slice %[[SORTED]]#1
// CHECK:         %[[L:.*]]:2 = soac.scan ins(%{{.*}}, %{{.*}} : tensor<?xi1>, tensor<?xf64>)
// CHECK:           arith.ori
// CHECK:           scf.if
// CHECK:         %[[R:.*]]:2 = soac.scan ins(%{{.*}}, %{{.*}} : tensor<?xi1>, tensor<?xf64>)
// CHECK-SAME:      attributes {reverse}
// CHECK:         %[[BARS:.*]]:2 = soac.map ins(%[[ORDER]], %[[L]]#1, %[[R]]#1
// CHECK:         soac.scatter at(%[[ORDER]] : tensor<?xindex>) ins(%[[BARS]]#1 : tensor<?xf64>)
// CHECK:         soac.scatter at(%{{.*}}) ins(%[[BARS]]#0 : tensor<?xf64>) into(%[[H_BAR]] : tensor<?xf64>)
func.func @vjp_of_combine(%is: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<?xf64>,
    %h_bar: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %y:3 = ad.vjp @combine(%is, %vs, %dest) seed(%h_bar)
      : (tensor<?xindex>, tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>)
      -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %y#1, %y#2 : tensor<?xf64>, tensor<?xf64>
}
