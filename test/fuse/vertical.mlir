// The rules keep fusion opportunities: the adjoint of a map of a map is one map [F64].
// RUN: ad-opt %s --ad-optimize | FileCheck %s
// RUN: ad-opt run %s --entry=values | FileCheck %s --check-prefix=VALUES

// CHECK-LABEL: func.func @composition_vjp
// CHECK-COUNT-1: soac.map
// CHECK-NOT: soac.map
// CHECK: return
func.func private @composition(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = arith.mulf %x, %x : f64
    soac.yield %y : f64
  }
  %zs = soac.map ins(%ys : tensor<?xf64>) (%y: f64) -> tensor<?xf64> {
    %z = math.exp %y : f64
    soac.yield %z : f64
  }
  return %zs : tensor<?xf64>
}
func.func @composition_vjp(%xs: tensor<?xf64>, %bar: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = ad.vjp @composition(%xs) seed(%bar)
      : (tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

// The consumer reads the result twice, and something behind it once more: one map.
// CHECK-LABEL: func.func @several_readers
// CHECK: %[[BOTH:.*]]:2 = soac.map
// CHECK-NOT: soac.map
// CHECK: return %[[BOTH]]#1, %[[BOTH]]#0
func.func @several_readers(%xs: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = math.sin %x : f64
    soac.yield %y : f64
  }
  %zs = soac.map ins(%ys, %ys, %xs : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64, %c: f64) -> tensor<?xf64> {
    %p = arith.mulf %a, %b : f64
    %q = arith.addf %p, %c : f64
    soac.yield %q : f64
  }
  return %ys, %zs : tensor<?xf64>, tensor<?xf64>
}

// A map whose elements are read at other places than the iteration stays.
// CHECK-LABEL: func.func @gathered
// CHECK-COUNT-2: soac.map
func.func @gathered(%xs: tensor<?xf64>, %is: tensor<?xindex>) -> tensor<?xf64> {
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = math.sin %x : f64
    soac.yield %y : f64
  }
  %zs = soac.map ins(%is, %ys : tensor<?xindex>, tensor<?xf64>) (%i: index, %y: f64) -> tensor<?xf64> {
    %a = tensor.extract %ys[%i] : tensor<?xf64>
    %p = arith.mulf %a, %y : f64
    soac.yield %p : f64
  }
  return %zs : tensor<?xf64>
}

// A map does not move behind an operation that overwrites what it reads: that would copy the
// array. The second map moves to the first if it can, or both stay.
// CHECK-LABEL: func.func @overwritten
// CHECK: %[[Y:.*]] = soac.scatter
// CHECK: %[[READ:.*]] = soac.map ins(%{{.*}}, %{{.*}} : tensor<?xindex>, tensor<?xf64>)
// CHECK: %[[SCATTERED:.*]] = soac.scatter {{.*}} into(%[[Y]] : tensor<?xf64>)
// CHECK: return %[[SCATTERED]], %[[READ]]
func.func @overwritten(%xs: tensor<?xf64>, %is: tensor<?xindex>, %zeros: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %ys = soac.scatter at(%is : tensor<?xindex>) ins(%xs : tensor<?xf64>) into(%zeros : tensor<?xf64>)
  %rows = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %y = tensor.extract %ys[%i] : tensor<?xf64>
    soac.yield %y : f64
  }
  %zs = soac.scatter at(%is : tensor<?xindex>) ins(%xs : tensor<?xf64>) into(%ys : tensor<?xf64>)
  %read = soac.map ins(%rows, %xs : tensor<?xf64>, tensor<?xf64>) (%y: f64, %x: f64) -> tensor<?xf64> {
    %p = arith.mulf %y, %x : f64
    soac.yield %p : f64
  }
  return %zs, %read : tensor<?xf64>, tensor<?xf64>
}

// CHECK-LABEL: func.func @overwritten_stays
// CHECK: %[[Y:.*]] = soac.scatter
// CHECK: soac.map
// CHECK: %[[SCATTERED:.*]] = soac.scatter {{.*}} into(%[[Y]] : tensor<?xf64>)
// CHECK: %[[READ:.*]] = soac.map
// CHECK: return %[[SCATTERED]], %[[READ]]
func.func @overwritten_stays(%xs: tensor<?xf64>, %is: tensor<?xindex>, %zeros: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %ys = soac.scatter at(%is : tensor<?xindex>) ins(%xs : tensor<?xf64>) into(%zeros : tensor<?xf64>)
  %rows = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %y = tensor.extract %ys[%i] : tensor<?xf64>
    soac.yield %y : f64
  }
  %zs = soac.scatter at(%is : tensor<?xindex>) ins(%xs : tensor<?xf64>) into(%ys : tensor<?xf64>)
  %read = soac.map ins(%rows, %is : tensor<?xf64>, tensor<?xindex>) (%y: f64, %i: index) -> tensor<?xf64> {
    %z = tensor.extract %zs[%i] : tensor<?xf64>
    %p = arith.mulf %y, %z : f64
    soac.yield %p : f64
  }
  return %zs, %read : tensor<?xf64>, tensor<?xf64>
}

// Functions run on vectors in a map of their own, not where elements are read if conditions hold.
// CHECK-LABEL: func.func @functions_alone
// CHECK: %[[ROWS:.*]] = soac.map ins(%{{[a-z0-9]+}} : tensor<?xf64>)
// CHECK:   math.cos
// CHECK: soac.map ins({{.*}}%[[ROWS]]
// CHECK:   scf.if
func.func @functions_alone(%xs: tensor<?xf64>, %is: tensor<?xindex>, %ys: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %ys, %c0 : tensor<?xf64>
  %rows = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %c = math.cos %x : f64
    soac.yield %c : f64
  }
  %read = soac.map ins(%rows, %is : tensor<?xf64>, tensor<?xindex>) (%c: f64, %i: index) -> tensor<?xf64> {
    %inside = arith.cmpi ult, %i, %n : index
    %p = scf.if %inside -> f64 {
      %y = tensor.extract %ys[%i] : tensor<?xf64>
      %q = arith.mulf %y, %c : f64
      scf.yield %q : f64
    } else {
      scf.yield %zero : f64
    }
    soac.yield %p : f64
  }
  return %read : tensor<?xf64>
}

// x = (0, 1): exp(x^2) 2 x = (0, 2 e).
// VALUES: [0.0, 5.43656365691809{{1?}}]
func.func @values() -> tensor<?xf64> {
  %xs = arith.constant dense<[0.0, 1.0]> : tensor<2xf64>
  %bar = arith.constant dense<1.0> : tensor<2xf64>
  %x = tensor.cast %xs : tensor<2xf64> to tensor<?xf64>
  %b = tensor.cast %bar : tensor<2xf64> to tensor<?xf64>
  %r = call @composition_vjp(%x, %b) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}
