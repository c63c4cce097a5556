// RUN: ad-opt %s --ad-optimize | FileCheck %s
//
// One hist over primals and tangents, whatever the operator.

func.func @combine(%is: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %h = soac.hist at(%is : tensor<?xindex>) ins(%vs : tensor<?xf64>) into(%dest : tensor<?xf64>)
      neutral(%one : f64) (%l: f64, %r: f64) {
    %p = arith.mulf %l, %r : f64
    soac.yield %p : f64
  }
  return %h : tensor<?xf64>
}

// CHECK-LABEL: func.func @jvp_of_combine
// CHECK:         %[[H:.*]]:2 = soac.hist at(%{{.*}}) ins(%{{.*}}, %{{.*}} : tensor<?xf64>, tensor<?xf64>) into(%{{.*}}, %{{.*}} : tensor<?xf64>, tensor<?xf64>)
// CHECK-SAME:      (%[[L:[a-z0-9]+]]: f64, %[[DL:[a-z0-9]+]]: f64, %[[R:[a-z0-9]+]]: f64, %[[DR:[a-z0-9]+]]: f64) {
// CHECK-DAG:       %[[P:.*]] = arith.mulf %[[L]], %[[R]]
// CHECK-DAG:       arith.mulf %[[DL]], %[[R]]
// CHECK-DAG:       arith.mulf %[[DR]], %[[L]]
// CHECK:           soac.yield %[[P]], %{{.*}}
// CHECK:         return %[[H]]#1
func.func @jvp_of_combine(%is: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<?xf64>,
    %v_dot: tensor<?xf64>, %d_dot: tensor<?xf64>) -> tensor<?xf64> {
  %y:2 = ad.jvp @combine(%is, %vs, %dest) seed(%v_dot, %d_dot)
      : (tensor<?xindex>, tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>, tensor<?xf64>)
      -> (tensor<?xf64>, tensor<?xf64>)
  return %y#1 : tensor<?xf64>
}
