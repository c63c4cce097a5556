// A map of loops whose trip counts depend on the element, differentiated twice: the inner loop's
// tape was taken out of the map, where its rows have different sizes.
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(3,)' 0.5 -0.25 1.5
// RUN: ad-opt check %s --entry=main --input=%t.x.npy --input=%t.x.npy | FileCheck %s
// RUN: ad-opt check %s --entry=main --input=%t.x.npy --input=%t.x.npy --engine=interpreter | FileCheck %s
// RUN: ad-opt %s --ad-optimize | FileCheck %s --check-prefix=IR

// CHECK: 0 {{.*}} ok
// CHECK: 1 {{.*}} ok
// IR-LABEL: func.func @main
// IR-NOT: tensor<3x?xf64>
// IR-LABEL: func.func @carried

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

// The size of what a loop carries was stored for each element of the map around it, as if the loop
// had to run to know it.
// RUN: ad-opt run %s --entry=sizes --input=%t.x.npy --input=2 | FileCheck %s --check-prefix=SIZES
// SIZES: [{{.*}}, {{.*}}, {{.*}}]

func.func @carried(%x: tensor<3xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %ys = soac.map ins(%x : tensor<3xf64>) (%a: f64) -> tensor<3xf64> {
    %start = soac.replicate %a, %n : f64 -> tensor<?xf64>
    %row = scf.for %i = %c1 to %n step %c1 iter_args(%r = %start) -> tensor<?xf64> {
      %j = arith.subi %i, %c1 : index
      %b = tensor.extract %r[%j] : tensor<?xf64>
      %c = math.sin %b : f64
      %s = tensor.insert %c into %r[%i] : tensor<?xf64>
      scf.yield %s : tensor<?xf64>
    }
    %sum = soac.reduce ins(%row : tensor<?xf64>) neutral(%zero : f64) (%p: f64, %q: f64) {
      %t = arith.addf %p, %q : f64
      soac.yield %t : f64
    }
    %y = math.tanh %sum : f64
    soac.yield %y : f64
  }
  %sum = soac.reduce ins(%ys : tensor<3xf64>) neutral(%zero : f64) (%p: f64, %q: f64) {
    %t = arith.addf %p, %q : f64
    soac.yield %t : f64
  }
  return %sum : f64
}

func.func @sizes(%x: tensor<3xf64>, %n: index) -> tensor<3xf64> {
  %r = soac.map ins(%x : tensor<3xf64>) (%s: f64) -> tensor<3xf64> {
    %y, %x_bar = ad.vjp @carried(%x, %n) seed(%s)
        : (tensor<3xf64>, index), (f64) -> (f64, tensor<3xf64>)
    %c0 = arith.constant 0 : index
    %z = tensor.extract %x_bar[%c0] : tensor<3xf64>
    soac.yield %z : f64
  }
  return %r : tensor<3xf64>
}
