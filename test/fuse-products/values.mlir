// The least and the largest number of each row of a table of whole numbers, which are exact, in one block, in several, with one
// left over, and of nothing; and a derivative through such a loop, in which each row is normalised [F49].
// RUN: ad-opt run %s --entry=differences --input=0 --input=3 | FileCheck %s
// RUN: ad-opt run %s --entry=differences --input=1 --input=1 | FileCheck %s
// RUN: ad-opt run %s --entry=differences --input=70 --input=5 | FileCheck %s
// RUN: ad-opt run %s --entry=differences --input=129 --input=9000 | FileCheck %s
// RUN: ad-opt run %s --entry=differences --input=128 --input=9000 --threads=2 | FileCheck %s
// RUN: ad-opt run %s --entry=differences --input=64 --input=8200 | FileCheck %s
// RUN: ad-opt %s --pass-pipeline='builtin.module(symbol-dce,inline,ad-optimize,ad-place-buffers,ad-fuse-loops,ad-canonicalize,ad-fuse-products)' \
// RUN:   --remarks-filter-analyse=ad-fuse-products 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %python %S/../driver/Inputs/npy.py %t.q.npy '<f8' '(66,2)' --vary=1
// RUN: %python %S/../driver/Inputs/npy.py %t.k.npy '<f8' '(8193,2)' --vary=2
// RUN: ad-opt check %s --entry=attention --input=%t.q.npy --input=%t.k.npy | FileCheck %s --check-prefix=RULES

// CHECK: {{^}}0.0{{$}}
// REMARK: remark: [Analysis] fused | Category:ad-fuse-products | count=2
// RULES: ok

// Row i of a is i, i, and row j of b is j + 1, j + 1: the numbers of row i go from 2 i to 2 i k.
func.func @differences(%n: index, %k: index) -> f64 {
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %far = arith.constant 0x7FF0000000000000 : f64
  %near = arith.constant 0xFFF0000000000000 : f64
  %a = tensor.generate %n, %c2 {
  ^bb0(%i: index, %l: index):
    %x = func.call @number(%i) : (index) -> f64
    tensor.yield %x : f64
  } : tensor<?x?xf64>
  %b = tensor.generate %k, %c2 {
  ^bb0(%j: index, %l: index):
    %c1 = arith.constant 1 : index
    %next = arith.addi %j, %c1 : index
    %x = func.call @number(%next) : (index) -> f64
    tensor.yield %x : f64
  } : tensor<?x?xf64>
  %numbers = soac.iota %n : tensor<?xindex>
  %wrong = soac.map ins(%a, %numbers : tensor<?x?xf64>, tensor<?xindex>) (%row: tensor<?xf64>, %i: index) -> tensor<?xf64> {
    %products = soac.map ins(%b : tensor<?x?xf64>) (%other: tensor<?xf64>) -> tensor<?xf64> {
      %p = func.call @dot(%row, %other) : (tensor<?xf64>, tensor<?xf64>) -> f64
      soac.yield %p : f64
    }
    %least, %most = soac.reduce ins(%products, %products : tensor<?xf64>, tensor<?xf64>) neutral(%far, %near : f64, f64)
        (%x: f64, %y: f64, %u: f64, %v: f64) {
      %l = arith.minimumf %x, %u : f64
      %m = arith.maximumf %y, %v : f64
      soac.yield %l, %m : f64, f64
    }
    %two_i = arith.muli %i, %c2 : index
    %two_ik = arith.muli %two_i, %k : index
    %low = func.call @number(%two_i) : (index) -> f64
    %high = func.call @number(%two_ik) : (index) -> f64
    %below = arith.subf %least, %low : f64
    %above = arith.subf %most, %high : f64
    %d = math.absf %below : f64
    %e = math.absf %above : f64
    %both = arith.addf %d, %e : f64
    soac.yield %both : f64
  }
  %sum = func.call @sum(%wrong) : (tensor<?xf64>) -> f64
  return %sum : f64
}

// The sum of the logarithms of the sums of exponentials of the scores of queries.
func.func @attention(%q: tensor<?x?xf64>, %keys: tensor<?x?xf64>) -> f64 {
  %near = arith.constant 0xFFF0000000000000 : f64
  %all = soac.map ins(%q : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?xf64> {
    %scores = soac.map ins(%keys : tensor<?x?xf64>) (%other: tensor<?xf64>) -> tensor<?xf64> {
      %p = func.call @dot(%row, %other) : (tensor<?xf64>, tensor<?xf64>) -> f64
      soac.yield %p : f64
    }
    %most = soac.reduce ins(%scores : tensor<?xf64>) neutral(%near : f64) (%x: f64, %y: f64) {
      %m = arith.maximumf %x, %y : f64
      soac.yield %m : f64
    }
    %exponentials = soac.map ins(%scores : tensor<?xf64>) (%s: f64) -> tensor<?xf64> {
      %d = arith.subf %s, %most : f64
      %e = math.exp %d : f64
      soac.yield %e : f64
    }
    %sum = func.call @sum(%exponentials) : (tensor<?xf64>) -> f64
    %log = math.log %sum : f64
    %whole = arith.addf %log, %most : f64
    soac.yield %whole : f64
  }
  %sum = func.call @sum(%all) : (tensor<?xf64>) -> f64
  return %sum : f64
}

func.func private @number(%i: index) -> f64 {
  %integer = arith.index_cast %i : index to i64
  %float = arith.sitofp %integer : i64 to f64
  return %float : f64
}

func.func private @dot(%x: tensor<?xf64>, %y: tensor<?xf64>) -> f64 {
  %products = soac.map ins(%x, %y : tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64) -> tensor<?xf64> {
    %ab = arith.mulf %a, %b : f64
    soac.yield %ab : f64
  }
  %dot = func.call @sum(%products) : (tensor<?xf64>) -> f64
  return %dot : f64
}

func.func private @sum(%v: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %s = soac.reduce ins(%v : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %s : f64
}
