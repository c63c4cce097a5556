// The cotangent of an array that an empty array is made of is as large as the array: the sum of no rows does not know how long
// a row would be where reductions and scatters would have made it.
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(1,3,1)' 1 2 3
// RUN: ad-opt check %s --entry=reduced --input=%t.x.npy --input=3
// RUN: ad-opt check %s --entry=scattered --input=%t.x.npy --input=3

func.func @reduced(%x: tensor<1x?x1xf64>, %n: index) -> f64 {
  %zero = arith.constant 0.0 : f64
  %none = tensor.generate {
  ^bb0(%i: index):
    %v = func.call @sum(%x, %n) : (tensor<1x?x1xf64>, index) -> f64
    tensor.yield %v : f64
  } : tensor<0xf64>
  %r = soac.reduce ins(%none : tensor<0xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %r : f64
}

func.func @scattered(%x: tensor<1x?x1xf64>, %n: index) -> f64 {
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %c0 = arith.constant 0 : index
  %none = tensor.generate {
  ^bb0(%i: index):
    %values = tensor.splat %half[%n, %n] : tensor<?x?x1xf64>
    %at = soac.replicate %c0, %n : index -> tensor<?xindex>
    %y = soac.scatter at(%at : tensor<?xindex>) ins(%values : tensor<?x?x1xf64>) into(%x : tensor<1x?x1xf64>)
    %v = func.call @sum(%y, %n) : (tensor<1x?x1xf64>, index) -> f64
    tensor.yield %v : f64
  } : tensor<0xf64>
  %r = soac.reduce ins(%none : tensor<0xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %r : f64
}

func.func private @sum(%x: tensor<1x?x1xf64>, %n: index) -> f64 {
  %zero = arith.constant 0.0 : f64
  %rows = tensor.splat %zero[%n] : tensor<?x1xf64>
  %s = soac.reduce ins(%x : tensor<1x?x1xf64>) neutral(%rows : tensor<?x1xf64>) (%a: tensor<?x1xf64>, %b: tensor<?x1xf64>) {
    %c = arith.addf %a, %b : tensor<?x1xf64>
    soac.yield %c : tensor<?x1xf64>
  }
  %row = tensor.splat %zero : tensor<1xf64>
  %t = soac.reduce ins(%s : tensor<?x1xf64>) neutral(%row : tensor<1xf64>) (%a: tensor<1xf64>, %b: tensor<1xf64>) {
    %c = arith.addf %a, %b : tensor<1xf64>
    soac.yield %c : tensor<1xf64>
  }
  %c0 = arith.constant 0 : index
  %u = tensor.extract %t[%c0] : tensor<1xf64>
  return %u : f64
}
