// ad-strip-mine: one more loop per factor, the same iterations in the same order
// [FUT 4.3]. F21: the trip count is dynamic, and the factors need not divide it.
// RUN: ad-opt %s --ad-strip-mine --canonicalize --cse -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not=ad.strip_mine
// RUN: ad-opt run %s --entry=order --input=0 --input=23 --input=1 | FileCheck %s --check-prefix=ONE
// RUN: ad-opt run %t.mlir --entry=order --input=0 --input=23 --input=1 | FileCheck %s --check-prefix=ONE
// RUN: ad-opt run %s --entry=order --input=3 --input=24 --input=7 | FileCheck %s --check-prefix=SEVEN
// RUN: ad-opt run %t.mlir --entry=order --input=3 --input=24 --input=7 | FileCheck %s --check-prefix=SEVEN
// RUN: ad-opt run %t.mlir --entry=order --input=5 --input=5 --input=1 | FileCheck %s --check-prefix=NONE

// One factor: blocks of 4 iterations, the last of them shorter.
// CHECK-LABEL: func.func @one_factor(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index, %[[X:[a-z0-9]+]]: f64)
// CHECK: %[[COUNT:.*]] = arith.maxsi %[[N]], %c0
// CHECK: %[[BLOCKS:.*]] = arith.ceildivsi %[[COUNT]], %c4
// CHECK: %[[R:.*]] = scf.for %[[B:[a-z0-9]+]] = %c0 to %[[BLOCKS]] step %c1 iter_args(%[[OUTER:[a-z0-9]+]] = %[[X]])
// CHECK: %[[START:.*]] = arith.muli %[[B]], %c4
// CHECK: %[[REST:.*]] = arith.subi %[[COUNT]], %[[START]]
// CHECK: %[[MIN:.*]] = arith.minsi %[[REST]], %c4
// CHECK: scf.for %[[J:[a-z0-9]+]] = %c0 to %[[MIN]] step %c1 iter_args(%[[INNER:[a-z0-9]+]] = %[[OUTER]])
// CHECK: math.sin %[[INNER]]
// CHECK: return %[[R]]
func.func @one_factor(%n: index, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> f64 {
    %q = math.sin %p : f64
    scf.yield %q : f64
  } {ad.strip_mine = 4 : i64}
  return %r : f64
}

// Every iteration hashes its induction variable into the state, so the order shows;
// bounds of type i64, steps other than one, no iteration at all.
// ONE: 3703829384
// SEVEN: 211747
// NONE: 7
// CHECK-LABEL: func.func @order(
// CHECK-COUNT-3: scf.for
// CHECK: func.call @hash
func.func @order(%lb: i64, %ub: i64, %step: i64) -> i64 {
  %seven = arith.constant 7 : i64
  %r = scf.for %i = %lb to %ub step %step iter_args(%p = %seven) -> i64 : i64 {
    %s = func.call @hash(%p, %i) : (i64, i64) -> i64
    scf.yield %s : i64
  } {ad.strip_mine = array<i64: 3, 2>}
  return %r : i64
}
func.func @hash(%p: i64, %i: i64) -> i64 {
  %k = arith.constant 31 : i64
  %m = arith.constant 4294967291 : i64
  %q = arith.muli %p, %k : i64
  %r = arith.addi %q, %i : i64
  %s = arith.remsi %r, %m : i64
  return %s : i64
}

// Loops inside of loops are split too.
// CHECK-LABEL: func.func @nested(
// CHECK-COUNT-4: scf.for
func.func @nested(%n: index, %m: index, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> f64 {
    %s = scf.for %j = %c0 to %m step %c1 iter_args(%q = %p) -> f64 {
      %t = math.sin %q : f64
      scf.yield %t : f64
    } {ad.strip_mine = 4 : i64}
    scf.yield %s : f64
  } {ad.strip_mine = 8 : i64}
  return %r : f64
}
