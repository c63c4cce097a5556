// RUN: ad-opt %s --ad-optimize | FileCheck %s
//
// The forward sweep finds the number of the value that each bin holds; that value gets
// the cotangent, and the destination where no value has won [F32].

func.func @combine(%is: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<?xf64>) -> tensor<?xf64> {
  %e = arith.constant 0x7FF0000000000000 : f64
  %h = soac.hist at(%is : tensor<?xindex>) ins(%vs : tensor<?xf64>) into(%dest : tensor<?xf64>)
      neutral(%e : f64) (%l: f64, %r: f64) {
    %s = arith.minimumf %l, %r : f64
    soac.yield %s : f64
  }
  return %h : tensor<?xf64>
}

// CHECK-LABEL: func.func @vjp_of_combine
// CHECK-SAME:    %[[IS:[a-z0-9]+]]: tensor<?xindex>, %[[VS:[a-z0-9]+]]: tensor<?xf64>, %[[D:[a-z0-9]+]]: tensor<?xf64>, %[[H_BAR:[a-z0-9]+]]: tensor<?xf64>)
// CHECK:         %[[NONE:.*]] = soac.scatter at(%[[IS]] : tensor<?xindex>)
// CHECK:         %[[H:.*]]:2 = soac.hist at(%[[IS]] : tensor<?xindex>) ins(%[[VS]], %{{.*}} : tensor<?xf64>, tensor<?xindex>) into(%[[D]], %[[NONE]]
// CHECK:           arith.minimumf
// CHECK:           arith.select
// CHECK-NOT:     soac.hist
// CHECK:         %[[V_BAR:.*]] = soac.map ins(%[[IS]]
// CHECK:             tensor.extract %[[H]]#1
// CHECK:             tensor.extract %[[H_BAR]]
// CHECK:         %[[D_BAR:.*]] = soac.scatter {{.*}} into(%[[H_BAR]] : tensor<?xf64>)
// CHECK:         return %[[V_BAR]], %[[D_BAR]]
func.func @vjp_of_combine(%is: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<?xf64>,
    %h_bar: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %y:3 = ad.vjp @combine(%is, %vs, %dest) seed(%h_bar)
      : (tensor<?xindex>, tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>)
      -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %y#1, %y#2 : tensor<?xf64>, tensor<?xf64>
}
