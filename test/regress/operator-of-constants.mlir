// A reduction or histogram of pairs of which one number is the same everywhere: its operator still has to combine what parts
// combine to. With the number put in its place, the operator would take values only, one after the other, and parts of the
// array, which threads combine, would be combined wrongly.
// RUN: ad-opt %s --ad-optimize | FileCheck %s
// RUN: %python %S/../bench/Inputs/random_npy.py %t.npy '<f8' '(1000,)' 0 1 1
// RUN: ad-opt run %s --entry=last --input=%t.npy --input=0.5 > %t.cpu
// RUN: ad-opt run %s --entry=last --input=%t.npy --input=0.5 --target=gpu-emulate > %t.gpu
// RUN: %python %S/../bench/Inputs/compare.py %t.cpu %t.gpu 1e-12
// RUN: ad-opt run %s --entry=binned --input=0.5 | FileCheck %s --check-prefix=BINNED
// RUN: ad-opt run %s --entry=binned --input=0.5 --target=gpu-emulate | FileCheck %s --check-prefix=BINNED

// y' = x y + b for each b.
// CHECK-LABEL: func.func @last
// CHECK: soac.reduce ins(%{{.+}}, %{{.+}} : tensor<?xf64>, tensor<?xf64>) neutral(%{{.+}}, %{{.+}} : f64, f64)
func.func @last(%b: tensor<?xf64>, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %b, %c0 : tensor<?xf64>
  %a = tensor.splat %x[%n] : tensor<?xf64>
  %p, %y = soac.reduce ins(%a, %b : tensor<?xf64>, tensor<?xf64>) neutral(%one, %zero : f64, f64)
      (%a1: f64, %b1: f64, %a2: f64, %b2: f64) {
    %m = arith.mulf %a1, %a2 : f64
    %t = arith.mulf %b1, %a2 : f64
    %u = arith.addf %t, %b2 : f64
    soac.yield %m, %u : f64, f64
  }
  return %y : f64
}

// One value for one bin: 3 x + 0.25.
// BINNED: [1.75]
func.func @binned(%x: f64) -> tensor<1xf64> {
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %quarter = arith.constant dense<0.25> : tensor<1xf64>
  %three = arith.constant dense<3.0> : tensor<1xf64>
  %a = tensor.splat %x : tensor<1xf64>
  %is = soac.iota : tensor<1xindex>
  %p, %y = soac.hist at(%is : tensor<1xindex>) ins(%a, %quarter : tensor<1xf64>, tensor<1xf64>) into(%three, %three : tensor<1xf64>, tensor<1xf64>)
      neutral(%one, %zero : f64, f64) (%a1: f64, %b1: f64, %a2: f64, %b2: f64) {
    %m = arith.mulf %a1, %a2 : f64
    %t = arith.mulf %b1, %a2 : f64
    %u = arith.addf %t, %b2 : f64
    soac.yield %m, %u : f64, f64
  }
  return %y : tensor<1xf64>
}
