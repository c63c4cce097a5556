// What nobody reads is kept on no tape, and a tape that keeps nothing is none [Z31].
// RUN: ad-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @unread_component(
// CHECK-SAME: %[[X:[a-z0-9]+]]: f64, %{{.*}}: f32, %[[I:[a-z0-9]+]]: index, %[[N:[a-z0-9]+]]: index)
// CHECK: %[[T:.*]] = ad.tape_create : !ad.tape<f64, index>
// CHECK: scf.for
// CHECK: ad.tape_push %[[T]], %[[X]], %[[I]] : !ad.tape<f64, index>
// CHECK: scf.for
// CHECK: %[[P:.*]]:2 = ad.tape_pop %[[T]] : !ad.tape<f64, index>
// CHECK: arith.index_cast %[[P]]#1
// CHECK: ad.tape_free %[[T]] : !ad.tape<f64, index>
func.func @unread_component(%x: f64, %y: f32, %i: index, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 0.0 : f64
  %t = ad.tape_create : !ad.tape<f64, f32, index>
  scf.for %k = %zero to %n step %one {
    ad.tape_push %t, %x, %y, %i : !ad.tape<f64, f32, index>
  }
  %sum = scf.for %k = %zero to %n step %one iter_args(%s = %start) -> f64 {
    %a, %b, %c = ad.tape_pop %t : !ad.tape<f64, f32, index>
    %w = arith.index_cast %c : index to i64
    %f = arith.sitofp %w : i64 to f64
    %p = arith.mulf %a, %f : f64
    %u = arith.addf %s, %p : f64
    scf.yield %u : f64
  }
  ad.tape_free %t : !ad.tape<f64, f32, index>
  return %sum : f64
}

// CHECK-LABEL: func.func @unread(
// CHECK-NOT: ad.tape
// CHECK: return
func.func @unread(%x: f64, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %t = ad.tape_create : !ad.tape<f64>
  scf.for %k = %zero to %n step %one {
    ad.tape_push %t, %x : !ad.tape<f64>
  }
  scf.for %k = %zero to %n step %one {
    %a = ad.tape_pop %t : !ad.tape<f64>
  }
  ad.tape_free %t : !ad.tape<f64>
  return
}

// CHECK-LABEL: func.func @never_popped(
// CHECK-NEXT: return
func.func @never_popped(%x: f64) {
  %t = ad.tape_create : !ad.tape<f64>
  ad.tape_push %t, %x : !ad.tape<f64>
  ad.tape_free %t : !ad.tape<f64>
  return
}

// Somebody else may pop.
// CHECK-LABEL: func.func @passed(
// CHECK: ad.tape_push
// CHECK: call @use
func.func private @use(!ad.tape<f64>) -> ()
func.func @passed(%x: f64) {
  %t = ad.tape_create : !ad.tape<f64>
  ad.tape_push %t, %x : !ad.tape<f64>
  call @use(%t) : (!ad.tape<f64>) -> ()
  ad.tape_free %t : !ad.tape<f64>
  return
}

// What is in between has nothing to do with tapes; then entries further down follow.
// CHECK-LABEL: func.func @forwarded(
// CHECK-SAME: %[[T:[a-z0-9]+]]: !ad.tape<f64>, %[[X:[a-z0-9]+]]: f64, %[[Y:[a-z0-9]+]]: f64, %[[M:[a-z0-9]+]]: memref<f64>)
// CHECK-NEXT: memref.store %[[Y]], %[[M]][]
// CHECK-NEXT: return %[[Y]], %[[X]]
func.func @forwarded(%t: !ad.tape<f64>, %x: f64, %y: f64, %m: memref<f64>) -> (f64, f64) {
  ad.tape_push %t, %x : !ad.tape<f64>
  ad.tape_push %t, %y : !ad.tape<f64>
  memref.store %y, %m[] : memref<f64>
  %a = ad.tape_pop %t : !ad.tape<f64>
  %b = ad.tape_pop %t : !ad.tape<f64>
  return %a, %b : f64, f64
}

// Another handle may be one of the same tape, and a call may do anything with it.
// CHECK-LABEL: func.func @not_forwarded(
// CHECK: ad.tape_push
// CHECK: ad.tape_push
// CHECK: ad.tape_pop
// CHECK: ad.tape_push
// CHECK: call
// CHECK: ad.tape_pop
func.func @not_forwarded(%t: !ad.tape<f64>, %u: !ad.tape<f64>, %x: f64, %y: f64) -> (f64, f64) {
  ad.tape_push %t, %x : !ad.tape<f64>
  ad.tape_push %u, %y : !ad.tape<f64>
  %a = ad.tape_pop %t : !ad.tape<f64>
  ad.tape_push %t, %x : !ad.tape<f64>
  call @use(%t) : (!ad.tape<f64>) -> ()
  %b = ad.tape_pop %t : !ad.tape<f64>
  return %a, %b : f64, f64
}
