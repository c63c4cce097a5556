// A map of loops whose trip counts depend on the element, differentiated twice: the inner loop's
// tape was taken out of the map, where its rows have different sizes.
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(3,)' 0.5 -0.25 1.5
// RUN: ad-opt check %s --entry=main --input=%t.x.npy --input=%t.x.npy | FileCheck %s
// RUN: ad-opt check %s --entry=main --input=%t.x.npy --input=%t.x.npy --engine=interpreter | FileCheck %s
// RUN: ad-opt %s --ad-optimize | FileCheck %s --check-prefix=IR

// CHECK: 0 {{.*}} ok
// CHECK: 1 {{.*}} ok
// IR-NOT: tensor<3x?xf64>

func.func @sum_of_loops(%x: tensor<3xf64>, %s: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %is = soac.iota : tensor<3xindex>
  %ys = soac.map ins(%is, %x : tensor<3xindex>, tensor<3xf64>) (%i: index, %a: f64) -> tensor<3xf64> {
    %y = scf.for %k = %c0 to %i step %c1 iter_args(%b = %s) -> f64 {
      %c = math.sin %b : f64
      scf.yield %c : f64
    }
    %z = arith.mulf %y, %a : f64
    soac.yield %z : f64
  }
  %sum = soac.reduce ins(%ys : tensor<3xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %sum : f64
}

func.func @main(%x: tensor<3xf64>, %s: tensor<3xf64>) -> tensor<3xf64> {
  %one = arith.constant 1.0 : f64
  %r = soac.map ins(%s : tensor<3xf64>) (%t: f64) -> tensor<3xf64> {
    %y, %x_bar, %s_bar = ad.vjp @sum_of_loops(%x, %one) seed(%t)
        : (tensor<3xf64>, f64), (f64) -> (f64, tensor<3xf64>, f64)
    %z = arith.mulf %s_bar, %s_bar : f64
    soac.yield %z : f64
  }
  return %r : tensor<3xf64>
}
