// Rows that several iterations write together, and what is left of them, are the same as row by row: with three numbers
// per iteration and with one. Vectors fill one register.
// RUN: %python %S/../driver/Inputs/npy.py %t.w.npy '<f4' '(11,)' --vary=1
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f4' '(37,)' --vary=2
// RUN: %python %S/../driver/Inputs/npy.py %t.ids.npy '<i8' '(17,)' 4 0 7 9 2 10 5 5 1 8 3 6 0 10 2 9 7
// RUN: ad-opt run %s --entry=same --input=%t.w.npy --input=%t.x.npy --input=%t.ids.npy --input=0 | FileCheck %s
// RUN: ad-opt run %s --entry=same --input=%t.w.npy --input=%t.x.npy --input=%t.ids.npy --input=1 | FileCheck %s
// RUN: ad-opt run %s --entry=same --input=%t.w.npy --input=%t.x.npy --input=%t.ids.npy --input=7 | FileCheck %s
// RUN: ad-opt run %s --entry=same --input=%t.w.npy --input=%t.x.npy --input=%t.ids.npy --input=8 | FileCheck %s
// RUN: ad-opt run %s --entry=same --input=%t.w.npy --input=%t.x.npy --input=%t.ids.npy --input=9 | FileCheck %s
// RUN: ad-opt run %s --entry=same --input=%t.w.npy --input=%t.x.npy --input=%t.ids.npy --input=17 | FileCheck %s
// CHECK: true

func.func private @row(%w: tensor<?xf32>, %x: tensor<?xf32>, %ids: tensor<?xi64>, %n: index, %i: index) -> (tensor<?x3xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = tensor.dim %w, %c0 : tensor<?xf32>
  %seed = tensor.extract %x[%i] : tensor<?xf32>
  %half = arith.constant 0.5 : f32
  %empty = tensor.empty(%m) : tensor<?x3xf32>
  %table, %end0, %end1, %end2, %end3, %end4 = scf.for %j = %c0 to %m step %c1 iter_args(%t = %empty, %s0 = %seed, %s1 = %seed, %s2 = %seed, %s3 = %seed, %s4 = %seed) -> (tensor<?x3xf32>, f32, f32, f32, f32, f32) {
    %wj = tensor.extract %w[%j] : tensor<?xf32>
    %p0 = arith.mulf %s0, %wj : f32
    %q0 = arith.mulf %p0, %half : f32
    %r0 = math.sin %q0 : f32
    %n0 = arith.addf %r0, %wj : f32
    %p1 = arith.mulf %s1, %wj : f32
    %q1 = arith.mulf %p1, %half : f32
    %r1 = math.sin %q1 : f32
    %n1 = arith.addf %r1, %n0 : f32
    %p2 = arith.mulf %s2, %wj : f32
    %q2 = arith.mulf %p2, %half : f32
    %r2 = math.sin %q2 : f32
    %n2 = arith.addf %r2, %n1 : f32
    %p3 = arith.mulf %s3, %wj : f32
    %q3 = arith.mulf %p3, %half : f32
    %r3 = math.sin %q3 : f32
    %n3 = arith.addf %r3, %n2 : f32
    %p4 = arith.mulf %s4, %wj : f32
    %q4 = arith.mulf %p4, %half : f32
    %r4 = math.sin %q4 : f32
    %n4 = arith.addf %r4, %n3 : f32
    %t0 = tensor.insert %n0 into %t[%j, %c0] : tensor<?x3xf32>
    %t1 = tensor.insert %q0 into %t0[%j, %c1] : tensor<?x3xf32>
    %t2 = tensor.insert %n4 into %t1[%j, %c2] : tensor<?x3xf32>
    scf.yield %t2, %n0, %n1, %n2, %n3, %n4 : tensor<?x3xf32>, f32, f32, f32, f32, f32
  }
  %axes = soac.iota : tensor<3xindex>
  %range = soac.iota %n : tensor<?xindex>
  %wide = soac.map ins(%range : tensor<?xindex>) (%j: index) -> tensor<?x3xf32> {
    %whole = tensor.extract %ids[%j] : tensor<?xi64>
    %at = arith.index_cast %whole : i64 to index
    %three = soac.map ins(%axes : tensor<3xindex>) (%axis: index) -> tensor<3xf32> {
      %e = tensor.extract %table[%at, %axis] : tensor<?x3xf32>
      %minus = arith.negf %e : f32
      soac.yield %minus : f32
    }
    soac.yield %three : tensor<3xf32>
  }
  %narrow = soac.map ins(%range : tensor<?xindex>) (%j: index) -> tensor<?xf32> {
    %whole = tensor.extract %ids[%j] : tensor<?xi64>
    %at = arith.index_cast %whole : i64 to index
    %e = tensor.extract %table[%at, %c0] : tensor<?x3xf32>
    %minus = arith.negf %e : f32
    soac.yield %minus : f32
  }
  return %wide, %narrow : tensor<?x3xf32>, tensor<?xf32>
}

func.func private @rows(%w: tensor<?xf32>, %x: tensor<?xf32>, %ids: tensor<?xi64>, %n: index) -> (tensor<?x?x3xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %lanes = tensor.dim %x, %c0 : tensor<?xf32>
  %range = soac.iota %lanes : tensor<?xindex>
  %wide, %narrow = soac.map ins(%range : tensor<?xindex>) (%i: index) -> (tensor<?x?x3xf32>, tensor<?x?xf32>) {
    %row:2 = func.call @row(%w, %x, %ids, %n, %i) : (tensor<?xf32>, tensor<?xf32>, tensor<?xi64>, index, index) -> (tensor<?x3xf32>, tensor<?xf32>)
    soac.yield %row#0, %row#1 : tensor<?x3xf32>, tensor<?xf32>
  }
  return %wide, %narrow : tensor<?x?x3xf32>, tensor<?x?xf32>
}

func.func private @is_near(%so_far: i1, %x: f32, %y: f32) -> i1 {
  %near = arith.constant 1.0e-4 : f32
  %d = arith.subf %x, %y : f32
  %size = math.absf %d : f32
  %is = arith.cmpf ole, %size, %near : f32
  %both = arith.andi %so_far, %is : i1
  return %both : i1
}

func.func @same(%w: tensor<?xf32>, %x: tensor<?xf32>, %ids: tensor<?xi64>, %n: index) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %true = arith.constant true
  %lanes = tensor.dim %x, %c0 : tensor<?xf32>
  %all:2 = func.call @rows(%w, %x, %ids, %n) : (tensor<?xf32>, tensor<?xf32>, tensor<?xi64>, index) -> (tensor<?x?x3xf32>, tensor<?x?xf32>)
  %are = scf.for %i = %c0 to %lanes step %c1 iter_args(%a = %true) -> i1 {
    %row:2 = func.call @row(%w, %x, %ids, %n, %i) : (tensor<?xf32>, tensor<?xf32>, tensor<?xi64>, index, index) -> (tensor<?x3xf32>, tensor<?xf32>)
    %of_row = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> i1 {
      %wide = scf.for %axis = %c0 to %c3 step %c1 iter_args(%c = %b) -> i1 {
        %x0 = tensor.extract %all#0[%i, %j, %axis] : tensor<?x?x3xf32>
        %y0 = tensor.extract %row#0[%j, %axis] : tensor<?x3xf32>
        %is0 = func.call @is_near(%c, %x0, %y0) : (i1, f32, f32) -> i1
        scf.yield %is0 : i1
      }
      %x1 = tensor.extract %all#1[%i, %j] : tensor<?x?xf32>
      %y1 = tensor.extract %row#1[%j] : tensor<?xf32>
      %is1 = func.call @is_near(%wide, %x1, %y1) : (i1, f32, f32) -> i1
      scf.yield %is1 : i1
    }
    scf.yield %of_row : i1
  }
  return %are : i1
}
