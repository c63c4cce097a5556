// A division that is the same in all iterations of a loop, in a branch that the first of several iterations did not take: LLVM
// made it for that one only, and the others read anywhere.
// RUN: %python %S/../driver/Inputs/npy.py %t.npy '<f8' '(37,)' -1 1 1 1 -1 1 1 1 -1 1 1 1 -1 1 1 1 -1 1 1 1 -1 1 1 1 -1 1 1 1 -1 1 1 1 -1 1 1 1 -1
// RUN: ad-opt run %s --entry=inside --input=%t.npy --input=14 --input=9 | FileCheck %s
// RUN: ad-opt run %s --entry=before --input=%t.npy --input=14 --input=9 | FileCheck %s

// Row 14 mod 9 = 5 of an array of 9 rows, as often as there is a 1.
// CHECK: 135.0
func.func @inside(%x: tensor<?xf64>, %i: index, %m: index) -> f64 {
  %zero = arith.constant 0.0 : f64
  %rows = func.call @rows(%x, %m) : (tensor<?xf64>, index) -> tensor<?x?xf64>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %js = soac.iota %n : tensor<?xindex>
  %t = soac.map ins(%x, %js : tensor<?xf64>, tensor<?xindex>) (%p: f64, %j: index) -> tensor<?xf64> {
    %c = arith.cmpf ogt, %p, %zero : f64
    %e = scf.if %c -> f64 {
      %k = arith.remui %i, %m : index
      %read = tensor.extract %rows[%k, %j] : tensor<?x?xf64>
      scf.yield %read : f64
    } else {
      scf.yield %zero : f64
    }
    soac.yield %e : f64
  }
  %r = func.call @sum(%t) : (tensor<?xf64>) -> f64
  return %r : f64
}

// LLVM moves this one into the branch.
func.func @before(%x: tensor<?xf64>, %i: index, %m: index) -> f64 {
  %zero = arith.constant 0.0 : f64
  %rows = func.call @rows(%x, %m) : (tensor<?xf64>, index) -> tensor<?x?xf64>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %js = soac.iota %n : tensor<?xindex>
  %t = soac.map ins(%x, %js : tensor<?xf64>, tensor<?xindex>) (%p: f64, %j: index) -> tensor<?xf64> {
    %k = arith.remui %i, %m : index
    %c = arith.cmpf ogt, %p, %zero : f64
    %e = scf.if %c -> f64 {
      %read = tensor.extract %rows[%k, %j] : tensor<?x?xf64>
      scf.yield %read : f64
    } else {
      scf.yield %zero : f64
    }
    soac.yield %e : f64
  }
  %r = func.call @sum(%t) : (tensor<?xf64>) -> f64
  return %r : f64
}

func.func private @rows(%x: tensor<?xf64>, %m: index) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %ks = soac.iota %m : tensor<?xindex>
  %rows = soac.map ins(%ks : tensor<?xindex>) (%k: index) -> tensor<?x?xf64> {
    %whole = arith.index_cast %k : index to i64
    %v = arith.sitofp %whole : i64 to f64
    %row = soac.replicate %v, %n : f64 -> tensor<?xf64>
    soac.yield %row : tensor<?xf64>
  }
  return %rows : tensor<?x?xf64>
}

func.func private @sum(%t: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %r = soac.reduce ins(%t : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %r : f64
}
