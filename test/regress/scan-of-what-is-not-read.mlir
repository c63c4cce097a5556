// A scan of which only some results are read, of arrays that maps make, for several threads: what is not read must not be
// what the maps made, which is gone.
// RUN: %python %S/../driver/Inputs/npy.py %t.xs.npy '<f8' '(4,)' 1.5 2 3 4
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<f8' '(0,)'
// DEFINE: %{run} = ad-opt run %s --entry=second_product --input=%t.xs.npy
// RUN: %{run} --threads=1 | FileCheck %s
// RUN: %{run} --threads=2 | FileCheck %s
// RUN: ad-opt run %s --entry=restarted --input=%t.xs.npy --threads=2 | FileCheck %s --check-prefix=RESTARTED
// RUN: ad-opt run %s --entry=restarted --input=%t.none.npy --threads=2 | FileCheck %s --check-prefix=NONE
// RUN: ad-opt %s --ad-optimize --ad-parallelize=threads=2 -o /dev/null

// A sum that begins again where a number is even: what the flags combine to is not read.
// RESTARTED: [1.5, 2.0, 5.0, 4.0]
// NONE: []
func.func @restarted(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %two = arith.constant 2.0 : f64
  %no = arith.constant false
  %flags = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xi1> {
    %rest = arith.remf %x, %two : f64
    %is_even = arith.cmpf oeq, %rest, %zero : f64
    soac.yield %is_even : i1
  }
  %f, %sums = soac.scan ins(%flags, %xs : tensor<?xi1>, tensor<?xf64>) neutral(%no, %zero : i1, f64)
      (%f1: i1, %a: f64, %f2: i1, %b: f64) {
    %either = arith.ori %f1, %f2 : i1
    %sum = arith.addf %a, %b : f64
    %s = arith.select %f2, %b, %sum : f64
    soac.yield %either, %s : i1, f64
  }
  return %sums : tensor<?xf64>
}

func.func @product(%xs: tensor<?xf64>) -> f64 {
  %one = arith.constant 1.0 : f64
  %p = soac.reduce ins(%xs : tensor<?xf64>) neutral(%one : f64) (%a: f64, %b: f64) {
    %c = arith.mulf %a, %b : f64
    soac.yield %c : f64
  }
  return %p : f64
}

func.func @gradient(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %p, %bar = ad.vjp @product(%xs) seed(%one) : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %bar : tensor<?xf64>
}

// The sum of the products of all but one and but another: of 1.5, 2, 3 and 4, for the first 2 3 + 2 4 + 3 4 = 26, and 1.5 3 + 1.5 4 + 3 4 = 22.5,
// 1.5 2 + 1.5 4 + 2 4 = 17, 1.5 2 + 1.5 3 + 2 3 = 13.5.
// CHECK: [26.0, 22.5, 17.0, 13.5]
func.func @second_product(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %c0 = arith.constant 0 : index
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %ones = tensor.splat %one[%n] : tensor<?xf64>
  %g, %bar = ad.vjp @gradient(%xs) seed(%ones) : (tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %bar : tensor<?xf64>
}
