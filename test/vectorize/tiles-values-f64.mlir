// Rows that several iterations write together, and what is left of them, are the same as row by row: with three numbers
// per iteration and with one. Vectors fill four registers.
// RUN: %python %S/../driver/Inputs/npy.py %t.w.npy '<f8' '(11,)' --vary=1
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(37,)' --vary=2
// RUN: %python %S/../driver/Inputs/npy.py %t.ids.npy '<i8' '(17,)' 4 0 7 9 2 10 5 5 1 8 3 6 0 10 2 9 7
// RUN: ad-opt run %s --entry=same --input=%t.w.npy --input=%t.x.npy --input=%t.ids.npy --input=0 | FileCheck %s
// RUN: ad-opt run %s --entry=same --input=%t.w.npy --input=%t.x.npy --input=%t.ids.npy --input=1 | FileCheck %s
// RUN: ad-opt run %s --entry=same --input=%t.w.npy --input=%t.x.npy --input=%t.ids.npy --input=7 | FileCheck %s
// RUN: ad-opt run %s --entry=same --input=%t.w.npy --input=%t.x.npy --input=%t.ids.npy --input=8 | FileCheck %s
// RUN: ad-opt run %s --entry=same --input=%t.w.npy --input=%t.x.npy --input=%t.ids.npy --input=9 | FileCheck %s
// RUN: ad-opt run %s --entry=same --input=%t.w.npy --input=%t.x.npy --input=%t.ids.npy --input=17 | FileCheck %s
// CHECK: true

func.func private @row(%w: tensor<?xf64>, %x: tensor<?xf64>, %ids: tensor<?xi64>, %n: index, %i: index) -> (tensor<?x3xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = tensor.dim %w, %c0 : tensor<?xf64>
  %seed = tensor.extract %x[%i] : tensor<?xf64>
  %half = arith.constant 0.5 : f64
  %empty = tensor.empty(%m) : tensor<?x3xf64>
  %table, %end0 = scf.for %j = %c0 to %m step %c1 iter_args(%t = %empty, %s0 = %seed) -> (tensor<?x3xf64>, f64) {
    %wj = tensor.extract %w[%j] : tensor<?xf64>
    %p0 = arith.mulf %s0, %wj : f64
    %q0 = arith.mulf %p0, %half : f64
    %r0 = math.sin %q0 : f64
    %n0 = arith.addf %r0, %wj : f64
    %t0 = tensor.insert %n0 into %t[%j, %c0] : tensor<?x3xf64>
    %t1 = tensor.insert %q0 into %t0[%j, %c1] : tensor<?x3xf64>
    %t2 = tensor.insert %r0 into %t1[%j, %c2] : tensor<?x3xf64>
    scf.yield %t2, %n0 : tensor<?x3xf64>, f64
  }
  %axes = soac.iota : tensor<3xindex>
  %range = soac.iota %n : tensor<?xindex>
  %wide = soac.map ins(%range : tensor<?xindex>) (%j: index) -> tensor<?x3xf64> {
    %whole = tensor.extract %ids[%j] : tensor<?xi64>
    %at = arith.index_cast %whole : i64 to index
    %three = soac.map ins(%axes : tensor<3xindex>) (%axis: index) -> tensor<3xf64> {
      %e = tensor.extract %table[%at, %axis] : tensor<?x3xf64>
      %minus = arith.negf %e : f64
      soac.yield %minus : f64
    }
    soac.yield %three : tensor<3xf64>
  }
  %narrow = soac.map ins(%range : tensor<?xindex>) (%j: index) -> tensor<?xf64> {
    %whole = tensor.extract %ids[%j] : tensor<?xi64>
    %at = arith.index_cast %whole : i64 to index
    %e = tensor.extract %table[%at, %c0] : tensor<?x3xf64>
    %minus = arith.negf %e : f64
    soac.yield %minus : f64
  }
  return %wide, %narrow : tensor<?x3xf64>, tensor<?xf64>
}

func.func private @rows(%w: tensor<?xf64>, %x: tensor<?xf64>, %ids: tensor<?xi64>, %n: index) -> (tensor<?x?x3xf64>, tensor<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %lanes = tensor.dim %x, %c0 : tensor<?xf64>
  %range = soac.iota %lanes : tensor<?xindex>
  %wide, %narrow = soac.map ins(%range : tensor<?xindex>) (%i: index) -> (tensor<?x?x3xf64>, tensor<?x?xf64>) {
    %row:2 = func.call @row(%w, %x, %ids, %n, %i) : (tensor<?xf64>, tensor<?xf64>, tensor<?xi64>, index, index) -> (tensor<?x3xf64>, tensor<?xf64>)
    soac.yield %row#0, %row#1 : tensor<?x3xf64>, tensor<?xf64>
  }
  return %wide, %narrow : tensor<?x?x3xf64>, tensor<?x?xf64>
}

func.func private @is_near(%so_far: i1, %x: f64, %y: f64) -> i1 {
  %near = arith.constant 1.0e-12 : f64
  %d = arith.subf %x, %y : f64
  %size = math.absf %d : f64
  %is = arith.cmpf ole, %size, %near : f64
  %both = arith.andi %so_far, %is : i1
  return %both : i1
}

func.func @same(%w: tensor<?xf64>, %x: tensor<?xf64>, %ids: tensor<?xi64>, %n: index) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %true = arith.constant true
  %lanes = tensor.dim %x, %c0 : tensor<?xf64>
  %all:2 = func.call @rows(%w, %x, %ids, %n) : (tensor<?xf64>, tensor<?xf64>, tensor<?xi64>, index) -> (tensor<?x?x3xf64>, tensor<?x?xf64>)
  %are = scf.for %i = %c0 to %lanes step %c1 iter_args(%a = %true) -> i1 {
    %row:2 = func.call @row(%w, %x, %ids, %n, %i) : (tensor<?xf64>, tensor<?xf64>, tensor<?xi64>, index, index) -> (tensor<?x3xf64>, tensor<?xf64>)
    %of_row = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> i1 {
      %wide = scf.for %axis = %c0 to %c3 step %c1 iter_args(%c = %b) -> i1 {
        %x0 = tensor.extract %all#0[%i, %j, %axis] : tensor<?x?x3xf64>
        %y0 = tensor.extract %row#0[%j, %axis] : tensor<?x3xf64>
        %is0 = func.call @is_near(%c, %x0, %y0) : (i1, f64, f64) -> i1
        scf.yield %is0 : i1
      }
      %x1 = tensor.extract %all#1[%i, %j] : tensor<?x?xf64>
      %y1 = tensor.extract %row#1[%j] : tensor<?xf64>
      %is1 = func.call @is_near(%wide, %x1, %y1) : (i1, f64, f64) -> i1
      scf.yield %is1 : i1
    }
    scf.yield %of_row : i1
  }
  return %are : i1
}
