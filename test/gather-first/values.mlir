// Few and many rows, also none, give what a loop over the readers gives; and a row that is read under a
// condition may have no number.
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(9,3)' --vary=1
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<f8' '(0,3)'
// RUN: %python %S/../driver/Inputs/npy.py %t.one.npy '<f8' '(1,3)' --vary=1
// RUN: ad-opt run %s --entry=same --input=%t.x.npy --input=0 | FileCheck %s
// RUN: ad-opt run %s --entry=same --input=%t.x.npy --input=1 | FileCheck %s
// RUN: ad-opt run %s --entry=same --input=%t.x.npy --input=3 | FileCheck %s
// RUN: ad-opt run %s --entry=same --input=%t.x.npy --input=4 | FileCheck %s
// RUN: ad-opt run %s --entry=same --input=%t.x.npy --input=40 | FileCheck %s
// RUN: ad-opt run %s --entry=same --input=%t.none.npy --input=0 | FileCheck %s
// RUN: ad-opt run %s --entry=same --input=%t.one.npy --input=1 | FileCheck %s
// RUN: ad-opt check %s --entry=both --input=%t.x.npy --input=3
// RUN: ad-opt check %s --entry=both --input=%t.x.npy --input=12
// CHECK: true

// Two rows for every reader, the second one only of some.
func.func @both(%xs: tensor<?x3xf64>, %m: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %zero_f32 = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %none = arith.constant -1 : index
  %n = tensor.dim %xs, %c0 : tensor<?x3xf64>
  %is = tensor.generate %m {
  ^bb0(%i: index):
    %p = arith.muli %i, %c7 : index
    %q = arith.addi %p, %c5 : index
    %r = arith.remui %q, %n : index
    tensor.yield %r : index
  } : tensor<?xindex>
  %sums, %singles = soac.map ins(%xs : tensor<?x3xf64>) (%x: tensor<3xf64>) -> (tensor<?xf64>, tensor<?x3xf32>) {
    %y = soac.reduce ins(%x : tensor<3xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    %single = soac.map ins(%x : tensor<3xf64>) (%a: f64) -> tensor<3xf32> {
      %b = arith.truncf %a : f64 to f32
      soac.yield %b : f32
    }
    soac.yield %y, %single : f64, tensor<3xf32>
  }
  %zs = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %first = tensor.extract %sums[%i] : tensor<?xf64>
    %is_small = arith.cmpi ult, %i, %c5 : index
    %other = arith.select %is_small, %i, %none : index
    %z = scf.if %is_small -> f64 {
      %row = tensor.extract_slice %singles[%other, 0] [1, 3] [1, 1] : tensor<?x3xf32> to tensor<3xf32>
      %second = soac.reduce ins(%row : tensor<3xf32>) neutral(%zero_f32 : f32) (%a: f32, %b: f32) {
        %c = arith.addf %a, %b : f32
        soac.yield %c : f32
      }
      %wide = arith.extf %second : f32 to f64
      %p = arith.mulf %first, %wide : f64
      scf.yield %p : f64
    } else {
      scf.yield %first : f64
    }
    soac.yield %z : f64
  }
  return %zs : tensor<?xf64>
}

// The same, one reader after the other.
func.func private @in_turn(%xs: tensor<?x3xf64>, %m: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %n = tensor.dim %xs, %c0 : tensor<?x3xf64>
  %empty = tensor.empty(%m) : tensor<?xf64>
  %zs = scf.for %k = %c0 to %m step %c1 iter_args(%zs = %empty) -> tensor<?xf64> {
    %p = arith.muli %k, %c7 : index
    %q = arith.addi %p, %c5 : index
    %i = arith.remui %q, %n : index
    %a = tensor.extract %xs[%i, %c0] : tensor<?x3xf64>
    %b = tensor.extract %xs[%i, %c1] : tensor<?x3xf64>
    %c = tensor.extract %xs[%i, %c2] : tensor<?x3xf64>
    %ab = arith.addf %a, %b : f64
    %sum = arith.addf %ab, %c : f64
    %is_small = arith.cmpi ult, %i, %c5 : index
    %z = scf.if %is_small -> f64 {
      %a32 = arith.truncf %a : f64 to f32
      %b32 = arith.truncf %b : f64 to f32
      %c32 = arith.truncf %c : f64 to f32
      %ab32 = arith.addf %a32, %b32 : f32
      %sum32 = arith.addf %ab32, %c32 : f32
      %wide = arith.extf %sum32 : f32 to f64
      %product = arith.mulf %sum, %wide : f64
      scf.yield %product : f64
    } else {
      scf.yield %sum : f64
    }
    %new = tensor.insert %z into %zs[%k] : tensor<?xf64>
    scf.yield %new : tensor<?xf64>
  }
  return %zs : tensor<?xf64>
}

func.func @same(%xs: tensor<?x3xf64>, %m: index) -> i1 {
  %near = arith.constant 1.0e-5 : f64
  %true = arith.constant true
  %ys = func.call @both(%xs, %m) : (tensor<?x3xf64>, index) -> tensor<?xf64>
  %zs = func.call @in_turn(%xs, %m) : (tensor<?x3xf64>, index) -> tensor<?xf64>
  %are = soac.map ins(%ys, %zs : tensor<?xf64>, tensor<?xf64>) (%y: f64, %z: f64) -> tensor<?xi1> {
    %d = arith.subf %y, %z : f64
    %size = math.absf %d : f64
    %is = arith.cmpf ole, %size, %near : f64
    soac.yield %is : i1
  }
  %all = soac.reduce ins(%are : tensor<?xi1>) neutral(%true : i1) (%a: i1, %b: i1) {
    %c = arith.andi %a, %b : i1
    soac.yield %c : i1
  }
  return %all : i1
}
