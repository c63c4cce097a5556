// What is no expression of the tensor language, such as a Fourier transform, is a function with a rule of
// its own; a program calls it beside the language (T23). The rule here says that the transform is that of
// a symmetric matrix.
// RUN: ad-opt %s --ad-differentiate | FileCheck %s
// RUN: ad-opt run %s --entry=main | FileCheck %s --check-prefix=VALUES
// RUN: ad-opt %s --raise-to-atl -o %t.mlir
// RUN: ad-opt run %t.mlir --entry=main | FileCheck %s --check-prefix=VALUES
// RUN: not ad-opt %S/Inputs/no-rule.mlir --ad-differentiate 2>&1 | FileCheck %s --check-prefix=REFUSED

// The sums of neighbours around a ring of four: symmetric, as a transform is.
func.func private @transform(%x: tensor<?xf64>) -> tensor<?xf64> attributes {custom_jvp = @transform_jvp, custom_vjp = @transform_vjp} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %y = tensor.generate %n {
  ^bb0(%i: index):
    %next = arith.addi %i, %c1 : index
    %before = arith.subi %i, %c1 : index
    %up = arith.addi %before, %n : index
    %r = arith.remsi %next, %n : index
    %l = arith.remsi %up, %n : index
    %a = tensor.extract %x[%r] : tensor<?xf64>
    %b = tensor.extract %x[%l] : tensor<?xf64>
    %s = arith.addf %a, %b : f64
    tensor.yield %s : f64
  } : tensor<?xf64>
  return %y : tensor<?xf64>
}
func.func private @transform_jvp(%x: tensor<?xf64>, %x_dot: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %y = func.call @transform(%x) : (tensor<?xf64>) -> tensor<?xf64>
  %y_dot = func.call @transform(%x_dot) : (tensor<?xf64>) -> tensor<?xf64>
  return %y, %y_dot : tensor<?xf64>, tensor<?xf64>
}
func.func private @transform_vjp(%x: tensor<?xf64>, %y_bar: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %y = func.call @transform(%x) : (tensor<?xf64>) -> tensor<?xf64>
  %x_bar = func.call @transform(%y_bar) : (tensor<?xf64>) -> tensor<?xf64>
  return %y, %x_bar : tensor<?xf64>, tensor<?xf64>
}

// Squares in the language, the transform, and a sum of squares in the language again.
// CHECK-LABEL: func.func private @energy.vjp_0(
// CHECK: call @transform_vjp(
// CHECK-LABEL: func.func private @energy.jvp_0(
// CHECK: call @transform_jvp(
func.func @energy(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %q = atl.gen (%i in %n) -> tensor<?xf64> {
    %e = atl.access %x[%i] : tensor<?xf64>
    %ee = arith.mulf %e, %e : f64
    atl.yield %ee : f64
  }
  %y = func.call @transform(%q) : (tensor<?xf64>) -> tensor<?xf64>
  %s = atl.sum (%i in %n) -> f64 {
    %e = atl.access %y[%i] : tensor<?xf64>
    %ee = arith.mulf %e, %e : f64
    atl.yield %ee : f64
  }
  return %s : f64
}

// With x = 1 2 3 4 the squares are 1 4 9 16, their transform is 20 10 20 10, and the energy 1000. The
// cotangent of the transform is 40 20 40 20, that of the squares 40 80 40 80, and that of x twice x as much;
// the tangent for the direction 1 0 0 0 is the first number of it.
// VALUES: 1000.0
// VALUES: [80.0, 320.0, 240.0, 640.0]
// VALUES: 80.0
func.func @main() -> (f64, tensor<?xf64>, f64) {
  %one = arith.constant 1.0 : f64
  %xs = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  %ds = arith.constant dense<[1.0, 0.0, 0.0, 0.0]> : tensor<4xf64>
  %x = tensor.cast %xs : tensor<4xf64> to tensor<?xf64>
  %d = tensor.cast %ds : tensor<4xf64> to tensor<?xf64>
  %y, %x_bar = ad.vjp @energy(%x) seed(%one) : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  %y2, %y_dot = ad.jvp @energy(%x) seed(%d) : (tensor<?xf64>), (tensor<?xf64>) -> (f64, f64)
  return %y, %x_bar, %y_dot : f64, tensor<?xf64>, f64
}

// Without a rule, and without a body to differentiate, the call is refused with what would help.
// REFUSED: no-rule.mlir:[[#]]:{{[0-9]+}}: error: {{.*}}has no vjp rule: '@fft' has no body; give it one, or the attribute 'custom_vjp'
// REFUSED: note: derivative requested here
