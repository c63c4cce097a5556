// What branches and loops in a map compute for all of its elements is computed by itself.
// RUN: ad-opt %s --ad-simplify --canonicalize --cse --loop-invariant-code-motion --ad-simplify --canonicalize --cse --loop-invariant-code-motion --canonicalize | FileCheck %s
// RUN: %python %S/../driver/Inputs/npy.py %t.seeds.npy '<f8' '(3,)' --vary=1
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<f8' '(0,)'
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(4,)' --vary=2
// RUN: ad-opt check %s --entry=loop --input=%t.seeds.npy --input=%t.x.npy
// RUN: ad-opt check %s --entry=loop --input=%t.seeds.npy --input=%t.none.npy
// RUN: ad-opt check %s --entry=loop --input=%t.none.npy --input=%t.x.npy
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
