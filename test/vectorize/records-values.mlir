// Records, by whose numbers others are looked up, one by one and several at once: f64 and f32, rows that a
// piece fits into or not, a number apart from the others, which is read first, and any number of records.
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(9,9)' --vary=1
// RUN: ad-opt run %s --entry=same --input=%t.x.npy --input=0 | FileCheck %s
// RUN: ad-opt run %s --entry=same --input=%t.x.npy --input=1 | FileCheck %s
// RUN: ad-opt run %s --entry=same --input=%t.x.npy --input=4 | FileCheck %s
// RUN: ad-opt run %s --entry=same --input=%t.x.npy --input=29 | FileCheck %s
// CHECK: true

func.func private @record(%xs: tensor<?x9xf64>, %i: index) -> (tensor<7xf64>, tensor<2x5xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %n = tensor.dim %xs, %c0 : tensor<?x9xf64>
  %times = arith.muli %i, %c5 : index
  %at = arith.remui %times, %n : index
  %x6 = tensor.extract %xs[%at, %c8] : tensor<?x9xf64>
  %x0 = tensor.extract %xs[%at, %c0] : tensor<?x9xf64>
  %x1 = tensor.extract %xs[%at, %c1] : tensor<?x9xf64>
  %x2 = tensor.extract %xs[%at, %c2] : tensor<?x9xf64>
  %x3 = tensor.extract %xs[%at, %c3] : tensor<?x9xf64>
  %x4 = tensor.extract %xs[%at, %c4] : tensor<?x9xf64>
  %x5 = tensor.extract %xs[%at, %c5] : tensor<?x9xf64>
  %e0 = math.exp %x0 : f64
  %e1 = math.sin %x1 : f64
  %e2 = math.cos %x2 : f64
  %e3 = math.exp %x3 : f64
  %e4 = math.sin %x4 : f64
  %e5 = math.cos %x5 : f64
  %e6 = arith.mulf %e0, %x6 : f64
  %f0 = arith.truncf %e0 : f64 to f32
  %f1 = arith.truncf %e1 : f64 to f32
  %f2 = arith.truncf %e2 : f64 to f32
  %f3 = arith.truncf %e3 : f64 to f32
  %f4 = arith.truncf %e4 : f64 to f32
  %f5 = arith.truncf %e5 : f64 to f32
  %f6 = arith.truncf %e6 : f64 to f32
  %wide = tensor.from_elements %e0, %e1, %e2, %e3, %e4, %e5, %e6 : tensor<7xf64>
  %single = tensor.from_elements %f0, %f1, %f2, %f3, %f4, %f5, %f6, %f0, %f2, %f4 : tensor<2x5xf32>
  return %wide, %single : tensor<7xf64>, tensor<2x5xf32>
}

func.func private @at_once(%xs: tensor<?x9xf64>, %m: index) -> (tensor<?x7xf64>, tensor<?x2x5xf32>) {
  %range = soac.iota %m : tensor<?xindex>
  %r:2 = soac.map ins(%range : tensor<?xindex>) (%i: index) -> (tensor<?x7xf64>, tensor<?x2x5xf32>) {
    %one:2 = func.call @record(%xs, %i) : (tensor<?x9xf64>, index) -> (tensor<7xf64>, tensor<2x5xf32>)
    soac.yield %one#0, %one#1 : tensor<7xf64>, tensor<2x5xf32>
  }
  return %r#0, %r#1 : tensor<?x7xf64>, tensor<?x2x5xf32>
}

func.func @same(%xs: tensor<?x9xf64>, %m: index) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %near = arith.constant 1.0e-6 : f64
  %true = arith.constant true
  %seven = soac.iota : tensor<7xindex>
  %two = soac.iota : tensor<2xindex>
  %five = soac.iota : tensor<5xindex>
  %r:2 = func.call @at_once(%xs, %m) : (tensor<?x9xf64>, index) -> (tensor<?x7xf64>, tensor<?x2x5xf32>)
  %all = scf.for %i = %c0 to %m step %c1 iter_args(%so_far = %true) -> i1 {
    %one:2 = func.call @record(%xs, %i) : (tensor<?x9xf64>, index) -> (tensor<7xf64>, tensor<2x5xf32>)
    %are = soac.map ins(%seven, %one#0 : tensor<7xindex>, tensor<7xf64>) (%j: index, %a: f64) -> tensor<7xi1> {
      %b = tensor.extract %r#0[%i, %j] : tensor<?x7xf64>
      %d = arith.subf %a, %b : f64
      %size = math.absf %d : f64
      %is = arith.cmpf ole, %size, %near : f64
      soac.yield %is : i1
    }
    %single_are = soac.map ins(%two, %one#1 : tensor<2xindex>, tensor<2x5xf32>) (%k: index, %row: tensor<5xf32>) -> tensor<2xi1> {
      %is = soac.map ins(%five, %row : tensor<5xindex>, tensor<5xf32>) (%j: index, %a: f32) -> tensor<5xi1> {
        %b = tensor.extract %r#1[%i, %k, %j] : tensor<?x2x5xf32>
        %d = arith.subf %a, %b : f32
        %size = math.absf %d : f32
        %wide = arith.extf %size : f32 to f64
        %is = arith.cmpf ole, %wide, %near : f64
        soac.yield %is : i1
      }
      %both = soac.reduce ins(%is : tensor<5xi1>) neutral(%true : i1) (%a: i1, %b: i1) {
        %c = arith.andi %a, %b : i1
        soac.yield %c : i1
      }
      soac.yield %both : i1
    }
    %wide_ok = soac.reduce ins(%are : tensor<7xi1>) neutral(%so_far : i1) (%a: i1, %b: i1) {
      %c = arith.andi %a, %b : i1
      soac.yield %c : i1
    }
    %single_ok = soac.reduce ins(%single_are : tensor<2xi1>) neutral(%wide_ok : i1) (%a: i1, %b: i1) {
      %c = arith.andi %a, %b : i1
      soac.yield %c : i1
    }
    %ok = arith.andi %single_ok, %wide_ok : i1
    scf.yield %ok : i1
  }
  return %all : i1
}
