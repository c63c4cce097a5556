// Inference through recursion: what a function that calls itself returns is known from where it does not, and one copy
// serves all sizes that it calls itself with [M10].
// RUN: ad-opt %s --ad-specialize --canonicalize | FileCheck %s
// RUN: ad-opt run %s --entry=values --input=2.0 | FileCheck %s --check-prefix=VALUE

// Same sizes all the way down.
// CHECK-LABEL: func.func private @power.of_3(
// CHECK-SAME: %{{.*}}: tensor<3xf64>, %{{.*}}: index) -> tensor<3xf64>
// CHECK: scf.if %{{.*}} -> (tensor<3xf64>)
// CHECK: call @power.of_3(
// CHECK-NOT: func.func private @power.of_3_
func.func private @power(%x: tensor<*xf64>, %n: index) -> tensor<*xf64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %is_one = arith.cmpi sle, %n, %one : index
  %r = scf.if %is_one -> tensor<*xf64> {
    scf.yield %x : tensor<*xf64>
  } else {
    %m = arith.subi %n, %one : index
    %p = func.call @power(%x, %m) : (tensor<*xf64>, index) -> tensor<*xf64>
    %q = arith.mulf %p, %x : tensor<*xf64>
    scf.yield %q : tensor<*xf64>
  }
  return %r : tensor<*xf64>
}

// Sizes that differ from call to call: a copy for vectors of any size. The two call each other.
// CHECK-LABEL: func.func private @sum_even.of_n(
// CHECK-SAME: tensor<?xf64>) -> f64
// CHECK: call @sum_odd.of_n(
// CHECK-LABEL: func.func private @sum_odd.of_n(
// CHECK-SAME: tensor<?xf64>) -> f64
// CHECK: call @sum_even.of_n(
func.func private @sum_even(%x: tensor<*xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %v = tensor.cast %x : tensor<*xf64> to tensor<?xf64>
  %n = tensor.dim %v, %c0 : tensor<?xf64>
  %is_none = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %is_none -> f64 {
    scf.yield %zero : f64
  } else {
    %m = arith.subi %n, %c1 : index
    %e = tensor.extract %v[%c0] : tensor<?xf64>
    %w = tensor.extract_slice %v[1] [%m] [1] : tensor<?xf64> to tensor<?xf64>
    %u = tensor.cast %w : tensor<?xf64> to tensor<*xf64>
    %s = func.call @sum_odd(%u) : (tensor<*xf64>) -> f64
    %t = arith.addf %e, %s : f64
    scf.yield %t : f64
  }
  return %r : f64
}
func.func private @sum_odd(%x: tensor<*xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %v = tensor.cast %x : tensor<*xf64> to tensor<?xf64>
  %n = tensor.dim %v, %c0 : tensor<?xf64>
  %is_none = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %is_none -> f64 {
    scf.yield %zero : f64
  } else {
    %m = arith.subi %n, %c1 : index
    %w = tensor.extract_slice %v[1] [%m] [1] : tensor<?xf64> to tensor<?xf64>
    %u = tensor.cast %w : tensor<?xf64> to tensor<*xf64>
    %s = func.call @sum_even(%u) : (tensor<*xf64>) -> f64
    scf.yield %s : f64
  }
  return %r : f64
}
// CHECK-LABEL: func.func private @grow(
// CHECK-SAME: tensor<?xf64>, %{{.*}}: index) -> tensor<?xf64>
func.func private @grow(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %done = arith.cmpi sle, %n, %zero : index
  cf.cond_br %done, ^end(%x : tensor<?xf64>), ^more
^more:
  %y = tensor.concat dim(0) %x, %x : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %m = arith.subi %n, %one : index
  %z = func.call @grow(%y, %m) : (tensor<?xf64>, index) -> tensor<?xf64>
  cf.br ^end(%z : tensor<?xf64>)
^end(%r: tensor<?xf64>):
  return %r : tensor<?xf64>
}
// VALUE: 8.0
// VALUE: 12.0
// VALUE: 16.0
func.func @values(%x: f64) -> (f64, f64, f64) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = arith.constant 3 : index
  %a = tensor.splat %x : tensor<3xf64>
  %b = tensor.cast %a : tensor<3xf64> to tensor<*xf64>
  %p = func.call @power(%b, %n) : (tensor<*xf64>, index) -> tensor<*xf64>
  %q = tensor.cast %p : tensor<*xf64> to tensor<3xf64>
  %e = tensor.extract %q[%c2] : tensor<3xf64>
  %f = tensor.splat %x : tensor<12xf64>
  %g = tensor.cast %f : tensor<12xf64> to tensor<*xf64>
  %s = func.call @sum_even(%g) : (tensor<*xf64>) -> f64
  %h = tensor.splat %x : tensor<2xf64>
  %i = tensor.cast %h : tensor<2xf64> to tensor<?xf64>
  %j = func.call @grow(%i, %n) : (tensor<?xf64>, index) -> tensor<?xf64>
  %k = tensor.dim %j, %c0 : tensor<?xf64>
  %l = arith.index_cast %k : index to i64
  %m = arith.sitofp %l : i64 to f64
  return %e, %s, %m : f64, f64, f64
}
