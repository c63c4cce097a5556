// What branches and loops in a map compute for all of its elements is computed by itself.
// RUN: ad-opt %s --ad-simplify --canonicalize --cse --ad-hoist --ad-simplify --canonicalize --cse --ad-hoist --canonicalize | FileCheck %s
// RUN: %python %S/../driver/Inputs/npy.py %t.seeds.npy '<f8' '(3,)' --vary=1
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<f8' '(0,)'
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(4,)' --vary=2
// RUN: ad-opt check %s --entry=loop --input=%t.seeds.npy --input=%t.x.npy
// RUN: ad-opt check %s --entry=loop --input=%t.seeds.npy --input=%t.none.npy
// RUN: ad-opt check %s --entry=loop --input=%t.none.npy --input=%t.x.npy
// RUN: %python %S/../driver/Inputs/npy.py %t.rows.npy '<f8' '(2,4)' --vary=3
// RUN: %python %S/../driver/Inputs/npy.py %t.empty.npy '<f8' '(2,0)'
// RUN: ad-opt check %s --entry=sums --input=%t.seeds.npy --input=%t.rows.npy
// RUN: ad-opt check %s --entry=sums --input=%t.seeds.npy --input=%t.empty.npy
// RUN: %python %S/../driver/Inputs/npy.py %t.one.npy '<f8' '(1,)' 10
// RUN: %python %S/../driver/Inputs/npy.py %t.two.npy '<f8' '(1,2)' 1 2
// RUN: ad-opt run %s --entry=sums --input=%t.one.npy --input=%t.two.npy | FileCheck %s --check-prefix=SUMS
// RUN: ad-opt check %s --entry=two_sums --input=%t.seeds.npy --input=%t.rows.npy
// RUN: ad-opt check %s --entry=two_sums --input=%t.none.npy --input=%t.empty.npy
// RUN: ad-opt check %s --entry=branch --input=%t.seeds.npy --input=0.5
// RUN: ad-opt check %s --entry=branch --input=%t.seeds.npy --input=-0.5

// The product so far depends on no seed, its tangent does.
// CHECK-LABEL: func.func @loop(
// CHECK: %[[P:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (f64)
// CHECK: math.sin %[[P]]
// CHECK: soac.map
// CHECK:   scf.for {{.*}} -> (f64, f64)
// CHECK-NOT: math.sin
// CHECK: return
func.func @loop(%seeds: tensor<?xf64>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %r = soac.map ins(%seeds : tensor<?xf64>) (%seed: f64) -> tensor<?xf64> {
    %p, %t = scf.for %i = %c0 to %n step %c1 iter_args(%p = %one, %t = %seed) -> (f64, f64) {
      %xi = tensor.extract %x[%i] : tensor<?xf64>
      %q = arith.mulf %p, %xi : f64
      %tx = arith.mulf %t, %xi : f64
      %ps = arith.mulf %p, %seed : f64
      %u = arith.addf %tx, %ps : f64
      scf.yield %q, %u : f64, f64
    }
    %s = math.sin %p : f64
    %y = arith.mulf %s, %t : f64
    soac.yield %y : f64
  }
  return %r : tensor<?xf64>
}

// One result of a branch depends on no seed. What decides does not either; else nothing is taken apart.
// CHECK-LABEL: func.func @branch(
// CHECK: %[[A:.*]] = scf.if {{.*}} -> (f64)
// CHECK: math.exp %[[A]]
// CHECK: soac.map
// CHECK:   scf.if {{.*}} -> (f64)
// CHECK-NOT: math.exp
// CHECK: return
func.func @branch(%seeds: tensor<?xf64>, %x: f64) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %is = arith.cmpf ogt, %x, %zero : f64
  %r = soac.map ins(%seeds : tensor<?xf64>) (%seed: f64) -> tensor<?xf64> {
    %a, %b = scf.if %is -> (f64, f64) {
      %a = math.sin %x : f64
      %b = arith.mulf %a, %seed : f64
      scf.yield %a, %b : f64, f64
    } else {
      scf.yield %x, %seed : f64, f64
    }
    %e = math.exp %a : f64
    %y = arith.mulf %e, %b : f64
    soac.yield %y : f64
  }
  return %r : tensor<?xf64>
}

// CHECK-LABEL: func.func @driven(
// CHECK: soac.map
// CHECK:   %[[BOTH:.*]]:2 = scf.if
// CHECK:   math.exp %[[BOTH]]#0
func.func @driven(%seeds: tensor<?xf64>, %x: f64) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %r = soac.map ins(%seeds : tensor<?xf64>) (%seed: f64) -> tensor<?xf64> {
    %is = arith.cmpf ogt, %seed, %zero : f64
    %a, %b = scf.if %is -> (f64, f64) {
      %a = math.sin %x : f64
      %b = arith.mulf %a, %seed : f64
      scf.yield %a, %b : f64, f64
    } else {
      scf.yield %x, %seed : f64, f64
    }
    %e = math.exp %a : f64
    %y = arith.mulf %e, %b : f64
    soac.yield %y : f64
  }
  return %r : tensor<?xf64>
}

// Of two sums over each row, the sum of squares depends on no seed, nor does the map that makes the squares.
// exp(1 + 4) * 10 (1 + 2)
// SUMS: 4452.394
// CHECK-LABEL: func.func @sums(
// CHECK: %[[ROOTS:.*]] = soac.map
// CHECK:   arith.mulf
// CHECK:   soac.reduce
// CHECK:   math.exp
// CHECK: soac.map ins(%{{.*}} : tensor<?xf64>)
// CHECK:   soac.map ins(%{{.*}}, %[[ROOTS]] : tensor<?x?xf64>, tensor<?xf64>)
// CHECK:     soac.reduce ins(%{{[^,]*}} : tensor<?xf64>)
// CHECK-NOT: math.exp
// CHECK: return
func.func @sums(%seeds: tensor<?xf64>, %rows: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %r = soac.map ins(%seeds : tensor<?xf64>) (%seed: f64) -> tensor<?x?xf64> {
    %all = soac.map ins(%rows : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?xf64> {
      %squares, %tangents = soac.map ins(%row : tensor<?xf64>) (%x: f64) -> (tensor<?xf64>, tensor<?xf64>) {
        %square = arith.mulf %x, %x : f64
        %tangent = arith.mulf %x, %seed : f64
        soac.yield %square, %tangent : f64, f64
      }
      %sum, %sum_dot = soac.reduce ins(%squares, %tangents : tensor<?xf64>, tensor<?xf64>) neutral(%zero, %zero : f64, f64) (%a: f64, %b: f64, %c: f64, %d: f64) {
        %e = arith.addf %a, %c : f64
        %f = arith.addf %b, %d : f64
        soac.yield %e, %f : f64, f64
      }
      %root = math.exp %sum : f64
      %y = arith.mulf %root, %sum_dot : f64
      soac.yield %y : f64
    }
    soac.yield %all : tensor<?xf64>
  }
  return %r : tensor<?x?xf64>
}

// The sums of two results of a map are taken apart before the map, so that what they read is made once.
// CHECK-LABEL: func.func @two_sums(
// CHECK: %[[ROOTS:.*]]:2 = soac.map ins(%{{.*}} : tensor<?x?xf64>)
// CHECK:   %[[BOTH:.*]]:2 = soac.map ins
// CHECK-NOT: soac.map
// CHECK:   soac.reduce ins(%[[BOTH]]#0 : tensor<?xf64>)
// CHECK-NOT: soac.map
// CHECK:   soac.reduce ins(%[[BOTH]]#1 : tensor<?xf64>)
// CHECK: soac.map ins(%{{.*}} : tensor<?xf64>)
// CHECK: return
func.func @two_sums(%seeds: tensor<?xf64>, %rows: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %r = soac.map ins(%seeds : tensor<?xf64>) (%seed: f64) -> tensor<?x?xf64> {
    %all = soac.map ins(%rows : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?xf64> {
      %squares, %cubes, %tangents = soac.map ins(%row : tensor<?xf64>) (%x: f64) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
        %square = arith.mulf %x, %x : f64
        %cube = arith.mulf %square, %x : f64
        %tangent = arith.mulf %x, %seed : f64
        soac.yield %square, %cube, %tangent : f64, f64, f64
      }
      %sum, %sum_dot = soac.reduce ins(%squares, %tangents : tensor<?xf64>, tensor<?xf64>) neutral(%zero, %zero : f64, f64) (%a: f64, %b: f64, %c: f64, %d: f64) {
        %e = arith.addf %a, %c : f64
        %f = arith.addf %b, %d : f64
        soac.yield %e, %f : f64, f64
      }
      %more, %more_dot = soac.reduce ins(%cubes, %tangents : tensor<?xf64>, tensor<?xf64>) neutral(%zero, %zero : f64, f64) (%a: f64, %b: f64, %c: f64, %d: f64) {
        %e = arith.addf %a, %c : f64
        %f = arith.addf %b, %d : f64
        soac.yield %e, %f : f64, f64
      }
      %root = math.exp %sum : f64
      %y = arith.mulf %root, %sum_dot : f64
      %root_more = math.exp %more : f64
      %z = arith.mulf %root_more, %more_dot : f64
      %yz = arith.addf %y, %z : f64
      soac.yield %yz : f64
    }
    soac.yield %all : tensor<?xf64>
  }
  return %r : tensor<?x?xf64>
}
