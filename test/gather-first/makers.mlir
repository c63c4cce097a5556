// Few rows and all of them, read through a map that takes what another one made, for one seed after the other,
// give what the rows read one by one give.
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(9,3)' --vary=1
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<f8' '(0,3)'
// RUN: %python %S/../driver/Inputs/npy.py %t.one.npy '<f8' '(1,3)' --vary=1
// RUN: %python %S/../driver/Inputs/npy.py %t.is0.npy '<i8' '(0,)'
// RUN: %python %S/../driver/Inputs/npy.py %t.is1.npy '<i8' '(1,)' 0
// RUN: %python %S/../driver/Inputs/npy.py %t.is4.npy '<i8' '(4,)' 8 0 3 3
// RUN: %python %S/../driver/Inputs/npy.py %t.is12.npy '<i8' '(12,)' 8 0 3 3 1 2 7 6 5 4 0 8
// RUN: ad-opt run %s --entry=wrong --input=%t.x.npy --input=%t.is0.npy | FileCheck %s
// RUN: ad-opt run %s --entry=wrong --input=%t.x.npy --input=%t.is1.npy | FileCheck %s
// RUN: ad-opt run %s --entry=wrong --input=%t.x.npy --input=%t.is4.npy | FileCheck %s
// RUN: ad-opt run %s --entry=wrong --input=%t.x.npy --input=%t.is12.npy | FileCheck %s
// RUN: ad-opt run %s --entry=wrong --input=%t.none.npy --input=%t.is0.npy | FileCheck %s
// RUN: ad-opt run %s --entry=wrong --input=%t.one.npy --input=%t.is1.npy | FileCheck %s
// CHECK: {{^}}0{{$}}

// RUN: ad-opt %s --ad-optimize | FileCheck %s --check-prefix=MAKERS
// MAKERS: %[[CHOSEN:.*]] = scf.if
// MAKERS: %[[MADE:.*]] = soac.map ins(%[[CHOSEN]] : tensor<?x3xf64>)
// MAKERS: soac.map ins(%[[CHOSEN]], %[[MADE]] : tensor<?x3xf64>, tensor<?xf64>)

// tanh(x0 x1) + sum_j max(x_j, seed) of some rows, for two seeds.
func.func private @both(%xs: tensor<?x3xf64>, %is: tensor<?xi64>) -> tensor<2x?xf64> {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %seeds = arith.constant dense<[-0.5, 0.5]> : tensor<2xf64>
  %products = soac.map ins(%xs : tensor<?x3xf64>) (%x: tensor<3xf64>) -> tensor<?xf64> {
    %a = tensor.extract %x[%c0] : tensor<3xf64>
    %b = tensor.extract %x[%c1] : tensor<3xf64>
    %ab = arith.mulf %a, %b : f64
    %p = math.tanh %ab : f64
    soac.yield %p : f64
  }
  %all = soac.map ins(%seeds : tensor<2xf64>) (%seed: f64) -> tensor<2x?xf64> {
    %ys = soac.map ins(%xs, %products : tensor<?x3xf64>, tensor<?xf64>) (%x: tensor<3xf64>, %product: f64) -> tensor<?xf64> {
      %most = soac.map ins(%x : tensor<3xf64>) (%a: f64) -> tensor<3xf64> {
        %b = arith.maximumf %a, %seed : f64
        soac.yield %b : f64
      }
      %sum = soac.reduce ins(%most : tensor<3xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
        %c = arith.addf %a, %b : f64
        soac.yield %c : f64
      }
      %y = arith.addf %product, %sum : f64
      soac.yield %y : f64
    }
    %zs = soac.map ins(%is : tensor<?xi64>) (%id: i64) -> tensor<?xf64> {
      %i = arith.index_cast %id : i64 to index
      %y = tensor.extract %ys[%i] : tensor<?xf64>
      soac.yield %y : f64
    }
    soac.yield %zs : tensor<?xf64>
  }
  return %all : tensor<2x?xf64>
}

// How many of them are not what the rows read one by one give.
func.func @wrong(%xs: tensor<?x3xf64>, %is: tensor<?xi64>) -> index {
  %near = arith.constant 1.0e-12 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = tensor.dim %is, %c0 : tensor<?xi64>
  %all = func.call @both(%xs, %is) : (tensor<?x3xf64>, tensor<?xi64>) -> tensor<2x?xf64>
  %seeds = arith.constant dense<[-0.5, 0.5]> : tensor<2xf64>
  %wrong = scf.for %s = %c0 to %c2 step %c1 iter_args(%before = %c0) -> index {
    %seed = tensor.extract %seeds[%s] : tensor<2xf64>
    %after = scf.for %k = %c0 to %m step %c1 iter_args(%count = %before) -> index {
      %id = tensor.extract %is[%k] : tensor<?xi64>
      %i = arith.index_cast %id : i64 to index
      %x0 = tensor.extract %xs[%i, %c0] : tensor<?x3xf64>
      %x1 = tensor.extract %xs[%i, %c1] : tensor<?x3xf64>
      %x2 = tensor.extract %xs[%i, %c2] : tensor<?x3xf64>
      %x0x1 = arith.mulf %x0, %x1 : f64
      %product = math.tanh %x0x1 : f64
      %y0 = arith.maximumf %x0, %seed : f64
      %y1 = arith.maximumf %x1, %seed : f64
      %y2 = arith.maximumf %x2, %seed : f64
      %y01 = arith.addf %y0, %y1 : f64
      %sum = arith.addf %y01, %y2 : f64
      %wanted = arith.addf %product, %sum : f64
      %given = tensor.extract %all[%s, %k] : tensor<2x?xf64>
      %d = arith.subf %given, %wanted : f64
      %size = math.absf %d : f64
      %is_far = arith.cmpf ugt, %size, %near : f64
      %more = arith.select %is_far, %c1, %c0 : index
      %next = arith.addi %count, %more : index
      scf.yield %next : index
    }
    scf.yield %after : index
  }
  return %wrong : index
}
