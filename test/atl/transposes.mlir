// What linear operations become [ATL 2.1, 6.3]: the tangent of a convolution is the convolution of the
// tangent (T04); the adjoint of a sum is a generation, and of a generation a sum (T08); two cotangents
// of one value are one sum of brackets, which adds where both hold (6.25, T40).
// RUN: ad-opt %s --ad-differentiate --canonicalize | FileCheck %s
// RUN: ad-opt %s --ad-differentiate --canonicalize --cse --atl-cost=sizes=10 --remarks-filter-analyse=atl-cost -o /dev/null 2>&1 \
// RUN:     | FileCheck %s --check-prefix=COST
// RUN: ad-opt run %s --entry=main | FileCheck %s --check-prefix=VALUES

// CHECK-LABEL: func.func private @total.vjp_0(
// CHECK-SAME: %{{[^ ]*}}: tensor<?xf64>, %[[SEED:[a-z0-9]+]]: f64
// CHECK: atl.sum
// CHECK: atl.gen (%{{.*}} in %{{.*}}) -> tensor<?xf64> {
// CHECK-NEXT: atl.yield %[[SEED]] : f64
// CHECK: return
func.func @total(%x: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?xf64>
  %s = atl.sum (%i in %n) -> f64 {
    %e = atl.access %x[%i] : tensor<?xf64>
    atl.yield %e : f64
  }
  return %s : f64
}

// CHECK-LABEL: func.func private @copies.vjp_0(
// CHECK-SAME: %{{[^ ]*}}: f64, %[[N:[a-z0-9]+]]: index, %[[SEED:[a-z0-9]+]]: tensor<?xf64>
// CHECK: atl.gen
// CHECK: atl.sum (%[[I:.*]] in %[[N]]) -> f64 {
// CHECK-NEXT: %[[E:.*]] = atl.access %[[SEED]][%[[I]]]
// CHECK-NEXT: atl.yield %[[E]] : f64
// CHECK: return
func.func @copies(%x: f64, %n: index) -> tensor<?xf64> {
  %y = atl.gen (%i in %n) -> tensor<?xf64> {
    atl.yield %x : f64
  }
  return %y : tensor<?xf64>
}

// x[i] is used below 6, and from 4 on: of ten cotangents two are sums. The two sums of results take 5
// additions each; seeds are copied.
// COST: func.func | Category:atl-cost | cost=10{{$}}
// COST: func.func | Category:atl-cost | cost=12{{$}}
func.func @twice(%x: tensor<?xf64>) -> (f64, f64) {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?xf64>
  %a = atl.sum (%i in %n) -> f64 {
    %p = atl.compare %i < 6
    %t = atl.bracket %p -> f64 {
      %e = atl.access %x[%i] : tensor<?xf64>
      atl.yield %e : f64
    }
    atl.yield %t : f64
  }
  %b = atl.sum (%i in %n) -> f64 {
    %p = atl.compare 4 <= %i
    %t = atl.bracket %p -> f64 {
      %e = atl.access %x[%i] : tensor<?xf64>
      atl.yield %e : f64
    }
    atl.yield %t : f64
  }
  return %a, %b : f64, f64
}

func.func @convolve(%x: tensor<4xf64>, %c: tensor<2xf64>) -> tensor<3xf64> {
  %three = arith.constant 3 : index
  %two = arith.constant 2 : index
  %y = atl.gen (%i in %three) -> tensor<3xf64> {
    %s = atl.sum (%j in %two) -> f64 {
      %cj = atl.access %c[%j] : tensor<2xf64>
      %xij = atl.access %x[%i + %j] : tensor<4xf64>
      %t = arith.mulf %cj, %xij : f64
      atl.yield %t : f64
    }
    atl.yield %s : f64
  }
  return %y : tensor<3xf64>
}

// With seeds 1 and 10; of ones; and the convolution of the tangent 0 1 0 2 with 10 1.
// VALUES: [1.0, 1.0, 1.0, 1.0, 11.0, 11.0, 10.0, 10.0]
// VALUES: 8.0
// VALUES: [1.0, 10.0, 2.0]
// VALUES: [1.0, 10.0, 2.0]
func.func @main() -> (tensor<8xf64>, f64, tensor<3xf64>, tensor<3xf64>) {
  %one = arith.constant 1.0 : f64
  %ten = arith.constant 10.0 : f64
  %xs = arith.constant dense<1.0> : tensor<8xf64>
  %x = tensor.cast %xs : tensor<8xf64> to tensor<?xf64>
  %s, %s_bar = ad.vjp @total(%x) seed(%one) : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  %eight = arith.constant 8 : index
  %y, %y_bar = ad.vjp @copies(%one, %eight) seed(%x) : (f64, index), (tensor<?xf64>) -> (tensor<?xf64>, f64)
  %a, %b, %x_bar = ad.vjp @twice(%x) seed(%one, %ten) : (tensor<?xf64>), (f64, f64) -> (f64, f64, tensor<?xf64>)
  %x_bars = tensor.cast %x_bar : tensor<?xf64> to tensor<8xf64>
  %signal = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  %kernel = arith.constant dense<[10.0, 1.0]> : tensor<2xf64>
  %tangent = arith.constant dense<[0.0, 1.0, 0.0, 2.0]> : tensor<4xf64>
  %z, %z_dot = ad.jvp @convolve(%signal, %kernel) seed(%tangent) {wrt = array<i64: 0>}
      : (tensor<4xf64>, tensor<2xf64>), (tensor<4xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  %same = func.call @convolve(%tangent, %kernel) : (tensor<4xf64>, tensor<2xf64>) -> tensor<3xf64>
  return %x_bars, %y_bar, %z_dot, %same : tensor<8xf64>, f64, tensor<3xf64>, tensor<3xf64>
}
