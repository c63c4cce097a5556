// Derivatives with respect to what all points have in common are right for any number of points, and for none.
// RUN: %python %S/../driver/Inputs/npy.py %t.m.npy '<f8' '(3,)' --vary=1
// RUN: %python %S/../driver/Inputs/npy.py %t.q.npy '<f8' '(3,3)' --vary=2
// RUN: %python %S/../driver/Inputs/npy.py %t.x0.npy '<f8' '(0,3)'
// RUN: %python %S/../driver/Inputs/npy.py %t.x1.npy '<f8' '(1,3)' --vary=3
// RUN: %python %S/../driver/Inputs/npy.py %t.x37.npy '<f8' '(37,3)' --vary=4
// RUN: ad-opt check %s --entry=triangle --input=%t.m.npy --input=%t.q.npy --input=%t.x0.npy
// RUN: ad-opt check %s --entry=triangle --input=%t.m.npy --input=%t.q.npy --input=%t.x1.npy
// RUN: ad-opt check %s --entry=triangle --input=%t.m.npy --input=%t.q.npy --input=%t.x37.npy
// RUN: ad-opt check %s --entry=square --input=%t.m.npy --input=%t.q.npy --input=%t.x0.npy
// RUN: ad-opt check %s --entry=square --input=%t.m.npy --input=%t.q.npy --input=%t.x37.npy

// What no point contributes to is zero, although infinity is among what would be multiplied.
// RUN: %python %S/../driver/Inputs/npy.py %t.inf.npy '<f8' '(3,3)' inf inf inf inf inf inf inf inf inf
// RUN: ad-opt run %s --entry=gradient --input=%t.m.npy --input=%t.inf.npy --input=%t.x0.npy | FileCheck %s
// CHECK: [0.0, 0.0, 0.0]

// The sum of the squares of Q (x - m), for a triangle Q.
func.func @triangle(%m: tensor<?xf64>, %q: tensor<?x?xf64>, %x: tensor<?x?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %q, %c0 : tensor<?x?xf64>
  %is = soac.iota %n : tensor<?xindex>
  %sums = soac.map ins(%x : tensor<?x?xf64>) (%point: tensor<?xf64>) -> tensor<?xf64> {
    %centred = func.call @minus(%point, %m) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %squares = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
      %width = arith.addi %i, %c1 : index
      %ks = soac.iota %width : tensor<?xindex>
      %products = soac.map ins(%ks : tensor<?xindex>) (%k: index) -> tensor<?xf64> {
        %a = tensor.extract %q[%i, %k] : tensor<?x?xf64>
        %b = tensor.extract %centred[%k] : tensor<?xf64>
        %p = arith.mulf %a, %b : f64
        soac.yield %p : f64
      }
      %c = func.call @sum(%products) : (tensor<?xf64>) -> f64
      %square = arith.mulf %c, %c : f64
      soac.yield %square : f64
    }
    %sum = func.call @sum(%squares) : (tensor<?xf64>) -> f64
    soac.yield %sum : f64
  }
  %total = func.call @sum(%sums) : (tensor<?xf64>) -> f64
  return %total : f64
}

// The same for a matrix whose rows are mapped over.
func.func @square(%m: tensor<?xf64>, %q: tensor<?x?xf64>, %x: tensor<?x?xf64>) -> f64 {
  %sums = soac.map ins(%x : tensor<?x?xf64>) (%point: tensor<?xf64>) -> tensor<?xf64> {
    %centred = func.call @minus(%point, %m) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %squares = soac.map ins(%q : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?xf64> {
      %products = soac.map ins(%row, %centred : tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64) -> tensor<?xf64> {
        %p = arith.mulf %a, %b : f64
        soac.yield %p : f64
      }
      %c = func.call @sum(%products) : (tensor<?xf64>) -> f64
      %square = arith.mulf %c, %c : f64
      soac.yield %square : f64
    }
    %sum = func.call @sum(%squares) : (tensor<?xf64>) -> f64
    soac.yield %sum : f64
  }
  %total = func.call @sum(%sums) : (tensor<?xf64>) -> f64
  return %total : f64
}

func.func @gradient(%m: tensor<?xf64>, %q: tensor<?x?xf64>, %x: tensor<?x?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @triangle(%m, %q, %x) seed(%one) {wrt = array<i64: 0>}
      : (tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

func.func private @minus(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %r = soac.map ins(%x, %y : tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64) -> tensor<?xf64> {
    %d = arith.subf %a, %b : f64
    soac.yield %d : f64
  }
  return %r : tensor<?xf64>
}

func.func private @sum(%xs: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %r = soac.reduce ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %s = arith.addf %a, %b : f64
    soac.yield %s : f64
  }
  return %r : f64
}
