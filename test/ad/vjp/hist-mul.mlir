// RUN: ad-opt %s --ad-optimize | FileCheck %s
//
// No sort and no scan: of each bin the product of the nonzeros, the sum of the zeros
// and their number, then a map over the values [F32].

func.func @combine(%is: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<?xf64>) -> tensor<?xf64> {
  %e = arith.constant 1.0 : f64
  %h = soac.hist at(%is : tensor<?xindex>) ins(%vs : tensor<?xf64>) into(%dest : tensor<?xf64>)
      neutral(%e : f64) (%l: f64, %r: f64) {
    %s = arith.mulf %l, %r : f64
    soac.yield %s : f64
  }
  return %h : tensor<?xf64>
}

// CHECK-LABEL: func.func @vjp_of_combine
// CHECK-SAME:    %[[IS:[a-z0-9]+]]: tensor<?xindex>, %[[VS:[a-z0-9]+]]: tensor<?xf64>, %{{.*}}, %[[H_BAR:[a-z0-9]+]]: tensor<?xf64>)
// CHECK-NOT:     soac.scan
// CHECK-COUNT-4: soac.hist
// CHECK-NOT:     soac.hist
// CHECK-NOT:     soac.scan
// CHECK:         %[[V_BAR:.*]] = soac.map ins(%[[VS]], %[[IS]]
// CHECK:             arith.divf
// CHECK:         %[[D_BARS:.*]] = soac.map
// CHECK:         %[[D_BAR:.*]] = soac.scatter at(%[[IS]] : tensor<?xindex>) ins(%[[D_BARS]] : tensor<?xf64>) into(%[[H_BAR]] : tensor<?xf64>)
// CHECK:         return %[[V_BAR]], %[[D_BAR]]
func.func @vjp_of_combine(%is: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<?xf64>,
    %h_bar: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %y:3 = ad.vjp @combine(%is, %vs, %dest) seed(%h_bar)
      : (tensor<?xindex>, tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>)
      -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %y#1, %y#2 : tensor<?xf64>, tensor<?xf64>
}

// Into bins filled with one number: what zeros need is found only if there may be zeros, which a look at the products
// tells.
// CHECK-LABEL: func.func @vjp_of_products
// CHECK:         %[[H:.*]] = soac.hist
// CHECK:         %[[ANY:.*]] = soac.reduce
// CHECK:         %[[ZEROS:.*]]:3 = scf.if %[[ANY]]
// CHECK:           soac.hist
// CHECK:         } else {
// CHECK-NOT:       linalg.fill
// CHECK:         soac.map
// CHECK:           %[[EQUALS:.*]] = arith.cmpf oeq
// CHECK:           %[[IS_ZERO:.*]] = arith.andi %[[ANY]], %[[EQUALS]] : i1
// CHECK:           scf.if %[[IS_ZERO]]
// CHECK:             tensor.extract %[[ZEROS]]#0
// CHECK:           } else {
// CHECK-NOT:         %[[ZEROS]]
// CHECK:             arith.divf
func.func @products(%is: tensor<?xindex>, %vs: tensor<?xf64>, %m: index) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %bins = tensor.splat %one[%m] : tensor<?xf64>
  %h = soac.hist at(%is : tensor<?xindex>) ins(%vs : tensor<?xf64>) into(%bins : tensor<?xf64>)
      neutral(%one : f64) (%l: f64, %r: f64) {
    %s = arith.mulf %l, %r : f64
    soac.yield %s : f64
  }
  return %h : tensor<?xf64>
}
func.func @vjp_of_products(%is: tensor<?xindex>, %vs: tensor<?xf64>, %m: index, %h_bar: tensor<?xf64>)
    -> (tensor<?xf64>, tensor<?xf64>) {
  %y:2 = ad.vjp @products(%is, %vs, %m) seed(%h_bar)
      : (tensor<?xindex>, tensor<?xf64>, index), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %y#0, %y#1 : tensor<?xf64>, tensor<?xf64>
}
