// soac.scan with an operator on scalars: a map for the coefficients, one scan from the
// other end with linear-function composition, and a map for the contributions [F34, F35].
// RUN: ad-opt %s --ad-optimize | FileCheck %s --implicit-check-not='= ad.' \
// RUN:   --implicit-check-not='scf.for'

// One number. The coefficient of a product is the element itself.
func.func private @products(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %ys = soac.scan ins(%xs : tensor<?xf64>) neutral(%one : f64) (%l: f64, %r: f64)
      attributes {exclusive} {
    %0 = arith.mulf %l, %r : f64
    soac.yield %0 : f64
  }
  return %ys : tensor<?xf64>
}

// CHECK-LABEL: func.func @vjp_of_products(
// CHECK-SAME:    %[[X:.*]]: tensor<?xf64>, %[[Y_BAR:.*]]: tensor<?xf64>)
// CHECK:         %[[Y:.*]] = soac.scan
// CHECK:         %[[T:.*]]:2 = soac.scan ins(%[[Y_BAR]], %[[X]] : tensor<?xf64>, tensor<?xf64>)
// CHECK-SAME:      neutral(%{{.*}}, %{{.*}} : f64, f64)
// CHECK-SAME:      (%[[D:.*]]: f64, %[[C:.*]]: f64, %[[D2:.*]]: f64, %[[C2:.*]]: f64) attributes {exclusive, reverse} {
// CHECK-NEXT:      %[[CD:.*]] = arith.mulf %[[C]], %[[D2]]
// CHECK-NEXT:      %[[SUM:.*]] = arith.addf %[[D]], %[[CD]]
// CHECK-NEXT:      %[[CC:.*]] = arith.mulf %[[C]], %[[C2]]
// CHECK-NEXT:      soac.yield %[[SUM]], %[[CC]]
// CHECK:         %[[X_BAR:.*]] = soac.map ins(%[[Y]], %[[T]]#0
// CHECK-NEXT:      arith.mulf
// CHECK-NEXT:      soac.yield
// CHECK:         return %[[X_BAR]]
func.func @vjp_of_products(%x: tensor<?xf64>, %y_bar: tensor<?xf64>) -> tensor<?xf64> {
  %y:2 = ad.vjp @products(%x) seed(%y_bar)
      : (tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %y#1 : tensor<?xf64>
}

// The Jacobian is diagonal, with the same number twice: one coefficient.
func.func private @recurrence(%a: tensor<?xf64>, %b: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %ys:2 = soac.scan ins(%a, %b : tensor<?xf64>, tensor<?xf64>) neutral(%one, %zero : f64, f64)
      (%a1: f64, %b1: f64, %a2: f64, %b2: f64) {
    %0 = arith.mulf %a1, %a2 : f64
    %1 = arith.mulf %b1, %a2 : f64
    %2 = arith.addf %1, %b2 : f64
    soac.yield %0, %2 : f64, f64
  }
  return %ys#0, %ys#1 : tensor<?xf64>, tensor<?xf64>
}

// CHECK-LABEL: func.func @vjp_of_recurrence(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: tensor<?xf64>
// CHECK:         soac.scan
// CHECK:         %[[D:.*]]:2 = soac.map
// CHECK:         soac.scan ins(%[[D]]#0, %[[D]]#1, %[[A]] : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
// CHECK-SAME:      attributes {exclusive, reverse} {
// CHECK-COUNT-3:   arith.mulf
// CHECK-NOT:       arith.mulf
// CHECK:           soac.yield
// CHECK:         soac.map
func.func @vjp_of_recurrence(%a: tensor<?xf64>, %b: tensor<?xf64>, %s: tensor<?xf64>, %t: tensor<?xf64>)
    -> (tensor<?xf64>, tensor<?xf64>) {
  %r:4 = ad.vjp @recurrence(%a, %b) seed(%s, %t)
      : (tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>, tensor<?xf64>)
      -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %r#2, %r#3 : tensor<?xf64>, tensor<?xf64>
}

// The composition of linear functions, l0 + l1 r0 and l1 r1: the Jacobian is triangular,
// and its first entry is one. The numbers are two, the coefficients r0 and r1.
func.func private @compose(%a: tensor<?xf64>, %b: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %ys:2 = soac.scan ins(%a, %b : tensor<?xf64>, tensor<?xf64>) neutral(%zero, %one : f64, f64)
      (%a1: f64, %b1: f64, %a2: f64, %b2: f64) {
    %0 = arith.mulf %b1, %a2 : f64
    %1 = arith.addf %a1, %0 : f64
    %2 = arith.mulf %b1, %b2 : f64
    soac.yield %1, %2 : f64, f64
  }
  return %ys#0 : tensor<?xf64>
}

// CHECK-LABEL: func.func @vjp_of_compose(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: tensor<?xf64>, %[[B:[a-z0-9]+]]: tensor<?xf64>, %[[S:[a-z0-9]+]]: tensor<?xf64>)
// CHECK:         soac.scan
// CHECK:         soac.scan ins(%{{[^,]*}}, %{{[^,]*}}, %[[A]], %[[B]] : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
// CHECK-COUNT-4:   arith.mulf
// CHECK-NOT:       arith.mulf
// CHECK:           soac.yield
// CHECK:         soac.map
func.func @vjp_of_compose(%a: tensor<?xf64>, %b: tensor<?xf64>, %s: tensor<?xf64>)
    -> (tensor<?xf64>, tensor<?xf64>) {
  %r:3 = ad.vjp @compose(%a, %b) seed(%s)
      : (tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>)
      -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %r#1, %r#2 : tensor<?xf64>, tensor<?xf64>
}

// A segmented sum: the flag takes part in the primal and has no coefficient.
func.func private @segments(%flags: tensor<?xi1>, %xs: tensor<?xf64>) -> tensor<?xf64> {
  %false = arith.constant false
  %zero = arith.constant 0.0 : f64
  %ys:2 = soac.scan ins(%flags, %xs : tensor<?xi1>, tensor<?xf64>) neutral(%false, %zero : i1, f64)
      (%f: i1, %l: f64, %g: i1, %r: f64) {
    %0 = arith.ori %f, %g : i1
    %1 = arith.addf %l, %r : f64
    %2 = arith.select %g, %r, %1 : f64
    soac.yield %0, %2 : i1, f64
  }
  return %ys#1 : tensor<?xf64>
}

// CHECK-LABEL: func.func @vjp_of_segments(
// CHECK-SAME:    %[[FLAGS:[a-z0-9]+]]: tensor<?xi1>
// CHECK:         %[[C:.*]]:2 = soac.map ins(%[[FLAGS]],
// CHECK:           arith.select
// CHECK:         soac.scan ins(%[[C]]#0, %[[C]]#1 : tensor<?xf64>, tensor<?xf64>)
func.func @vjp_of_segments(%flags: tensor<?xi1>, %xs: tensor<?xf64>, %s: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = ad.vjp @segments(%flags, %xs) seed(%s)
      : (tensor<?xi1>, tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
