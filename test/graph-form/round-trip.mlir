// Loops and branches as functions with what they read as parameters, and back again [M05, M25].
// RUN: ad-opt %s --ad-loops-to-functions | FileCheck %s --check-prefix=FUNCTIONS --implicit-check-not=scf.
// RUN: ad-opt %s --ad-loops-to-functions --ad-functions-to-loops --inline --lift-cf-to-scf --canonicalize --symbol-dce \
// RUN:   | FileCheck %s --check-prefix=BACK --implicit-check-not=call --implicit-check-not=' cf.'
// RUN: ad-opt %s --ad-loops-to-functions -o %t.functions.mlir
// RUN: ad-opt %t.functions.mlir --ad-functions-to-loops -o %t.loops.mlir
// RUN: ad-opt run %s --entry=f --input=1.1 --input=5 | FileCheck %s --check-prefix=VALUE
// RUN: ad-opt run %t.functions.mlir --entry=f --input=1.1 --input=5 | FileCheck %s --check-prefix=VALUE
// RUN: ad-opt run %t.loops.mlir --entry=f --input=1.1 --input=5 | FileCheck %s --check-prefix=VALUE
// RUN: ad-opt run %s --entry=slope --input=1.1 --input=5 | FileCheck %s --check-prefix=SLOPE
// RUN: ad-opt run %t.functions.mlir --entry=slope --input=1.1 --input=5 | FileCheck %s --check-prefix=SLOPE
// RUN: ad-opt run %t.loops.mlir --entry=slope --input=1.1 --input=5 | FileCheck %s --check-prefix=SLOPE
// RUN: ad-opt run %t.functions.mlir --entry=f --input=1.1 --input=0 | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %t.loops.mlir --entry=f --input=1.1 --input=0 | FileCheck %s --check-prefix=NONE
// RUN: ad-opt check %t.functions.mlir --entry=f --input=1.1 --input=4
// RUN: ad-opt check %t.loops.mlir --entry=f --input=1.1 --input=4
// RUN: ad-opt check %t.functions.mlir --entry=halve --input=9.3
// RUN: ad-opt check %t.loops.mlir --entry=halve --input=9.3

// A loop with a branch in it: the branch is a function that the loop's calls.
// FUNCTIONS-LABEL: func.func @f(
// FUNCTIONS-SAME: %[[X:.*]]: f64, %[[N:.*]]: index) -> f64
// FUNCTIONS: %[[R:.*]] = call @f.loop_0(%{{.*}}, %{{.*}}, %[[N]], %{{.*}}, %[[X]]) : (index, f64, index, index, f64) -> f64
// FUNCTIONS: return %[[R]]
// BACK-LABEL: func.func @f(
// BACK: scf.while
// BACK: scf.if
// VALUE: 2.02204683375
// SLOPE: 0.80391341646
// NONE: 1.0
func.func @f(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %one) -> f64 {
    %is_big = arith.cmpf ogt, %a, %x : f64
    %b = scf.if %is_big -> f64 {
      %s = math.sin %a : f64
      scf.yield %s : f64
    } else {
      %p = arith.mulf %a, %x : f64
      %q = arith.addf %p, %one : f64
      scf.yield %q : f64
    }
    scf.yield %b : f64
  }
  return %y : f64
}
func.func @slope(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @f(%x, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %r#1 : f64
}
// A loop whose number of iterations is not known.
// FUNCTIONS-LABEL: func.func @halve(
// FUNCTIONS: call @halve.loop_0(
// BACK-LABEL: func.func @halve(
// BACK: scf.while
func.func @halve(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %half = arith.constant 0.5 : f64
  %y:2 = scf.while (%a = %x, %s = %one) : (f64, f64) -> (f64, f64) {
    %more = arith.cmpf ogt, %a, %one : f64
    scf.condition(%more) %a, %s : f64, f64
  } do {
  ^bb0(%a: f64, %s: f64):
    %b = arith.mulf %a, %half : f64
    %t = arith.mulf %s, %a : f64
    scf.yield %b, %t : f64, f64
  }
  return %y#1 : f64
}

// FUNCTIONS-LABEL: func.func private @f.choice_0(
// FUNCTIONS-SAME: %[[C:.*]]: i1, %[[A:.*]]: f64, %[[X:.*]]: f64) -> f64
// FUNCTIONS: cf.cond_br %[[C]], ^[[YES:.*]], ^[[NO:.*]]
// FUNCTIONS: ^[[YES]]:
// FUNCTIONS: %[[S:.*]] = math.sin %[[A]]
// FUNCTIONS: return %[[S]]
// FUNCTIONS: ^[[NO]]:
// FUNCTIONS: arith.mulf %[[A]], %[[X]]
// FUNCTIONS-LABEL: func.func private @f.loop_0(
// FUNCTIONS-SAME: %[[I:.*]]: index, %[[A:.*]]: f64, %[[N:.*]]: index, %[[S:.*]]: index, %[[X:.*]]: f64) -> f64
// FUNCTIONS: %[[MORE:.*]] = arith.cmpi slt, %[[I]], %[[N]]
// FUNCTIONS: cf.cond_br %[[MORE]]
// FUNCTIONS: %[[B:.*]] = call @f.choice_0(%{{.*}}, %[[A]], %[[X]])
// FUNCTIONS: %[[J:.*]] = arith.addi %[[I]], %[[S]]
// FUNCTIONS: %[[R:.*]] = call @f.loop_0(%[[J]], %[[B]], %[[N]], %[[S]], %[[X]])
// FUNCTIONS-NEXT: return %[[R]]
// FUNCTIONS: return %[[A]]
// FUNCTIONS-LABEL: func.func private @halve.loop_0(
