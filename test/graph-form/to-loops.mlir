// Functions that call themselves last, directly, out of branches or through others, are loops; other calls stay calls
// [M05, Z27].
// RUN: ad-opt %s --ad-functions-to-loops | FileCheck %s
// RUN: ad-opt %s --ad-functions-to-loops -o %t.mlir
// RUN: ad-opt run %s --entry=power --input=2.0 --input=5 --input=1.0 | FileCheck %s --check-prefix=POWER
// RUN: ad-opt run %t.mlir --entry=power --input=2.0 --input=5 --input=1.0 | FileCheck %s --check-prefix=POWER
// RUN: ad-opt run %s --entry=even --input=2.0 --input=6 | FileCheck %s --check-prefix=EVEN
// RUN: ad-opt run %t.mlir --entry=even --input=2.0 --input=6 | FileCheck %s --check-prefix=EVEN
// RUN: ad-opt run %t.mlir --entry=even --input=2.0 --input=7 | FileCheck %s --check-prefix=ODD
// RUN: ad-opt run %t.mlir --entry=deep --input=1.0 --input=1000000 | FileCheck %s --check-prefix=DEEP
// RUN: ad-opt check %s --entry=power --input=1.2 --input=5 --input=0.7
// RUN: ad-opt check %t.mlir --entry=power --input=1.2 --input=5 --input=0.7
// RUN: ad-opt check %s --entry=even --input=1.2 --input=6
// RUN: ad-opt check %t.mlir --entry=even --input=1.2 --input=6
// RUN: ad-opt check %t.mlir --entry=even --input=1.2 --input=5
// RUN: ad-opt check %t.mlir --entry=even --input=1.2 --input=0

// CHECK-LABEL: func.func @power(
// CHECK-NOT: call
// CHECK: cf.br ^[[HEADER:.*]](%{{.*}}, %{{.*}}, %{{.*}} : f64, index, f64)
// CHECK: cf.br ^[[HEADER]](
// CHECK-NOT: call
// POWER: 32.0
func.func @power(%x: f64, %n: index, %r: f64) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %done = arith.cmpi eq, %n, %zero : index
  %y = scf.if %done -> f64 {
    scf.yield %r : f64
  } else {
    %m = arith.subi %n, %one : index
    %s = arith.mulf %r, %x : f64
    %p = func.call @power(%x, %m, %s) : (f64, index, f64) -> f64
    scf.yield %p : f64
  }
  return %y : f64
}

// Two functions that call each other last.
// CHECK-LABEL: func.func @even(
// CHECK-NOT: call
// What calls the loop once is none.
// CHECK-LABEL: func.func @odd(
// CHECK: call @even(
// EVEN: 128.0
// ODD: 0.0
func.func @even(%x: f64, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %done = arith.cmpi eq, %n, %zero : index
  cf.cond_br %done, ^end, ^more
^more:
  %m = arith.subi %n, %one : index
  %y = arith.mulf %x, %x : f64
  %two = arith.constant 2.0 : f64
  %z = arith.divf %y, %x : f64
  %w = arith.mulf %z, %two : f64
  %r = func.call @odd(%w, %m) : (f64, index) -> f64
  return %r : f64
^end:
  return %x : f64
}
func.func @odd(%x: f64, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0.0 : f64
  %two = arith.constant 2.0 : f64
  %done = arith.cmpi eq, %n, %zero : index
  %r = scf.if %done -> f64 {
    scf.yield %none : f64
  } else {
    %m = arith.subi %n, %one : index
    %y = arith.mulf %x, %two : f64
    %s = func.call @even(%y, %m) : (f64, index) -> f64
    scf.yield %s : f64
  }
  return %r : f64
}

// A million calls take no stack.
// DEEP: 1000001.0
func.func @deep(%x: f64, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %f1 = arith.constant 1.0 : f64
  %done = arith.cmpi eq, %n, %zero : index
  cf.cond_br %done, ^end, ^more
^more:
  %m = arith.subi %n, %one : index
  %y = arith.addf %x, %f1 : f64
  %r = func.call @deep(%y, %m) : (f64, index) -> f64
  return %r : f64
^end:
  return %x : f64
}

// The product comes after the call.
// CHECK-LABEL: func.func @not_last(
// CHECK: call @not_last(
func.func @not_last(%x: f64, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %done = arith.cmpi eq, %n, %zero : index
  cf.cond_br %done, ^end, ^more
^more:
  %m = arith.subi %n, %one : index
  %r = func.call @not_last(%x, %m) : (f64, index) -> f64
  %p = arith.mulf %r, %x : f64
  return %p : f64
^end:
  return %x : f64
}

// A branch without another side, and nothing to return.
// CHECK-LABEL: func.func private @count(
// CHECK: ad.tape_push
// CHECK-NOT: call
// CHECK: return
func.func private @count(%t: !ad.tape<f64>, %x: f64, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %more = arith.cmpi sgt, %n, %zero : index
  scf.if %more {
    ad.tape_push %t, %x : !ad.tape<f64>
    %m = arith.subi %n, %one : index
    func.call @count(%t, %x, %m) : (!ad.tape<f64>, f64, index) -> ()
  }
  return
}
