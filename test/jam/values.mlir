// The nearest of k centres 2 c + j for n points i + j in d dimensions is right whatever part of them blocks of points and
// pairs of centres take: distances are d (i - 2 c)^2, and of two centres the first one counts.
// RUN: ad-opt run %s --entry=nearest --input=15 --input=3 --input=33 | FileCheck %s --check-prefix=ALL
// RUN: ad-opt run %s --entry=nearest --input=6 --input=2 --input=16 | FileCheck %s --check-prefix=EVEN
// RUN: ad-opt run %s --entry=nearest --input=7 --input=1 --input=5 | FileCheck %s --check-prefix=ONE
// RUN: ad-opt run %s --entry=nearest --input=1 --input=2 --input=1 | FileCheck %s --check-prefix=FIRST
// RUN: ad-opt run %s --entry=nearest --input=0 --input=3 --input=4 | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %s --entry=nearest --input=2 --input=0 --input=4 | FileCheck %s --check-prefix=FAR
// RUN: ad-opt run %s --entry=nearest --input=2 --input=3 --input=0 | FileCheck %s --check-prefix=FLAT
// RUN: ad-opt run %s --entry=rows --input=19 --input=35 | FileCheck %s --check-prefix=ROWS
// RUN: ad-opt run %s --entry=rows --input=0 --input=35 | FileCheck %s --check-prefix=EMPTY
// RUN: ad-opt run %s --entry=triangle --input=7 | FileCheck %s --check-prefix=TRIANGLE
// RUN: ad-opt run %s --entry=triangle --input=1 | FileCheck %s --check-prefix=TIP
// RUN: ad-opt run %s --entry=triangle --input=0 | FileCheck %s --check-prefix=EMPTY
// RUN: %python %S/../driver/Inputs/npy.py %t.p.npy '<f8' '(13,2)' --vary=1
// RUN: %python %S/../driver/Inputs/npy.py %t.c.npy '<f8' '(3,2)' --vary=2
// RUN: ad-opt check %s --entry=cost --input=%t.p.npy --input=%t.c.npy
// RUN: ad-opt check %s --entry=gradient --input=%t.p.npy --input=%t.c.npy

func.func private @distances(%p: tensor<?x?xf64>, %c: tensor<?x?xf64>) -> (tensor<?xf64>, tensor<?xindex>) {
  %c0 = arith.constant 0 : index
  %none = arith.constant -1 : index
  %far = arith.constant 0x7FF0000000000000 : f64
  %zero = arith.constant 0.0 : f64
  %k = tensor.dim %c, %c0 : tensor<?x?xf64>
  %r:2 = soac.map ins(%p : tensor<?x?xf64>) (%pi: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xindex>) {
    %distances = soac.map ins(%c : tensor<?x?xf64>) (%ci: tensor<?xf64>) -> tensor<?xf64> {
      %squares = soac.map ins(%pi, %ci : tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64) -> tensor<?xf64> {
        %difference = arith.subf %a, %b : f64
        %square = arith.mulf %difference, %difference : f64
        soac.yield %square : f64
      }
      %distance = soac.reduce ins(%squares : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
        %sum = arith.addf %a, %b : f64
        soac.yield %sum : f64
      }
      soac.yield %distance : f64
    }
    %numbers = soac.iota %k : tensor<?xindex>
    %near:2 = soac.reduce ins(%distances, %numbers : tensor<?xf64>, tensor<?xindex>) neutral(%far, %none : f64, index)
        (%a: f64, %i: index, %b: f64, %j: index) {
      %less = arith.cmpf olt, %b, %a : f64
      %least = arith.select %less, %b, %a : f64
      %which = arith.select %less, %j, %i : index
      soac.yield %least, %which : f64, index
    }
    soac.yield %near#0, %near#1 : f64, index
  }
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xindex>
}

// scale i + j
func.func private @grid(%n: index, %d: index, %scale: index) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %empty = tensor.empty(%n, %d) : tensor<?x?xf64>
  %all = scf.for %i = %c0 to %n step %c1 iter_args(%rows = %empty) -> tensor<?x?xf64> {
    %filled = scf.for %j = %c0 to %d step %c1 iter_args(%row = %rows) -> tensor<?x?xf64> {
      %scaled = arith.muli %i, %scale : index
      %sum = arith.addi %scaled, %j : index
      %integer = arith.index_cast %sum : index to i64
      %float = arith.sitofp %integer : i64 to f64
      %new = tensor.insert %float into %row[%i, %j] : tensor<?x?xf64>
      scf.yield %new : tensor<?x?xf64>
    }
    scf.yield %filled : tensor<?x?xf64>
  }
  return %all : tensor<?x?xf64>
}

// ALL: 0.0, 33.0, 0.0, 33.0, 0.0, 33.0, 132.0, 297.0, 528.0, 825.0, 1188.0, 1617.0, 2112.0, 2673.0, 3300.0
// ALL: 0, 0, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2
// EVEN: 0.0, 16.0, 0.0, 16.0, 64.0, 144.0
// EVEN: 0, 0, 1, 1, 1, 1
// ONE: 0.0, 5.0, 20.0, 45.0, 80.0, 125.0, 180.0
// ONE: 0, 0, 0, 0, 0, 0, 0
// FIRST: 0.0
// NONE: []
// FAR: inf, inf
// FAR: -1, -1
// FLAT: 0.0, 0.0
// FLAT: 0, 0
func.func @nearest(%n: index, %k: index, %d: index) -> (tensor<?xf64>, tensor<?xindex>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %p = func.call @grid(%n, %d, %c1) : (index, index, index) -> tensor<?x?xf64>
  %c = func.call @grid(%k, %d, %c2) : (index, index, index) -> tensor<?x?xf64>
  %r:2 = func.call @distances(%p, %c) : (tensor<?x?xf64>, tensor<?x?xf64>) -> (tensor<?xf64>, tensor<?xindex>)
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xindex>
}

// sum_j |i + j - j| in f32: i m
// ROWS: 0.0, 35.0, 70.0, 105.0, 140.0, 175.0, 210.0, 245.0, 280.0, 315.0, 350.0, 385.0, 420.0, 455.0, 490.0, 525.0, 560.0, 595.0, 630.0
// EMPTY: []
func.func @rows(%n: index, %m: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %wide = func.call @grid(%n, %m, %c1) : (index, index, index) -> tensor<?x?xf64>
  %steps = func.call @grid(%c1, %m, %c1) : (index, index, index) -> tensor<?x?xf64>
  %a = arith.truncf %wide : tensor<?x?xf64> to tensor<?x?xf32>
  %b = arith.truncf %steps : tensor<?x?xf64> to tensor<?x?xf32>
  %x = tensor.extract_slice %b[0, 0] [1, %m] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
  %r = soac.map ins(%a : tensor<?x?xf32>) (%row: tensor<?xf32>) -> tensor<?xf32> {
    %terms = soac.map ins(%row, %x : tensor<?xf32>, tensor<?xf32>) (%u: f32, %v: f32) -> tensor<?xf32> {
      %difference = arith.subf %u, %v : f32
      %distance = math.absf %difference : f32
      soac.yield %distance : f32
    }
    %sum = soac.reduce ins(%terms : tensor<?xf32>) neutral(%zero : f32) (%u: f32, %v: f32) {
      %s = arith.addf %u, %v : f32
      soac.yield %s : f32
    }
    soac.yield %sum : f32
  }
  return %r : tensor<?xf32>
}

func.func @cost(%p: tensor<?x?xf64>, %c: tensor<?x?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %near:2 = func.call @distances(%p, %c) : (tensor<?x?xf64>, tensor<?x?xf64>) -> (tensor<?xf64>, tensor<?xindex>)
  %cost = soac.reduce ins(%near#0 : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %sum = arith.addf %a, %b : f64
    soac.yield %sum : f64
  }
  return %cost : f64
}

func.func @gradient(%p: tensor<?x?xf64>, %c: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %one = arith.constant 1.0 : f64
  %cost, %c_bar = ad.vjp @cost(%p, %c) seed(%one) {wrt = array<i64: 1>}
      : (tensor<?x?xf64>, tensor<?x?xf64>), (f64) -> (f64, tensor<?x?xf64>)
  return %c_bar : tensor<?x?xf64>
}

// sum_{j <= i} (i + j) 2 j = i (i + 1) (5 i + 1) / 3
// TRIANGLE: 0.0, 4.0, 22.0, 64.0, 140.0, 260.0, 434.0
// TIP: 0.0
func.func @triangle(%n: index) -> tensor<?xf64> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %a = func.call @grid(%n, %n, %c1) : (index, index, index) -> tensor<?x?xf64>
  %js = soac.iota %n : tensor<?xindex>
  %x = soac.map ins(%js : tensor<?xindex>) (%j: index) -> tensor<?xf64> {
    %twice = arith.addi %j, %j : index
    %number = arith.index_cast %twice : index to i64
    %float = arith.sitofp %number : i64 to f64
    soac.yield %float : f64
  }
  %r = soac.map ins(%js : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %width = arith.addi %i, %c1 : index
    %own = soac.iota %width : tensor<?xindex>
    %terms = soac.map ins(%own : tensor<?xindex>) (%j: index) -> tensor<?xf64> {
      %aij = tensor.extract %a[%i, %j] : tensor<?x?xf64>
      %xj = tensor.extract %x[%j] : tensor<?xf64>
      %p = arith.mulf %aij, %xj : f64
      soac.yield %p : f64
    }
    %sum = soac.reduce ins(%terms : tensor<?xf64>) neutral(%zero : f64) (%u: f64, %v: f64) {
      %s = arith.addf %u, %v : f64
      soac.yield %s : f64
    }
    soac.yield %sum : f64
  }
  return %r : tensor<?xf64>
}
