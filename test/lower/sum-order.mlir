// Sums of columns become sums of rows, where that passes over memory in order.
// RUN: ad-opt %s --lower-sum-order | FileCheck %s
// RUN: ad-opt run %s --entry=values | FileCheck %s --check-prefix=VALUES

// map j (sum i xss[i, j]) reads a column for each j: the rows are added up instead.
// CHECK-LABEL: func.func @columns(
// CHECK-SAME: %[[XSS:[a-z0-9]+]]: tensor<?x?xf64>
// CHECK: %[[ROWS:.*]] = soac.map ins(%[[XSS]] : tensor<?x?xf64>) (%[[XS:[a-z0-9]+]]: tensor<?xf64>) -> tensor<?x?xf64> {
// CHECK-NEXT: soac.map ins(%{{.*}} : tensor<?xindex>) (%[[J:[a-z0-9]+]]: index) -> tensor<?xf64> {
// CHECK-NEXT: tensor.extract %[[XS]][%[[J]]]
// CHECK: soac.reduce ins(%[[ROWS]] : tensor<?x?xf64>)
// CHECK: soac.map
// CHECK: arith.addf
func.func @columns(%xss: tensor<?x?xf64>) -> tensor<?xf64> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %xss, %c1 : tensor<?x?xf64>
  %js = soac.iota %n : tensor<?xindex>
  %r = soac.map ins(%js : tensor<?xindex>) (%j: index) -> tensor<?xf64> {
    %ys = soac.map ins(%xss : tensor<?x?xf64>) (%xs: tensor<?xf64>) -> tensor<?xf64> {
      %x = tensor.extract %xs[%j] : tensor<?xf64>
      soac.yield %x : f64
    }
    %s = soac.reduce ins(%ys : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
      %t = arith.addf %l, %r : f64
      soac.yield %t : f64
    }
    soac.yield %s : f64
  }
  return %r : tensor<?xf64>
}

// map i (sum j xss[i, j]) is in the order of memory as it is.
// CHECK-LABEL: func.func @rows(
// CHECK: soac.map
// CHECK-SAME: (%{{.*}}: index) -> tensor<?xf64>
// CHECK: soac.reduce ins(%{{.*}} : tensor<?xf64>)
// CHECK: return
func.func @rows(%xss: tensor<?x?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %m = tensor.dim %xss, %c0 : tensor<?x?xf64>
  %n = tensor.dim %xss, %c1 : tensor<?x?xf64>
  %is = soac.iota %m : tensor<?xindex>
  %js = soac.iota %n : tensor<?xindex>
  %r = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %ys = soac.map ins(%js : tensor<?xindex>) (%j: index) -> tensor<?xf64> {
      %x = tensor.extract %xss[%i, %j] : tensor<?x?xf64>
      soac.yield %x : f64
    }
    %s = soac.reduce ins(%ys : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
      %t = arith.addf %l, %r : f64
      soac.yield %t : f64
    }
    soac.yield %s : f64
  }
  return %r : tensor<?xf64>
}

// VALUES: [5.0, 7.0, 9.0]
// VALUES: [6.0, 15.0]
// VALUES: [0.0, 0.0]
func.func @values() -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %xss = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf64>
  %x = tensor.cast %xss : tensor<2x3xf64> to tensor<?x?xf64>
  %none = tensor.empty(%c0, %c2) : tensor<?x?xf64>
  %a = call @columns(%x) : (tensor<?x?xf64>) -> tensor<?xf64>
  %b = call @rows(%x) : (tensor<?x?xf64>) -> tensor<?xf64>
  %c = call @columns(%none) : (tensor<?x?xf64>) -> tensor<?xf64>
  return %a, %b, %c : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}
