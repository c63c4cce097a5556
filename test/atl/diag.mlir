// A matrix that is zero but on its diagonal costs as much as its diagonal, also in the adjoint
// [ATL 1] (T01, T02, T10).
// RUN: ad-opt %s --ad-differentiate --canonicalize | FileCheck %s
// RUN: ad-opt run %s --entry=main | FileCheck %s --check-prefix=VALUES

// CHECK-LABEL: func.func private @product.vjp_0(
// CHECK-NOT: tensor<?x?xf64>
// CHECK-NOT: atl.sum
// CHECK: atl.gen
// CHECK-NEXT: atl.access
// CHECK-NEXT: math.sin
// CHECK: atl.gen (%[[I:.*]] in
// CHECK-NEXT: atl.compare %[[I]] = 0
// CHECK: return
// Two traces are twice one trace, and so is the cotangent.
// CHECK-LABEL: func.func private @traces.vjp_0(
// CHECK-SAME: %{{.*}}: tensor<?xf64>, %[[SEED:.*]]: f64
// CHECK-NOT: tensor<?x?xf64>
// CHECK: %[[TWICE:.*]] = arith.mulf %[[SEED]], %cst
// CHECK: atl.sum
// CHECK-NOT: atl.sum
// CHECK: atl.gen
// CHECK-NEXT: atl.yield %[[TWICE]]
func.func @product(%x: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?xf64>
  %a = atl.gen (%i in %n, %j in %n) -> tensor<?x?xf64> {
    %p = atl.compare %i = %j
    %e = atl.bracket %p -> f64 {
      %xi = atl.access %x[%i] : tensor<?xf64>
      %s = math.sin %xi : f64
      atl.yield %s : f64
    }
    atl.yield %e : f64
  }
  %d = atl.sum (%k in %n) -> f64 {
    %column = atl.access %a[%k, 0] : tensor<?x?xf64>
    %row = atl.access %a[0, %k] : tensor<?x?xf64>
    %p = arith.mulf %column, %row : f64
    atl.yield %p : f64
  }
  return %d : f64
}

func.func @traces(%x: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?xf64>
  %a = atl.gen (%i in %n, %j in %n) -> tensor<?x?xf64> {
    %p = atl.compare %i = %j
    %e = atl.bracket %p -> f64 {
      %xi = atl.access %x[%i] : tensor<?xf64>
      atl.yield %xi : f64
    }
    atl.yield %e : f64
  }
  %t0 = atl.sum (%k in %n) -> f64 {
    %e = atl.access %a[%k, %k] : tensor<?x?xf64>
    atl.yield %e : f64
  }
  %t1 = atl.sum (%k in %n) -> f64 {
    %e = atl.access %a[%k, %k] : tensor<?x?xf64>
    atl.yield %e : f64
  }
  %s = arith.addf %t0, %t1 : f64
  return %s : f64
}

// sin(x0)^2, and its derivative 2 sin(x0) cos(x0) by x0: sin(1)^2 and sin(2).
// VALUES: 0.7080734182735712
// VALUES: [0.909297426825681{{.*}}, 0.0, 0.0]
// VALUES: 12.0
// VALUES: [2.0, 2.0, 2.0]
func.func @main() -> (f64, tensor<?xf64>, f64, tensor<?xf64>) {
  %one = arith.constant 1.0 : f64
  %x = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %xs = tensor.cast %x : tensor<3xf64> to tensor<?xf64>
  %y, %x_bar = ad.vjp @product(%xs) seed(%one) : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  %t, %t_bar = ad.vjp @traces(%xs) seed(%one) : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %y, %x_bar, %t, %t_bar : f64, tensor<?xf64>, f64, tensor<?xf64>
}
