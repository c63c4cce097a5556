// Derivatives of functions of the tensor language are functions of it again, and ordinary code: they
// are differentiated once more in any mix [ATL 6.1], and stand beside other operations.
// RUN: ad-opt %s --ad-differentiate | FileCheck %s
// RUN: ad-opt run %s --entry=main --input=2.0 | FileCheck %s --check-prefix=VALUES
// RUN: ad-opt check %s --entry=mixed --input=2.0 | FileCheck %s --check-prefix=CHECKED

func.func @cubes(%x: tensor<?xf64>, %w: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?xf64>
  %s = atl.sum (%i in %n) -> f64 {
    %e = atl.access %x[%i] : tensor<?xf64>
    %we = atl.access %w[%i] : tensor<?xf64>
    %q = arith.mulf %e, %e : f64
    %c = arith.mulf %q, %e : f64
    %p = arith.mulf %we, %c : f64
    atl.yield %p : f64
  }
  return %s : f64
}

// The gradient by x, and the product of the Hessian and a vector: forward over reverse (T43, T44).
func.func @gradient(%x: tensor<?xf64>, %w: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @cubes(%x, %w) seed(%one) {wrt = array<i64: 0>}
      : (tensor<?xf64>, tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %x_bar : tensor<?xf64>
}

// CHECK-NOT: ad.
// CHECK-LABEL: func.func private @cubes.vjp_0(
// CHECK: atl.gen
// CHECK-NOT: soac.
// CHECK: return

// 3 w x^2 and 6 w x v with x = 2 3, w = 1 2 and v = 1 10; a reverse derivative of the gradient with
// the same vector is the same, since the Hessian is symmetric. A function with other operations, too:
// 2 x^2 / x at 2, and its derivative.
// VALUES: [12.0, 54.0]
// VALUES: [12.0, 360.0]
// VALUES: [12.0, 360.0]
// VALUES: 4.0
// VALUES: 2.0
func.func @main(%a: f64) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64, f64) {
  %xs = arith.constant dense<[2.0, 3.0]> : tensor<2xf64>
  %ws = arith.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %vs = arith.constant dense<[1.0, 10.0]> : tensor<2xf64>
  %x = tensor.cast %xs : tensor<2xf64> to tensor<?xf64>
  %w = tensor.cast %ws : tensor<2xf64> to tensor<?xf64>
  %v = tensor.cast %vs : tensor<2xf64> to tensor<?xf64>
  %g, %hv = ad.jvp @gradient(%x, %w) seed(%v) {wrt = array<i64: 0>}
      : (tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  %g2, %vh = ad.vjp @gradient(%x, %w) seed(%v) {wrt = array<i64: 0>}
      : (tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  %one = arith.constant 1.0 : f64
  %m, %m_dot = ad.jvp @mixed(%a) seed(%one) : (f64), (f64) -> (f64, f64)
  return %g, %hv, %vh, %m, %m_dot : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64, f64
}

// An inner fragment of a larger program, with control flow that depends on data (T47).
// CHECKED: ok
func.func @mixed(%a: f64) -> f64 {
  %two = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %copies = soac.replicate %a, %two : f64 -> tensor<?xf64>
  %is_positive = arith.cmpf ogt, %a, %zero : f64
  %s = scf.if %is_positive -> f64 {
    %t = atl.sum (%i in %two) -> f64 {
      %e = atl.access %copies[%i] : tensor<?xf64>
      %q = arith.mulf %e, %e : f64
      atl.yield %q : f64
    }
    scf.yield %t : f64
  } else {
    scf.yield %zero : f64
  }
  %r = arith.divf %s, %a : f64
  return %r : f64
}
