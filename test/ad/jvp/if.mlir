// scf.if, forward mode: one branch that yields tangents beside primals [F01].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.' --implicit-check-not='scf.if'

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
// CHECK-LABEL: func.func @branch_jvp(
// CHECK-SAME: %[[C:[a-z0-9]+]]: i1, %[[X:[a-z0-9]+]]: f64, %[[Y:[a-z0-9]+]]: f64, %[[X_DOT:[a-z0-9]+]]: f64, %[[Y_DOT:[a-z0-9]+]]: f64)
// CHECK: %[[IF:.*]]:2 = scf.if %[[C]] -> (f64, f64) {
// CHECK: %[[EXP:.*]] = math.exp %[[X]]
// CHECK: %[[MULF:.*]] = arith.mulf %[[X_DOT]], %[[EXP]]
// CHECK: scf.yield %[[EXP]], %[[MULF]]
// CHECK: } else {
// CHECK: %[[MULF2:.*]] = arith.mulf %[[X]], %[[Y]]
// CHECK: %[[MULF3:.*]] = arith.mulf %[[X_DOT]], %[[Y]]
// CHECK: %[[MULF4:.*]] = arith.mulf %[[Y_DOT]], %[[X]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[MULF3]], %[[MULF4]]
// CHECK: scf.yield %[[MULF2]], %[[ADDF]]
// CHECK: return %[[IF]]#0, %[[IF]]#1
func.func @branch_jvp(%c: i1, %x: f64, %y: f64, %x_dot: f64, %y_dot: f64) -> (f64, f64) {
  %r:2 = ad.jvp @branch(%c, %x, %y) seed(%x_dot, %y_dot)
      : (i1, f64, f64), (f64, f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}

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
// CHECK-LABEL: func.func @around_jvp(
// CHECK-SAME: %[[C:[a-z0-9]+]]: i1, %[[X:[a-z0-9]+]]: f64, %[[X_DOT:[a-z0-9]+]]: f64)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[CONST2:.*]] = arith.constant 1 : index
// CHECK: %[[SIN:.*]] = math.sin %[[X]]
// CHECK: %[[COS:.*]] = math.cos %[[X]]
// CHECK: %[[MULF:.*]] = arith.mulf %[[X_DOT]], %[[COS]]
// CHECK: %[[SELECT:.*]] = arith.select %[[C]], %[[CONST2]], %[[CONST]]
// CHECK: %[[IF:.*]]:2 = scf.if %[[C]] -> (f64, f64) {
// CHECK: %[[MULF2:.*]] = arith.mulf %[[SIN]], %[[X]]
// CHECK: %[[MULF3:.*]] = arith.mulf %[[MULF]], %[[X]]
// CHECK: %[[MULF4:.*]] = arith.mulf %[[X_DOT]], %[[SIN]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[MULF3]], %[[MULF4]]
// CHECK: scf.yield %[[MULF2]], %[[ADDF]]
// CHECK: } else {
// CHECK: scf.yield %[[SIN]], %[[MULF]]
// CHECK: %[[INDEX_CAST:.*]] = arith.index_cast %[[SELECT]]
// CHECK: %[[SITOFP:.*]] = arith.sitofp %[[INDEX_CAST]]
// CHECK: %[[MULF5:.*]] = arith.mulf %[[IF]]#0, %[[SITOFP]]
// CHECK: %[[MULF6:.*]] = arith.mulf %[[IF]]#1, %[[SITOFP]]
// CHECK: %[[MULF7:.*]] = arith.mulf %[[MULF5]], %[[X]]
// CHECK: %[[MULF8:.*]] = arith.mulf %[[MULF6]], %[[X]]
// CHECK: %[[MULF9:.*]] = arith.mulf %[[X_DOT]], %[[MULF5]]
// CHECK: %[[ADDF2:.*]] = arith.addf %[[MULF8]], %[[MULF9]]
// CHECK: return %[[MULF7]], %[[ADDF2]]
func.func @around_jvp(%c: i1, %x: f64, %x_dot: f64) -> (f64, f64) {
  %r:2 = ad.jvp @around(%c, %x) seed(%x_dot)
      : (i1, f64), (f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}

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
// CHECK-LABEL: func.func @inactive_jvp(
// CHECK-SAME: %[[C:[a-z0-9]+]]: i1, %[[X:[a-z0-9]+]]: f64, %[[N:[a-z0-9]+]]: index, %[[X_DOT:[a-z0-9]+]]: f64)
// CHECK-DAG: %[[CONST:.*]] = arith.constant 1 : index
// CHECK: %[[IF:.*]] = scf.if %[[C]] -> (index) {
// CHECK: %[[ADDI:.*]] = arith.addi %[[N]], %[[CONST]]
// CHECK: scf.yield %[[ADDI]]
// CHECK: } else {
// CHECK: scf.yield %[[N]]
// CHECK: %[[MULF:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK: %[[MULF2:.*]] = arith.mulf %[[X_DOT]], %[[X]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[MULF2]], %[[MULF2]]
// CHECK: return %[[MULF]], %[[IF]], %[[ADDF]]
func.func @inactive_jvp(%c: i1, %x: f64, %n: index, %x_dot: f64) -> (f64, index, f64) {
  %r:3 = ad.jvp @inactive(%c, %x, %n) seed(%x_dot)
      : (i1, f64, index), (f64) -> (f64, index, f64)
  return %r#0, %r#1, %r#2 : f64, index, f64
}
