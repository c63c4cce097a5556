// RUN: ad-opt %s --ad-optimize | FileCheck %s
//
// The values get the cotangents at their indices, the array the other ones [F38].

func.func @update(%is: tensor<?xindex>, %vs: tensor<?xf64>, %xs: tensor<?xf64>) -> tensor<?xf64> {
  %ys = soac.scatter at(%is : tensor<?xindex>) ins(%vs : tensor<?xf64>) into(%xs : tensor<?xf64>)
  return %ys : tensor<?xf64>
}

// Of several values for one index the last one counts [F40].
// CHECK-LABEL: func.func @vjp_of_update
// CHECK-SAME:    %[[IS:[a-z0-9]+]]: tensor<?xindex>, %{{.*}}, %[[Y_BAR:[a-z0-9]+]]: tensor<?xf64>)
// CHECK:         %[[SCRATCH:.*]] = tensor.empty
// CHECK:         %[[NUMBERS:.*]] = soac.iota
// CHECK:         %[[LAST:.*]] = soac.scatter at(%[[IS]] : tensor<?xindex>) ins(%[[NUMBERS]] : tensor<?xi64>) into(%[[SCRATCH]]
// CHECK:         %[[V_BAR:.*]] = soac.map ins(%[[IS]], %[[NUMBERS]] : tensor<?xindex>, tensor<?xi64>) (%[[I:.*]]: index, %[[K:.*]]: i64)
// CHECK:           scf.if
// CHECK:             %[[WHO:.*]] = tensor.extract %[[LAST]][%[[I]]]
// CHECK:             %[[WON:.*]] = arith.cmpi eq, %[[WHO]], %[[K]]
// CHECK:             %[[BAR:.*]] = tensor.extract %[[Y_BAR]][%[[I]]]
// CHECK:             arith.select %[[WON]], %[[BAR]]
// CHECK:         %[[ZEROS:.*]] = soac.replicate
// CHECK:         %[[X_BAR:.*]] = soac.scatter at(%[[IS]] : tensor<?xindex>) ins(%[[ZEROS]] : tensor<?xf64>) into(%[[Y_BAR]] : tensor<?xf64>)
// CHECK:         return %[[V_BAR]], %[[X_BAR]]
func.func @vjp_of_update(%is: tensor<?xindex>, %vs: tensor<?xf64>, %xs: tensor<?xf64>,
    %y_bar: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %y:3 = ad.vjp @update(%is, %vs, %xs) seed(%y_bar)
      : (tensor<?xindex>, tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>)
      -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %y#1, %y#2 : tensor<?xf64>, tensor<?xf64>
}

func.func @prefix(%n: index, %vs: tensor<?xf64>, %xs: tensor<?xf64>) -> tensor<?xf64> {
  %is = soac.iota %n : tensor<?xindex>
  %ys = soac.scatter at(%is : tensor<?xindex>) ins(%vs : tensor<?xf64>) into(%xs : tensor<?xf64>)
  return %ys : tensor<?xf64>
}

// Without duplicates nobody asks who was last.
// CHECK-LABEL: func.func @vjp_of_prefix
// CHECK-NOT:     soac.scatter
// CHECK:         soac.map
// CHECK-NOT:     arith.select
// CHECK:         soac.scatter
// CHECK-NOT:     soac.{{[^y]}}
// CHECK:         return
func.func @vjp_of_prefix(%n: index, %vs: tensor<?xf64>, %xs: tensor<?xf64>, %y_bar: tensor<?xf64>)
    -> (tensor<?xf64>, tensor<?xf64>) {
  %y:3 = ad.vjp @prefix(%n, %vs, %xs) seed(%y_bar)
      : (index, tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>)
      -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %y#1, %y#2 : tensor<?xf64>, tensor<?xf64>
}
