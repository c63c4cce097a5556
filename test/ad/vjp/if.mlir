// scf.if: only the branch that ran is differentiated [F13].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.' --implicit-check-not='scf.if'

// The adjoint of a free variable that one branch does not read stays symbolic there.
func.func private @branch(%c: i1, %x: f64, %y: f64) -> f64 {
  %r = scf.if %c -> f64 {
    %e = math.exp %x : f64
    scf.yield %e : f64
  } else {
    %p = arith.mulf %x, %y : f64
    scf.yield %p : f64
  }
  return %r : f64
}
// CHECK-LABEL: func.func @branch_vjp(
// CHECK-SAME: %[[C:[a-z0-9]+]]: i1, %[[X:[a-z0-9]+]]: f64, %[[Y:[a-z0-9]+]]: f64, %[[Y_BAR:[a-z0-9]+]]: f64)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0.000000e+00 : f64
// CHECK: %[[IF:.*]]:2 = scf.if %[[C]] -> (f64, f64) {
// CHECK: %[[EXP:.*]] = math.exp %[[X]]
// CHECK: %[[MULF:.*]] = arith.mulf %[[Y_BAR]], %[[EXP]]
// CHECK: scf.yield %[[MULF]], %[[CONST]]
// CHECK: } else {
// CHECK: %[[MULF2:.*]] = arith.mulf %[[Y_BAR]], %[[Y]]
// CHECK: %[[MULF3:.*]] = arith.mulf %[[Y_BAR]], %[[X]]
// CHECK: scf.yield %[[MULF2]], %[[MULF3]]
// CHECK: return %[[IF]]#0, %[[IF]]#1
func.func @branch_vjp(%c: i1, %x: f64, %y: f64, %y_bar: f64) -> (f64, f64) {
  %r:3 = ad.vjp @branch(%c, %x, %y) seed(%y_bar)
      : (i1, f64, f64), (f64) -> (f64, f64, f64)
  return %r#1, %r#2 : f64, f64
}

// Two results, one of them an integer; used before, in and after the branch; the adjoint refers to primal values of every block by definition [F17, Z09].
func.func private @around(%c: i1, %x: f64) -> f64 {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %s = math.sin %x : f64
  %r:2 = scf.if %c -> (f64, index) {
    %e = arith.mulf %s, %x : f64
    scf.yield %e, %i1 : f64, index
  } else {
    scf.yield %s, %i0 : f64, index
  }
  %w = arith.index_cast %r#1 : index to i64
  %f = arith.sitofp %w : i64 to f64
  %p = arith.mulf %r#0, %f : f64
  %q = arith.mulf %p, %x : f64
  return %q : f64
}
// CHECK-LABEL: func.func @around_vjp(
// CHECK-SAME: %[[C:[a-z0-9]+]]: i1, %[[X:[a-z0-9]+]]: f64, %[[Y_BAR:[a-z0-9]+]]: f64)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[CONST2:.*]] = arith.constant 1 : index
// CHECK: %[[SIN:.*]] = math.sin %[[X]]
// CHECK: %[[SELECT:.*]] = arith.select %[[C]], %[[CONST2]], %[[CONST]]
// CHECK: %[[IF:.*]] = scf.if %[[C]] -> (f64) {
// CHECK: %[[MULF:.*]] = arith.mulf %[[SIN]], %[[X]]
// CHECK: scf.yield %[[MULF]]
// CHECK: } else {
// CHECK: scf.yield %[[SIN]]
// CHECK: %[[INDEX_CAST:.*]] = arith.index_cast %[[SELECT]]
// CHECK: %[[SITOFP:.*]] = arith.sitofp %[[INDEX_CAST]]
// CHECK: %[[MULF2:.*]] = arith.mulf %[[IF]], %[[SITOFP]]
// CHECK: %[[MULF3:.*]] = arith.mulf %[[Y_BAR]], %[[X]]
// CHECK: %[[MULF4:.*]] = arith.mulf %[[Y_BAR]], %[[MULF2]]
// CHECK: %[[MULF5:.*]] = arith.mulf %[[MULF3]], %[[SITOFP]]
// CHECK: %[[IF2:.*]]:2 = scf.if %[[C]] -> (f64, f64) {
// CHECK: %[[MULF6:.*]] = arith.mulf %[[MULF5]], %[[X]]
// CHECK: %[[MULF7:.*]] = arith.mulf %[[MULF5]], %[[SIN]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[MULF4]], %[[MULF7]]
// CHECK: scf.yield %[[MULF6]], %[[ADDF]]
// CHECK: } else {
// CHECK: scf.yield %[[MULF5]], %[[MULF4]]
// CHECK: %[[COS:.*]] = math.cos %[[X]]
// CHECK: %[[MULF8:.*]] = arith.mulf %[[IF2]]#0, %[[COS]]
// CHECK: %[[ADDF2:.*]] = arith.addf %[[IF2]]#1, %[[MULF8]]
// CHECK: return %[[ADDF2]]
func.func @around_vjp(%c: i1, %x: f64, %y_bar: f64) -> f64 {
  %r:2 = ad.vjp @around(%c, %x) seed(%y_bar)
      : (i1, f64), (f64) -> (f64, f64)
  return %r#1 : f64
}

// A branch without effect on the derivative is only run.
func.func private @inactive(%c: i1, %x: f64, %n: index) -> (f64, index) {
  %i1 = arith.constant 1 : index
  %m = scf.if %c -> index {
    %k = arith.addi %n, %i1 : index
    scf.yield %k : index
  } else {
    scf.yield %n : index
  }
  %y = arith.mulf %x, %x : f64
  return %y, %m : f64, index
}
// CHECK-LABEL: func.func @inactive_vjp(
// CHECK-SAME: %[[C:[a-z0-9]+]]: i1, %[[X:[a-z0-9]+]]: f64, %[[N:[a-z0-9]+]]: index, %[[Y_BAR:[a-z0-9]+]]: f64)
// CHECK: %[[MULF:.*]] = arith.mulf %[[Y_BAR]], %[[X]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[MULF]], %[[MULF]]
// CHECK: return %[[ADDF]]
func.func @inactive_vjp(%c: i1, %x: f64, %n: index, %y_bar: f64) -> f64 {
  %r:3 = ad.vjp @inactive(%c, %x, %n) seed(%y_bar)
      : (i1, f64, index), (f64) -> (f64, index, f64)
  return %r#2 : f64
}
