// RUN: ad-opt %s --ad-optimize | FileCheck %s
//
// The tangent of a hist is a hist over primals and tangents; with + nothing of the
// primal is left when only the tangent is asked for.

func.func @sums(%is: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %h = soac.hist at(%is : tensor<?xindex>) ins(%vs : tensor<?xf64>) into(%dest : tensor<?xf64>)
      neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return %h : tensor<?xf64>
}

// CHECK-LABEL: func.func @jvp_of_sums
// CHECK-SAME:    %[[V_DOT:[a-z0-9]+]]: tensor<?xf64>, %[[D_DOT:[a-z0-9]+]]: tensor<?xf64>)
// CHECK:         %[[H_DOT:.*]] = soac.hist at(%{{.*}}) ins(%[[V_DOT]] : tensor<?xf64>) into(%[[D_DOT]] : tensor<?xf64>)
// CHECK-NOT:     soac.hist
// CHECK:         return %[[H_DOT]]
func.func @jvp_of_sums(%is: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<?xf64>,
    %v_dot: tensor<?xf64>, %d_dot: tensor<?xf64>) -> tensor<?xf64> {
  %y:2 = ad.jvp @sums(%is, %vs, %dest) seed(%v_dot, %d_dot)
      : (tensor<?xindex>, tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>, tensor<?xf64>)
      -> (tensor<?xf64>, tensor<?xf64>)
  return %y#1 : tensor<?xf64>
}
