// Bounds with a factor narrow the loop, too: of a sum over the multiples of a number there are as many
// steps as multiples [ATL 4.3] (T45).
// RUN: ad-opt %s --lower-atl-to-soac --canonicalize | FileCheck %s
// RUN: ad-opt run %s --entry=main | FileCheck %s --check-prefix=VALUES

// 3 k < n, and n <= 4 k + 3: k is below (n - 1) / 3 + 1, and not below -((3 - n) / 4).
// CHECK-LABEL: func.func private @multiples(
// CHECK-DAG: %[[THREE:.*]] = arith.constant 3 : index
// CHECK-DAG: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK-DAG: %[[ABOVE:.*]] = arith.floordivsi %{{.*}}, %[[THREE]]
// CHECK-DAG: %[[BELOW:.*]] = arith.floordivsi %{{.*}}, %[[FOUR]]
// CHECK: soac.map
// CHECK-NOT: arith.cmpi
// CHECK-NOT: scf.if
// CHECK: soac.reduce
func.func private @multiples(%x: tensor<?xf64>, %m: index) -> f64 {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?xf64>
  %y = atl.sum (%k in %m) -> f64 {
    %p = atl.compare 3 * %k < %n
    %q = atl.compare %n <= 4 * %k + 3
    %r = arith.andi %p, %q : i1
    %e = atl.bracket %r -> f64 {
      %t = atl.access %x[3 * %k] : tensor<?xf64>
      atl.yield %t : f64
    }
    atl.yield %e : f64
  }
  return %y : f64
}

// For 8 elements 2 <= k <= 2; for 10, 2 <= k <= 3, and for 3 elements k = 0.
// VALUES: 7.0
// VALUES: 17.0
// VALUES: 1.0
func.func @main() -> (f64, f64, f64) {
  %m = arith.constant 100 : index
  %a = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf64>
  %b = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]> : tensor<10xf64>
  %c = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %x0 = tensor.cast %a : tensor<8xf64> to tensor<?xf64>
  %x1 = tensor.cast %b : tensor<10xf64> to tensor<?xf64>
  %x2 = tensor.cast %c : tensor<3xf64> to tensor<?xf64>
  %y0 = call @multiples(%x0, %m) : (tensor<?xf64>, index) -> f64
  %y1 = call @multiples(%x1, %m) : (tensor<?xf64>, index) -> f64
  %y2 = call @multiples(%x2, %m) : (tensor<?xf64>, index) -> f64
  return %y0, %y1, %y2 : f64, f64, f64
}
