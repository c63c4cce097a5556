// RUN: ad-opt %s --ad-optimize | FileCheck %s
//
// Primals and tangents are scattered at once [FP11].

func.func @update(%is: tensor<?xindex>, %vs: tensor<?xf64>, %xs: tensor<?xf64>) -> tensor<?xf64> {
  %ys = soac.scatter at(%is : tensor<?xindex>) ins(%vs : tensor<?xf64>) into(%xs : tensor<?xf64>)
  return %ys : tensor<?xf64>
}

// CHECK-LABEL: func.func @jvp_of_update
// CHECK-SAME:    %[[VS:[a-z0-9]+]]: tensor<?xf64>, %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[V_DOT:[a-z0-9]+]]: tensor<?xf64>, %[[X_DOT:[a-z0-9]+]]: tensor<?xf64>)
// CHECK:         %[[Y:.*]]:2 = soac.scatter at(%{{.*}}) ins(%[[VS]], %[[V_DOT]] : tensor<?xf64>, tensor<?xf64>) into(%[[XS]], %[[X_DOT]] : tensor<?xf64>, tensor<?xf64>)
// CHECK:         return %[[Y]]#0, %[[Y]]#1
func.func @jvp_of_update(%is: tensor<?xindex>, %vs: tensor<?xf64>, %xs: tensor<?xf64>,
    %v_dot: tensor<?xf64>, %x_dot: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %y:2 = ad.jvp @update(%is, %vs, %xs) seed(%v_dot, %x_dot)
      : (tensor<?xindex>, tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>, tensor<?xf64>)
      -> (tensor<?xf64>, tensor<?xf64>)
  return %y#0, %y#1 : tensor<?xf64>, tensor<?xf64>
}

// CHECK-LABEL: func.func @tangent_of_values
// CHECK:         linalg.fill
func.func @tangent_of_values(%is: tensor<?xindex>, %vs: tensor<?xf64>, %xs: tensor<?xf64>,
    %v_dot: tensor<?xf64>) -> tensor<?xf64> {
  %y:2 = ad.jvp @update(%is, %vs, %xs) seed(%v_dot) {wrt = array<i64: 1>}
      : (tensor<?xindex>, tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>)
      -> (tensor<?xf64>, tensor<?xf64>)
  return %y#1 : tensor<?xf64>
}
