// The product of two small matrices treats the rows of the first one apart, and all in the same
// way: of the 4 x 4 Jacobian one 2 x 2 block is stored, beside the four numbers [F35, FP2].
// RUN: ad-opt %s --ad-optimize | FileCheck %s --implicit-check-not='= ad.' \
// RUN:   --implicit-check-not=scf.for

func.func private @two(%a: tensor<?x2x2xf64>) -> tensor<?x2x2xf64> {
  %one = arith.constant dense<[[1.0, 0.0], [0.0, 1.0]]> : tensor<2x2xf64>
  %zero = arith.constant 0.0 : f64
  %is = soac.iota : tensor<2xindex>
  %ys = soac.scan ins(%a : tensor<?x2x2xf64>) neutral(%one : tensor<2x2xf64>) (%l: tensor<2x2xf64>, %r: tensor<2x2xf64>) {
    %p = soac.map ins(%l : tensor<2x2xf64>) (%row: tensor<2xf64>) -> tensor<2x2xf64> {
      %q = soac.map ins(%is : tensor<2xindex>) (%j: index) -> tensor<2xf64> {
        %t = soac.map ins(%row, %is : tensor<2xf64>, tensor<2xindex>) (%x: f64, %m: index) -> tensor<2xf64> {
          %y = tensor.extract %r[%m, %j] : tensor<2x2xf64>
          %xy = arith.mulf %x, %y : f64
          soac.yield %xy : f64
        }
        %s = soac.reduce ins(%t : tensor<2xf64>) neutral(%zero : f64) (%u: f64, %v: f64) {
          %0 = arith.addf %u, %v : f64
          soac.yield %0 : f64
        }
        soac.yield %s : f64
      }
      soac.yield %q : tensor<2xf64>
    }
    soac.yield %p : tensor<2x2xf64>
  }
  return %ys : tensor<?x2x2xf64>
}

// CHECK-LABEL: func.func @vjp_of_two(
// CHECK:         soac.scan ins(%{{.*}} : tensor<?x2x2xf64>)
// CHECK:         %[[C:.*]]:8 = soac.map
// CHECK:         %[[T:.*]]:8 = soac.scan ins(%[[C]]#0, %[[C]]#1, %[[C]]#2, %[[C]]#3, %[[C]]#4, %[[C]]#5, %[[C]]#6, %[[C]]#7 :
// CHECK-SAME:      attributes {exclusive, reverse} {
// Eight products for the numbers, eight for the block.
// CHECK-COUNT-16:  arith.mulf
// CHECK-NOT:       arith.mulf
// CHECK:           soac.yield
// CHECK:         soac.map {{.*}}, %[[T]]#0, %[[T]]#1, %[[T]]#2, %[[T]]#3 :
func.func @vjp_of_two(%a: tensor<?x2x2xf64>, %s: tensor<?x2x2xf64>) -> tensor<?x2x2xf64> {
  %r:2 = ad.vjp @two(%a) seed(%s) : (tensor<?x2x2xf64>), (tensor<?x2x2xf64>) -> (tensor<?x2x2xf64>, tensor<?x2x2xf64>)
  return %r#1 : tensor<?x2x2xf64>
}
