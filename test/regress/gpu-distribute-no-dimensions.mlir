// A tensor without dimensions in the body of a map was stored in an array for all iterations, whose rows are numbers.
// RUN: ad-opt run %s --entry=main --input=3 --input=2 --target=gpu-emulate | FileCheck %s
// CHECK: [0.0, 3.0, 10.0]
func.func @main(%n: index, %m: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %none = arith.constant dense<0.0> : tensor<f64>
  %is = soac.iota %n : tensor<?xindex>
  %js = soac.iota %m : tensor<?xindex>
  %ys = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %t = arith.index_cast %i : index to i64
    %f = arith.sitofp %t : i64 to f64
    %r = tensor.splat %f[%m] : tensor<?xf64>
    %dot = linalg.dot ins(%r, %r : tensor<?xf64>, tensor<?xf64>) outs(%none : tensor<f64>) -> tensor<f64>
    %x = tensor.extract %dot[] : tensor<f64>
    %es = soac.map ins(%js : tensor<?xindex>) (%j: index) -> tensor<?xf64> {
      %k = arith.index_cast %j : index to i64
      %g = arith.sitofp %k : i64 to f64
      %h = arith.mulf %g, %f : f64
      soac.yield %h : f64
    }
    %s = soac.reduce ins(%es : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %q: f64) {
      %u = arith.addf %l, %q : f64
      soac.yield %u : f64
    }
    %y = arith.addf %x, %s : f64
    soac.yield %y : f64
  }
  return %ys : tensor<?xf64>
}
