// What is known only when the program runs becomes a number and captured values [M18, Z29].
// RUN: ad-opt %s --ad-closure-eliminate | FileCheck %s
// RUN: ad-opt %s --ad-closure-convert --ad-closure-specialize --ad-closure-eliminate --canonicalize | FileCheck %s --check-prefix=NONE

// NONE-NOT: closure
// NONE-NOT: call_indirect

func.func private @scale(%a: f64, %x: f64) -> f64 {
  %y = arith.mulf %a, %x : f64
  return %y : f64
}
func.func private @shift(%n: i32, %b: f64, %x: f64) -> f64 {
  %f = arith.sitofp %n : i32 to f64
  %u = arith.addf %b, %f : f64
  %y = arith.addf %u, %x : f64
  return %y : f64
}
func.func private @sine(%x: f64) -> f64 {
  %y = math.sin %x : f64
  return %y : f64
}
func.func private @cosine(%x: f64) -> f64 {
  %y = math.cos %x : f64
  return %y : f64
}

// Both functions capture a number: it is carried once.
// CHECK-LABEL: func.func @choice(
// CHECK-SAME: %[[C:[^:]*]]: i1, %[[A:[^:]*]]: f64, %[[N:[^:]*]]: i32
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK: %[[TAG:.*]] = arith.select %[[C]], %[[ZERO]], %[[ONE]] : index
// CHECK: %[[E0:.*]] = arith.select %[[C]], %[[A]], %{{.*}} : f64
// CHECK: %[[E1:.*]] = arith.select %[[C]], %{{.*}}, %[[N]] : i32
// CHECK: scf.index_switch %[[TAG]] -> f64
// CHECK-NEXT: case 0 {
// CHECK-NEXT: func.call @scale(%[[E0]], %{{.*}})
// CHECK: default {
// CHECK-NEXT: func.call @shift(%[[E1]], %[[E0]], %{{.*}})
func.func @choice(%c: i1, %a: f64, %n: i32, %x: f64) -> f64 {
  %b = arith.addf %a, %a : f64
  %f = ad.closure @scale(%a) : (f64) -> !ad.closure<(f64) -> f64>
  %g = ad.closure @shift(%n, %b) : (i32, f64) -> !ad.closure<(f64) -> f64>
  %h = arith.select %c, %f, %g : !ad.closure<(f64) -> f64>
  %y = ad.call %h(%x) : !ad.closure<(f64) -> f64>
  return %y : f64
}

// A table of functions.
// CHECK-LABEL: func.func @table(
// CHECK: %[[TAG:.*]] = scf.if %{{.*}} -> (index)
// CHECK: scf.index_switch %[[TAG]] -> f64
// CHECK: func.call @sine(
// CHECK: func.call @cosine(
func.func @table(%c: i1, %x: f64) -> f64 {
  %f = scf.if %c -> ((f64) -> f64) {
    %s = func.constant @sine : (f64) -> f64
    scf.yield %s : (f64) -> f64
  } else {
    %s = func.constant @cosine : (f64) -> f64
    scf.yield %s : (f64) -> f64
  }
  %y = func.call_indirect %f(%x) : (f64) -> f64
  return %y : f64
}

// A loop carries what its closure captures, and needs no number.
// CHECK-LABEL: func.func @carried(
// CHECK-SAME: %[[A:[^:]*]]: f64
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[E:.*]] = %[[A]]) -> (f64)
// CHECK: %[[V:.*]] = func.call @scale(%[[E]], %{{.*}})
// CHECK: scf.yield %[[V]] : f64
// CHECK: call @scale(%[[R]], %{{.*}})
func.func @carried(%a: f64, %n: index, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = ad.closure @scale(%a) : (f64) -> !ad.closure<(f64) -> f64>
  %g = scf.for %i = %c0 to %n step %c1 iter_args(%h = %f) -> !ad.closure<(f64) -> f64> {
    %v = ad.call %h(%x) : !ad.closure<(f64) -> f64>
    %k = ad.closure @scale(%v) : (f64) -> !ad.closure<(f64) -> f64>
    scf.yield %k : !ad.closure<(f64) -> f64>
  }
  %y = ad.call %g(%x) : !ad.closure<(f64) -> f64>
  return %y : f64
}

// Blocks do, too; a function returns what its closure captures.
// CHECK-LABEL: func.func private @returned(
// CHECK-SAME: -> (i32, f64)
func.func private @returned(%c: i1, %n: i32, %b: f64) -> (i32, !ad.closure<(f64) -> f64>) {
  %f = ad.closure @scale(%b) : (f64) -> !ad.closure<(f64) -> f64>
  return %n, %f : i32, !ad.closure<(f64) -> f64>
}
// CHECK-LABEL: func.func @blocks(
// CHECK: %[[R:.*]]:2 = call @returned(
// CHECK: cf.cond_br %{{.*}}, ^[[ONE:.*]](%[[R]]#1 : f64), ^[[TWO:.*]](%{{.*}} : f64)
// CHECK: ^[[ONE]](%[[E:.*]]: f64):
// CHECK: cf.br ^[[TWO]](%[[E]] : f64)
// CHECK: ^[[TWO]](%[[L:.*]]: f64):
// CHECK: call @scale(%[[L]], %{{.*}})
func.func @blocks(%c: i1, %n: i32, %b: f64, %x: f64) -> f64 {
  %m, %f = call @returned(%c, %n, %b) : (i1, i32, f64) -> (i32, !ad.closure<(f64) -> f64>)
  %g = ad.closure @scale(%x) : (f64) -> !ad.closure<(f64) -> f64>
  cf.cond_br %c, ^one(%f : !ad.closure<(f64) -> f64>), ^two(%g : !ad.closure<(f64) -> f64>)
^one(%h: !ad.closure<(f64) -> f64>):
  cf.br ^two(%h : !ad.closure<(f64) -> f64>)
^two(%k: !ad.closure<(f64) -> f64>):
  %y = ad.call %k(%x) : !ad.closure<(f64) -> f64>
  return %y : f64
}

// Who else calls this is not known: references stay as they are.
// CHECK-LABEL: func.func @outside(
// CHECK-SAME: %[[F:[^:]*]]: (f64) -> f64
// CHECK: call_indirect %[[F]]
// NONE-LABEL: func.func @outside(
// NONE: call_indirect
// NONE-NOT: closure
func.func @outside(%f: (f64) -> f64, %x: f64) -> f64 {
  %y = func.call_indirect %f(%x) : (f64) -> f64
  return %y : f64
}

// Nobody outside can call this, and nobody does.
// CHECK-NOT: @unused
func.func @unused(%f: !ad.closure<(f64) -> f64>, %x: f64) -> f64 {
  %y = ad.call %f(%x) : !ad.closure<(f64) -> f64>
  return %y : f64
}
