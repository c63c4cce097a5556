// RUN: ad-opt %s --ad-optimize | FileCheck %s
//
// The cotangent of a value is that of its bin, or zero; the destination gets that of
// the bins as it is [F32].

func.func @sums(%is: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %h = soac.hist at(%is : tensor<?xindex>) ins(%vs : tensor<?xf64>) into(%dest : tensor<?xf64>)
      neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return %h : tensor<?xf64>
}

// CHECK-LABEL: func.func @vjp_of_sums
// CHECK-SAME:    %[[IS:[a-z0-9]+]]: tensor<?xindex>, %{{.*}}, %[[H_BAR:[a-z0-9]+]]: tensor<?xf64>)
// CHECK-NOT:     soac.hist
// CHECK:         %[[V_BAR:.*]] = soac.map ins(%[[IS]] : tensor<?xindex>) (%[[I:.*]]: index)
// CHECK:           %[[INSIDE:.*]] = arith.cmpi ult, %[[I]]
// CHECK:           scf.if %[[INSIDE]] -> (f64) {
// CHECK-NEXT:        tensor.extract %[[H_BAR]][%[[I]]]
// CHECK-NOT:     soac.{{[^y]}}
// CHECK:         return %[[V_BAR]], %[[H_BAR]]
func.func @vjp_of_sums(%is: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<?xf64>,
    %h_bar: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %y:3 = ad.vjp @sums(%is, %vs, %dest) seed(%h_bar)
      : (tensor<?xindex>, tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>)
      -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %y#1, %y#2 : tensor<?xf64>, tensor<?xf64>
}
