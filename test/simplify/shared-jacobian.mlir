// A Jacobian by forward mode over all directions: of rows that each depend on the row before, through a loop
// with a branch and a map, then of a map over them. The rows, and the cosines of them, are computed once; and
// the Jacobian is what a loop over the directions gives.
// RUN: ad-opt %s --ad-optimize | FileCheck %s
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(5,)' --vary=2
// RUN: %python %S/../driver/Inputs/npy.py %t.one.npy '<f8' '(1,)' --vary=2
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<f8' '(0,)'
// RUN: ad-opt run %s --entry=same --input=%t.x.npy | FileCheck %s --check-prefix=SAME
// RUN: ad-opt run %s --entry=same --input=%t.one.npy | FileCheck %s --check-prefix=SAME
// RUN: ad-opt run %s --entry=same --input=%t.none.npy | FileCheck %s --check-prefix=SAME
// SAME: true

// CHECK-LABEL: func.func @jacobian(
// CHECK: scf.for
// CHECK: math.cos
// CHECK: soac.map ins(%{{.*}} : tensor<?xindex>) (%{{.*}}: index) -> tensor<?x?x2xf64>
// CHECK: scf.for
// CHECK-NOT: math.cos
// CHECK: return
func.func private @rows(%x: tensor<?xf64>) -> tensor<?x2xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %start = tensor.splat %one[%n] : tensor<?x2xf64>
  %rows = scf.for %i = %c0 to %n step %c1 iter_args(%rows = %start) -> tensor<?x2xf64> {
    %xi = tensor.extract %x[%i] : tensor<?xf64>
    %is_first = arith.cmpi eq, %i, %c0 : index
    %row = scf.if %is_first -> tensor<2xf64> {
      %row = tensor.from_elements %xi, %one : tensor<2xf64>
      scf.yield %row : tensor<2xf64>
    } else {
      %before = arith.subi %i, %c1 : index
      %last = tensor.extract_slice %rows[%before, 0] [1, 2] [1, 1] : tensor<?x2xf64> to tensor<2xf64>
      %row = soac.map ins(%last : tensor<2xf64>) (%a: f64) -> tensor<2xf64> {
        %b = arith.mulf %a, %xi : f64
        soac.yield %b : f64
      }
      scf.yield %row : tensor<2xf64>
    }
    %new = tensor.insert_slice %row into %rows[%i, 0] [1, 2] [1, 1] : tensor<2xf64> into tensor<?x2xf64>
    scf.yield %new : tensor<?x2xf64>
  }
  %waves = soac.map ins(%rows : tensor<?x2xf64>) (%row: tensor<2xf64>) -> tensor<?x2xf64> {
    %wave = soac.map ins(%row : tensor<2xf64>) (%a: f64) -> tensor<2xf64> {
      %s = math.sin %a : f64
      soac.yield %s : f64
    }
    soac.yield %wave : tensor<2xf64>
  }
  return %waves : tensor<?x2xf64>
}
func.func @jacobian(%x: tensor<?xf64>) -> tensor<?x?x2xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %range = soac.iota %n : tensor<?xindex>
  %all = soac.map ins(%range : tensor<?xindex>) (%k: index) -> tensor<?x?x2xf64> {
    %direction = soac.map ins(%range : tensor<?xindex>) (%j: index) -> tensor<?xf64> {
      %is = arith.cmpi eq, %j, %k : index
      %d = arith.select %is, %one, %zero : f64
      soac.yield %d : f64
    }
    %y, %t = ad.jvp @rows(%x) seed(%direction) : (tensor<?xf64>), (tensor<?xf64>) -> (tensor<?x2xf64>, tensor<?x2xf64>)
    soac.yield %t : tensor<?x2xf64>
  }
  return %all : tensor<?x?x2xf64>
}

func.func @same(%x: tensor<?xf64>) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %near = arith.constant 1.0e-9 : f64
  %true = arith.constant true
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %range = soac.iota %n : tensor<?xindex>
  %two = soac.iota : tensor<2xindex>
  %jacobian = func.call @jacobian(%x) : (tensor<?xf64>) -> tensor<?x?x2xf64>
  %all = scf.for %k = %c0 to %n step %c1 iter_args(%so_far = %true) -> i1 {
    %zeros = tensor.splat %zero[%n] : tensor<?xf64>
    %direction = tensor.insert %one into %zeros[%k] : tensor<?xf64>
    %y, %t = ad.jvp @rows(%x) seed(%direction) : (tensor<?xf64>), (tensor<?xf64>) -> (tensor<?x2xf64>, tensor<?x2xf64>)
    %are = soac.map ins(%range, %t : tensor<?xindex>, tensor<?x2xf64>) (%i: index, %row: tensor<2xf64>) -> tensor<?xi1> {
      %is = soac.map ins(%two, %row : tensor<2xindex>, tensor<2xf64>) (%j: index, %a: f64) -> tensor<2xi1> {
        %b = tensor.extract %jacobian[%k, %i, %j] : tensor<?x?x2xf64>
        %d = arith.subf %a, %b : f64
        %size = math.absf %d : f64
        %is = arith.cmpf ole, %size, %near : f64
        soac.yield %is : i1
      }
      %both = soac.reduce ins(%is : tensor<2xi1>) neutral(%true : i1) (%a: i1, %b: i1) {
        %c = arith.andi %a, %b : i1
        soac.yield %c : i1
      }
      soac.yield %both : i1
    }
    %ok = soac.reduce ins(%are : tensor<?xi1>) neutral(%so_far : i1) (%a: i1, %b: i1) {
      %c = arith.andi %a, %b : i1
      soac.yield %c : i1
    }
    scf.yield %ok : i1
  }
  return %all : i1
}
