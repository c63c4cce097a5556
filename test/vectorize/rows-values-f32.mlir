// The gradient of a sum over points with respect to a triangle with rows of all lengths, and to what is subtracted from
// all points, is the same for all points at once and for two parts of them, which fill no vectors.
// RUN: %python %S/../driver/Inputs/npy.py %t.l.npy '<f4' '(19,19)' --vary=1
// RUN: %python %S/../driver/Inputs/npy.py %t.m.npy '<f4' '(19,)' --vary=2
// RUN: %python %S/../driver/Inputs/npy.py %t.l1.npy '<f4' '(1,1)' --vary=1
// RUN: %python %S/../driver/Inputs/npy.py %t.m1.npy '<f4' '(1,)' --vary=2
// RUN: %python %S/../driver/Inputs/npy.py %t.l0.npy '<f4' '(0,0)'
// RUN: %python %S/../driver/Inputs/npy.py %t.m0.npy '<f4' '(0,)'
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f4' '(67,19)' --vary=3
// RUN: %python %S/../driver/Inputs/npy.py %t.x1.npy '<f4' '(67,1)' --vary=3
// RUN: %python %S/../driver/Inputs/npy.py %t.x0.npy '<f4' '(67,0)'
// RUN: ad-opt run %s --entry=parts --calls=4 \
// RUN:   --input=%t.l.npy --input=%t.m.npy --input=%t.x.npy --input=15 \
// RUN:   --input=%t.l.npy --input=%t.m.npy --input=%t.x.npy --input=66 \
// RUN:   --input=%t.l1.npy --input=%t.m1.npy --input=%t.x1.npy --input=7 \
// RUN:   --input=%t.l0.npy --input=%t.m0.npy --input=%t.x0.npy --input=7 \
// RUN:   | FileCheck %s
// CHECK-COUNT-4: true
// CHECK-NOT: false

func.func @objective(%l: tensor<?x?xf32>, %m: tensor<?xf32>, %x: tensor<?x?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %d = tensor.dim %m, %c0 : tensor<?xf32>
  %js = soac.iota %d : tensor<?xindex>
  %terms = soac.map ins(%x : tensor<?x?xf32>) (%xi: tensor<?xf32>) -> tensor<?xf32> {
    %centred = soac.map ins(%xi, %m : tensor<?xf32>, tensor<?xf32>) (%a: f32, %b: f32) -> tensor<?xf32> {
      %c = arith.subf %a, %b : f32
      soac.yield %c : f32
    }
    %squares = soac.map ins(%js : tensor<?xindex>) (%j: index) -> tensor<?xf32> {
      %width = arith.addi %j, %c1 : index
      %ks = soac.iota %width : tensor<?xindex>
      %products = soac.map ins(%ks : tensor<?xindex>) (%k: index) -> tensor<?xf32> {
        %ljk = tensor.extract %l[%j, %k] : tensor<?x?xf32>
        %ck = tensor.extract %centred[%k] : tensor<?xf32>
        %p = arith.mulf %ljk, %ck : f32
        soac.yield %p : f32
      }
      %y = func.call @sum(%products) : (tensor<?xf32>) -> f32
      %square = arith.mulf %y, %y : f32
      soac.yield %square : f32
    }
    %norm = func.call @sum(%squares) : (tensor<?xf32>) -> f32
    soac.yield %norm : f32
  }
  %all = func.call @sum(%terms) : (tensor<?xf32>) -> f32
  return %all : f32
}

func.func private @sum(%x: tensor<?xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %all = soac.reduce ins(%x : tensor<?xf32>) neutral(%zero : f32) (%a: f32, %b: f32) {
    %s = arith.addf %a, %b : f32
    soac.yield %s : f32
  }
  return %all : f32
}

func.func private @worst(%x: tensor<?xf32>, %y: tensor<?xf32>, %z: tensor<?xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %errors = soac.map ins(%x, %y, %z : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) (%a: f32, %b: f32, %c: f32) -> tensor<?xf32> {
    %s = arith.addf %b, %c : f32
    %d = arith.subf %a, %s : f32
    %e = math.absf %d : f32
    soac.yield %e : f32
  }
  %all = soac.reduce ins(%errors : tensor<?xf32>) neutral(%zero : f32) (%a: f32, %b: f32) {
    %s = arith.maximumf %a, %b : f32
    soac.yield %s : f32
  }
  return %all : f32
}

func.func @parts(%l: tensor<?x?xf32>, %m: tensor<?xf32>, %x: tensor<?x?xf32>, %n: index) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %small = arith.constant 4.0e-3 : f32
  %size = tensor.dim %x, %c0 : tensor<?x?xf32>
  %d = tensor.dim %x, %c1 : tensor<?x?xf32>
  %rest = arith.subi %size, %n : index
  %x1 = tensor.extract_slice %x[0, 0] [%n, %d] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %x2 = tensor.extract_slice %x[%n, 0] [%rest, %d] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %y:3 = ad.vjp @objective(%l, %m, %x) seed(%one) {wrt = array<i64: 0, 1>}
      : (tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>), (f32) -> (f32, tensor<?x?xf32>, tensor<?xf32>)
  %y1:3 = ad.vjp @objective(%l, %m, %x1) seed(%one) {wrt = array<i64: 0, 1>}
      : (tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>), (f32) -> (f32, tensor<?x?xf32>, tensor<?xf32>)
  %y2:3 = ad.vjp @objective(%l, %m, %x2) seed(%one) {wrt = array<i64: 0, 1>}
      : (tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>), (f32) -> (f32, tensor<?x?xf32>, tensor<?xf32>)
  %a = tensor.collapse_shape %y#1 [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %a1 = tensor.collapse_shape %y1#1 [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %a2 = tensor.collapse_shape %y2#1 [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %l_error = func.call @worst(%a, %a1, %a2) : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> f32
  %m_error = func.call @worst(%y#2, %y1#2, %y2#2) : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> f32
  %worst = arith.maximumf %l_error, %m_error : f32
  %is_right = arith.cmpf olt, %worst, %small : f32
  return %is_right : i1
}
