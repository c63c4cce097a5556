// Forward mode has a tape of tangents beside the tape [Z24].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce | FileCheck %s

// The gradient of x^n by hand, with the powers on a tape: its tangent needs their tangents. What else is on the tape
// has no tangent, and the second tape does not have it.
func.func private @slope(%x: f64, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 1.0 : f64
  %none = arith.constant 0.0 : f64
  %t = ad.tape_create : !ad.tape<f64, index>
  %y = scf.for %i = %zero to %n step %one iter_args(%r = %start) -> f64 {
    ad.tape_push %t, %r, %i : !ad.tape<f64, index>
    %p = arith.mulf %r, %x : f64
    scf.yield %p : f64
  }
  %g:3 = scf.for %i = %zero to %n step %one iter_args(%r_bar = %start, %x_bar = %none, %k = %zero) -> (f64, f64, index) {
    %r, %j = ad.tape_pop %t : !ad.tape<f64, index>
    %d = arith.mulf %r_bar, %r : f64
    %s = arith.addf %x_bar, %d : f64
    %q = arith.mulf %r_bar, %x : f64
    %l = arith.addi %k, %j : index
    scf.yield %q, %s, %l : f64, f64, index
  }
  ad.tape_free %t : !ad.tape<f64, index>
  %is_empty = arith.cmpi eq, %g#2, %zero : index
  %m = arith.select %is_empty, %none, %g#1 : f64
  return %m : f64
}
// CHECK-LABEL: func.func @slope_jvp(
// CHECK-DAG: %[[T:.*]] = ad.tape_create : !ad.tape<f64, index>
// CHECK-DAG: %[[D:.*]] = ad.tape_create : !ad.tape<f64>
// CHECK: scf.for
// CHECK-DAG: ad.tape_push %[[T]], %{{.*}}, %{{.*}} : !ad.tape<f64, index>
// CHECK-DAG: ad.tape_push %[[D]], %{{.*}} : !ad.tape<f64>
// CHECK: scf.for
// CHECK-DAG: ad.tape_pop %[[T]] : !ad.tape<f64, index>
// CHECK-DAG: ad.tape_pop %[[D]] : !ad.tape<f64>
// CHECK: }
// CHECK-DAG: ad.tape_free %[[T]] : !ad.tape<f64, index>
// CHECK-DAG: ad.tape_free %[[D]] : !ad.tape<f64>
// CHECK-NOT: ad.tape
// CHECK: return
func.func @slope_jvp(%x: f64, %n: index, %x_dot: f64) -> f64 {
  %r:2 = ad.jvp @slope(%x, %n) seed(%x_dot) : (f64, index), (f64) -> (f64, f64)
  return %r#1 : f64
}

// A loop without results matters for what it pushes.
func.func private @sum(%x: f64, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0.0 : f64
  %t = ad.tape_create : !ad.tape<f64>
  scf.for %i = %zero to %n step %one {
    ad.tape_push %t, %x : !ad.tape<f64>
  }
  %s = scf.for %i = %zero to %n step %one iter_args(%a = %none) -> f64 {
    %r = ad.tape_pop %t : !ad.tape<f64>
    %b = arith.addf %a, %r : f64
    scf.yield %b : f64
  }
  ad.tape_free %t : !ad.tape<f64>
  return %s : f64
}
// CHECK-LABEL: func.func @sum_jvp(
// CHECK-SAME: %{{[a-z0-9]+}}: f64, %{{[a-z0-9]+}}: index, %[[X_DOT:[a-z0-9]+]]: f64)
// CHECK: scf.for
// CHECK: ad.tape_push %{{.*}}, %[[X_DOT]]
func.func @sum_jvp(%x: f64, %n: index, %x_dot: f64) -> f64 {
  %r:2 = ad.jvp @sum(%x, %n) seed(%x_dot) : (f64, index), (f64) -> (f64, f64)
  return %r#1 : f64
}

// A tape of what has no derivative stays alone.
func.func private @decided(%x: f64, %c: i1) -> f64 {
  %none = arith.constant 0.0 : f64
  %t = ad.tape_create : !ad.tape<i1>
  ad.tape_push %t, %c : !ad.tape<i1>
  %y = math.exp %x : f64
  %d = ad.tape_pop %t : !ad.tape<i1>
  ad.tape_free %t : !ad.tape<i1>
  %z = arith.select %d, %y, %none : f64
  return %z : f64
}
// CHECK-LABEL: func.func @decided_jvp(
// CHECK-NOT: ad.tape
// CHECK: return
func.func @decided_jvp(%x: f64, %c: i1, %x_dot: f64) -> f64 {
  %r:2 = ad.jvp @decided(%x, %c) seed(%x_dot) : (f64, i1), (f64) -> (f64, f64)
  return %r#1 : f64
}
