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

// Into bins filled with one number, no value has won when all bins are filled; nothing is scattered to
// find that out. Then only bins are visited: each value that has won gets the cotangent of its bin.
// CHECK-LABEL: func.func @vjp_of_largest
// CHECK-SAME:    %[[IS:[a-z0-9]+]]: tensor<?xindex>, %[[VS:[a-z0-9]+]]: tensor<?xf64>, %{{.*}}: index, %[[H_BAR:[a-z0-9]+]]: tensor<?xf64>)
// CHECK-NOT:     soac.scatter
// CHECK:         %[[NONE:.*]] = linalg.fill ins(%c-1
// CHECK:         %[[H:.*]]:2 = soac.hist {{.*}} into(%{{.*}}, %[[NONE]]
// CHECK-NOT:     soac.map
// CHECK:         %[[ZEROS:.*]] = linalg.fill
// CHECK:         %[[V_BAR:.*]] = soac.scatter at(%[[H]]#1 : tensor<?xindex>) ins(%[[H_BAR]] : tensor<?xf64>) into(%[[ZEROS]] : tensor<?xf64>)
// CHECK-NEXT:    return %[[V_BAR]]
func.func @largest(%is: tensor<?xindex>, %vs: tensor<?xf64>, %m: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %least = arith.constant 0xFFF0000000000000 : f64
  %bins = tensor.splat %zero[%m] : tensor<?xf64>
  %h = soac.hist at(%is : tensor<?xindex>) ins(%vs : tensor<?xf64>) into(%bins : tensor<?xf64>)
      neutral(%least : f64) (%l: f64, %r: f64) {
    %s = arith.maximumf %l, %r : f64
    soac.yield %s : f64
  }
  return %h : tensor<?xf64>
}
func.func @vjp_of_largest(%is: tensor<?xindex>, %vs: tensor<?xf64>, %m: index, %h_bar: tensor<?xf64>) -> tensor<?xf64> {
  %y:2 = ad.vjp @largest(%is, %vs, %m) seed(%h_bar)
      : (tensor<?xindex>, tensor<?xf64>, index), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %y#1 : tensor<?xf64>
}

// Of the map that made the values only the iterations of those that have won are differentiated.
// CHECK-LABEL: func.func @vjp_of_largest_sine
// CHECK-SAME:    %{{.*}}: tensor<?xindex>, %[[XS:[a-z0-9]+]]: tensor<?xf64>, %{{.*}}: index, %[[H_BAR:[a-z0-9]+]]: tensor<?xf64>)
// CHECK:         %[[SINES:.*]] = soac.map ins(%[[XS]]
// CHECK:         %[[H:.*]]:2 = soac.hist {{.*}} ins(%[[SINES]],
// CHECK:         %[[BARS:.*]] = soac.map ins(%[[H]]#1, %[[H_BAR]] : tensor<?xindex>, tensor<?xf64>) (%[[I:.*]]: index, %[[BAR:.*]]: f64)
// CHECK-NEXT:      %[[HAS:.*]] = arith.cmpi ult, %[[I]], %
// CHECK-NEXT:      scf.if %[[HAS]]
// CHECK-NEXT:        %[[X:.*]] = tensor.extract %[[XS]][%[[I]]]
// CHECK-NEXT:        %[[COS:.*]] = math.cos %[[X]]
// CHECK-NEXT:        arith.mulf %[[BAR]], %[[COS]]
// CHECK-NOT:     soac.map
// CHECK:         %[[X_BAR:.*]] = soac.scatter at(%[[H]]#1 : tensor<?xindex>) ins(%[[BARS]] : tensor<?xf64>)
// CHECK-NEXT:    return %[[X_BAR]]
func.func @largest_sine(%is: tensor<?xindex>, %xs: tensor<?xf64>, %m: index) -> tensor<?xf64> {
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = math.sin %x : f64
    soac.yield %y : f64
  }
  %h = func.call @largest(%is, %ys, %m) : (tensor<?xindex>, tensor<?xf64>, index) -> tensor<?xf64>
  return %h : tensor<?xf64>
}
func.func @vjp_of_largest_sine(%is: tensor<?xindex>, %xs: tensor<?xf64>, %m: index, %h_bar: tensor<?xf64>) -> tensor<?xf64> {
  %y:2 = ad.vjp @largest_sine(%is, %xs, %m) seed(%h_bar)
      : (tensor<?xindex>, tensor<?xf64>, index), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %y#1 : tensor<?xf64>
}
