// RUN: ad-opt %s --lower-complex-division | FileCheck %s
// RUN: ad-opt %s --lower-complex-division --lower-complex-division | FileCheck %s

// Three divisions; upstream's lowering is for what is not a number.

// CHECK-LABEL: func @quotient
// CHECK-COUNT-3: arith.divf {{.*}} fastmath<contract>
// CHECK-NOT:     arith.divf
// CHECK:         %[[RE:.*]] = arith.cmpf ord
// CHECK:         %[[IM:.*]] = arith.cmpf ord
// CHECK:         %[[IS_NUMBER:.*]] = arith.ori %[[RE]], %[[IM]]
// CHECK:         scf.if %[[IS_NUMBER]]
// CHECK:           complex.create
// CHECK:         } else {
// CHECK-NEXT:      complex.div {{.*}} {ad.rare}
// CHECK-NOT:     complex.div
func.func @quotient(%a: complex<f64>, %b: complex<f64>) -> complex<f64> {
  %q = complex.div %a, %b fastmath<contract> : complex<f64>
  return %q : complex<f64>
}
