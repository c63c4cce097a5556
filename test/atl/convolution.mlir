// The adjoint of a convolution is a correlation [ATL 2.1]: the sum over the results is gone, and what
// is left of it are the bounds of the kernel. Nothing is stored but what is returned, and nothing is
// added to memory (T03, T06, T46).
// RUN: ad-opt %s --ad-differentiate --canonicalize | FileCheck %s
// RUN: ad-opt run %s --entry=main | FileCheck %s --check-prefix=VALUES

// CHECK-LABEL: func.func private @convolve.vjp_0_1(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf64>, %[[C:[a-z0-9]+]]: tensor<?xf64>, %[[N:[a-z0-9]+]]: index, %[[Y_BAR:[a-z0-9]+]]: tensor<?xf64>
// CHECK: %[[M:.*]] = tensor.dim %[[C]]
// CHECK-NOT: soac
// The cotangent of x: one sum, with its bounds.
// CHECK: atl.gen (%[[K:.*]] in %{{.*}}) -> tensor<?xf64> {
// CHECK: atl.gen (%[[K:.*]] in %{{.*}}) -> tensor<?xf64> {
// CHECK-NEXT: atl.sum (%[[I:[a-z0-9]+]] in %[[N]]) -> f64 {
// CHECK-DAG: atl.compare %[[K]] < %[[I]] + %[[M]]
// CHECK-DAG: atl.compare %[[I]] <= %[[K]]
// CHECK: atl.access %[[C]][-%[[K]] + %[[I]] + %[[M]] - 1]
// CHECK-NEXT: atl.access %[[Y_BAR]][%[[I]]]
// CHECK-NOT: memref
// CHECK: return
func.func @convolve(%x: tensor<?xf64>, %c: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %m = tensor.dim %c, %zero : tensor<?xf64>
  %y = atl.gen (%i in %n) -> tensor<?xf64> {
    %s = atl.sum (%j in %m) -> f64 {
      %xi = atl.access %x[%i - %j + %m - 1] : tensor<?xf64>
      %cj = atl.access %c[%j] : tensor<?xf64>
      %p = arith.mulf %xi, %cj : f64
      atl.yield %p : f64
    }
    atl.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// The convolution of 1 2 3 4 with 10 1; with ones as cotangents an element of x gets the sum of what
// it was multiplied by, and one of c the sum of three neighbours.
// VALUES: [21.0, 32.0, 43.0]
// VALUES: [1.0, 11.0, 11.0, 10.0]
// VALUES: [9.0, 6.0]
func.func @main() -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %n = arith.constant 3 : index
  %x = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  %c = arith.constant dense<[10.0, 1.0]> : tensor<2xf64>
  %ones = arith.constant dense<1.0> : tensor<3xf64>
  %xs = tensor.cast %x : tensor<4xf64> to tensor<?xf64>
  %cs = tensor.cast %c : tensor<2xf64> to tensor<?xf64>
  %seed = tensor.cast %ones : tensor<3xf64> to tensor<?xf64>
  %y, %x_bar, %c_bar = ad.vjp @convolve(%xs, %cs, %n) seed(%seed)
      : (tensor<?xf64>, tensor<?xf64>, index), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %y, %x_bar, %c_bar : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}
