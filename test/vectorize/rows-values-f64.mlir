// The gradient of a sum over points with respect to a triangle with rows of all lengths, and to what is subtracted from
// all points, is the same for all points at once and for two parts of them, which fill no vectors.
// RUN: %python %S/../driver/Inputs/npy.py %t.l.npy '<f8' '(19,19)' --vary=1
// RUN: %python %S/../driver/Inputs/npy.py %t.m.npy '<f8' '(19,)' --vary=2
// RUN: %python %S/../driver/Inputs/npy.py %t.l1.npy '<f8' '(1,1)' --vary=1
// RUN: %python %S/../driver/Inputs/npy.py %t.m1.npy '<f8' '(1,)' --vary=2
// RUN: %python %S/../driver/Inputs/npy.py %t.l0.npy '<f8' '(0,0)'
// RUN: %python %S/../driver/Inputs/npy.py %t.m0.npy '<f8' '(0,)'
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(67,19)' --vary=3
// RUN: %python %S/../driver/Inputs/npy.py %t.x1.npy '<f8' '(67,1)' --vary=3
// RUN: %python %S/../driver/Inputs/npy.py %t.x0.npy '<f8' '(67,0)'
// RUN: ad-opt run %s --entry=parts --calls=4 \
// RUN:   --input=%t.l.npy --input=%t.m.npy --input=%t.x.npy --input=15 \
// RUN:   --input=%t.l.npy --input=%t.m.npy --input=%t.x.npy --input=66 \
// RUN:   --input=%t.l1.npy --input=%t.m1.npy --input=%t.x1.npy --input=7 \
// RUN:   --input=%t.l0.npy --input=%t.m0.npy --input=%t.x0.npy --input=7 \
// RUN:   | FileCheck %s
// CHECK-COUNT-4: true
// CHECK-NOT: false

func.func @objective(%l: tensor<?x?xf64>, %m: tensor<?xf64>, %x: tensor<?x?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %d = tensor.dim %m, %c0 : tensor<?xf64>
  %js = soac.iota %d : tensor<?xindex>
  %terms = soac.map ins(%x : tensor<?x?xf64>) (%xi: tensor<?xf64>) -> tensor<?xf64> {
    %centred = soac.map ins(%xi, %m : tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64) -> tensor<?xf64> {
      %c = arith.subf %a, %b : f64
      soac.yield %c : f64
    }
    %squares = soac.map ins(%js : tensor<?xindex>) (%j: index) -> tensor<?xf64> {
      %width = arith.addi %j, %c1 : index
      %ks = soac.iota %width : tensor<?xindex>
      %products = soac.map ins(%ks : tensor<?xindex>) (%k: index) -> tensor<?xf64> {
        %ljk = tensor.extract %l[%j, %k] : tensor<?x?xf64>
        %ck = tensor.extract %centred[%k] : tensor<?xf64>
        %p = arith.mulf %ljk, %ck : f64
        soac.yield %p : f64
      }
      %y = func.call @sum(%products) : (tensor<?xf64>) -> f64
      %square = arith.mulf %y, %y : f64
      soac.yield %square : f64
    }
    %norm = func.call @sum(%squares) : (tensor<?xf64>) -> f64
    soac.yield %norm : f64
  }
  %all = func.call @sum(%terms) : (tensor<?xf64>) -> f64
  return %all : f64
}

func.func private @sum(%x: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %all = soac.reduce ins(%x : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %s = arith.addf %a, %b : f64
    soac.yield %s : f64
  }
  return %all : f64
}

func.func private @worst(%x: tensor<?xf64>, %y: tensor<?xf64>, %z: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %errors = soac.map ins(%x, %y, %z : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64, %c: f64) -> tensor<?xf64> {
    %s = arith.addf %b, %c : f64
    %d = arith.subf %a, %s : f64
    %e = math.absf %d : f64
    soac.yield %e : f64
  }
  %all = soac.reduce ins(%errors : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %s = arith.maximumf %a, %b : f64
    soac.yield %s : f64
  }
  return %all : f64
}

func.func @parts(%l: tensor<?x?xf64>, %m: tensor<?xf64>, %x: tensor<?x?xf64>, %n: index) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %small = arith.constant 1.0e-11 : f64
  %size = tensor.dim %x, %c0 : tensor<?x?xf64>
  %d = tensor.dim %x, %c1 : tensor<?x?xf64>
  %rest = arith.subi %size, %n : index
  %x1 = tensor.extract_slice %x[0, 0] [%n, %d] [1, 1] : tensor<?x?xf64> to tensor<?x?xf64>
  %x2 = tensor.extract_slice %x[%n, 0] [%rest, %d] [1, 1] : tensor<?x?xf64> to tensor<?x?xf64>
  %y:3 = ad.vjp @objective(%l, %m, %x) seed(%one) {wrt = array<i64: 0, 1>}
      : (tensor<?x?xf64>, tensor<?xf64>, tensor<?x?xf64>), (f64) -> (f64, tensor<?x?xf64>, tensor<?xf64>)
  %y1:3 = ad.vjp @objective(%l, %m, %x1) seed(%one) {wrt = array<i64: 0, 1>}
      : (tensor<?x?xf64>, tensor<?xf64>, tensor<?x?xf64>), (f64) -> (f64, tensor<?x?xf64>, tensor<?xf64>)
  %y2:3 = ad.vjp @objective(%l, %m, %x2) seed(%one) {wrt = array<i64: 0, 1>}
      : (tensor<?x?xf64>, tensor<?xf64>, tensor<?x?xf64>), (f64) -> (f64, tensor<?x?xf64>, tensor<?xf64>)
  %a = tensor.collapse_shape %y#1 [[0, 1]] : tensor<?x?xf64> into tensor<?xf64>
  %a1 = tensor.collapse_shape %y1#1 [[0, 1]] : tensor<?x?xf64> into tensor<?xf64>
  %a2 = tensor.collapse_shape %y2#1 [[0, 1]] : tensor<?x?xf64> into tensor<?xf64>
  %l_error = func.call @worst(%a, %a1, %a2) : (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> f64
  %m_error = func.call @worst(%y#2, %y1#2, %y2#2) : (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> f64
  %worst = arith.maximumf %l_error, %m_error : f64
  %is_right = arith.cmpf olt, %worst, %small : f64
  return %is_right : i1
}
