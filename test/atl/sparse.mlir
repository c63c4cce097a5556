// A matrix of which a list has the places that are not zero: a sum over the list's numbered tuples
// visits each once, and a tensor of such sums is a histogram (T45).
// RUN: ad-opt %s --ad-differentiate --lower-atl-to-soac --canonicalize --cse | FileCheck %s
// RUN: ad-opt %s --ad-differentiate | FileCheck %s --check-prefix=QUANTIFIED
// RUN: ad-opt %s --ad-differentiate --lower-atl-to-soac --remarks-filter-analyse=lower-atl-to-soac -o /dev/null 2>&1 \
// RUN:     | FileCheck %s --check-prefix=REMARK
// RUN: ad-opt run %s --entry=main | FileCheck %s --check-prefix=VALUES

// That some tuple is at a place is not asked where the tuples are added up.
// QUANTIFIED-NOT: atl.exists

// REMARK: histogram | Category:lower-atl-to-soac | Reason="each tuple of a list adds to one element

// CHECK-LABEL: func.func private @loss.vjp_2_3(
// CHECK: %[[TUPLES:.*]] = soac.iota %{{.*}} : tensor<?xindex>
// CHECK-NEXT: soac.map ins(%[[TUPLES]] : tensor<?xindex>) (%{{.*}}: index) -> (tensor<?xindex>, tensor<?xf64>) {
// CHECK-NOT: soac.map
// CHECK: soac.hist
// The cotangents of the values: one for each tuple, without a loop.
// CHECK: soac.map ins(%[[TUPLES]] : tensor<?xindex>) (%{{.*}}: index) -> tensor<?xf64> {
// CHECK-NOT: soac.map
// CHECK-NOT: soac.reduce
// CHECK: soac.yield
// CHECK: soac.hist
// CHECK-NOT: soac.map
// CHECK: return
func.func @loss(%rows: tensor<?xindex>, %columns: tensor<?xindex>, %values: tensor<?xf64>, %x: tensor<?xf64>, %m: index) -> f64 {
  %zero = arith.constant 0 : index
  %count = tensor.dim %values, %zero : tensor<?xf64>
  %n = tensor.dim %x, %zero : tensor<?xf64>
  %y = atl.gen (%i in %m) -> tensor<?xf64> {
    %s = atl.sum (%j in %n, %k in %count) -> f64 {
      %p = atl.member (%rows, %columns)[%i, %j] at %k : tensor<?xindex>, tensor<?xindex>
      %e = atl.bracket %p -> f64 {
        %v = atl.access %values[%k] : tensor<?xf64>
        %xj = atl.access %x[%j] : tensor<?xf64>
        %t = arith.mulf %v, %xj : f64
        atl.yield %t : f64
      }
      atl.yield %e : f64
    }
    atl.yield %s : f64
  }
  %l = atl.sum (%i in %m) -> f64 {
    %e = atl.access %y[%i] : tensor<?xf64>
    %t = arith.mulf %e, %e : f64
    atl.yield %t : f64
  }
  return %l : f64
}

// The matrix is 1 0 2 / 0 3 0, and x is ones: its product is 3 3.
// VALUES: 18.0
// VALUES: [6.0, 6.0, 6.0]
// VALUES: [6.0, 18.0, 12.0]
func.func @main() -> (f64, tensor<?xf64>, tensor<?xf64>) {
  %m = arith.constant 2 : index
  %one = arith.constant 1.0 : f64
  %r = arith.constant dense<[0, 0, 1]> : tensor<3xindex>
  %c = arith.constant dense<[0, 2, 1]> : tensor<3xindex>
  %v = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %o = arith.constant dense<1.0> : tensor<3xf64>
  %rows = tensor.cast %r : tensor<3xindex> to tensor<?xindex>
  %columns = tensor.cast %c : tensor<3xindex> to tensor<?xindex>
  %values = tensor.cast %v : tensor<3xf64> to tensor<?xf64>
  %x = tensor.cast %o : tensor<3xf64> to tensor<?xf64>
  %l, %v_bar, %x_bar = ad.vjp @loss(%rows, %columns, %values, %x, %m) seed(%one)
      : (tensor<?xindex>, tensor<?xindex>, tensor<?xf64>, tensor<?xf64>, index), (f64) -> (f64, tensor<?xf64>, tensor<?xf64>)
  return %l, %v_bar, %x_bar : f64, tensor<?xf64>, tensor<?xf64>
}
