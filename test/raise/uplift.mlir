// Loops of C, whose variables are on the stack, become such that count (Z18).
// RUN: ad-opt %s --ad-lift-to-loops | FileCheck %s
// DEFINE: %{end} = ad-opt run %s --entry=count --input=0.5 --target=gpu-emulate
// RUN: %{end} --input=5 | FileCheck %s --check-prefix=FIVE
// RUN: %{end} --input=7 | FileCheck %s --check-prefix=FIVE
// RUN: %{end} --input=1 | FileCheck %s --check-prefix=NONE
// RUN: %{end} --input=-9 | FileCheck %s --check-prefix=NONE
// DEFINE: %{down} = ad-opt run %s --entry=down --input=0.5
// RUN: %{down} --input=3 | FileCheck %s --check-prefix=THREE
// RUN: %{down} --input=3 --target=gpu-emulate | FileCheck %s --check-prefix=THREE
// RUN: %{down} --input=0 | FileCheck %s --check-prefix=ZERO
// RUN: %{down} --input=-9 | FileCheck %s --check-prefix=MINUS
// DEFINE: %{once} = ad-opt run %s --entry=once --input=0.5
// RUN: %{once} --input=7 | FileCheck %s --check-prefix=SEVEN
// RUN: %{once} --input=7 --target=gpu-emulate | FileCheck %s --check-prefix=SEVEN
// RUN: %{once} --input=3 | FileCheck %s --check-prefix=SINGLE
// RUN: %{once} --input=-9 | FileCheck %s --check-prefix=SINGLE
// RUN: ad-opt check %s --entry=once --input=0.5 --input=7
// RUN: ad-opt check %s --entry=once --input=0.5 --input=0
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(3,)' 1 2 4
// RUN: ad-opt run %s --entry=rotated --input=%t.x.npy --input=3 --input=2.0 | FileCheck %s --check-prefix=ROTATED
// RUN: ad-opt run %s --entry=rotated --input=%t.x.npy --input=0 --input=2.0 | FileCheck %s --check-prefix=STILL

// CHECK-LABEL: func.func @dot(
// CHECK-SAME: %[[X:arg[0-9]+]]: memref<?xf64>, %[[N:arg[0-9]+]]: i32
// CHECK-NOT: alloca
// CHECK: %[[END:.*]] = arith.index_cast %[[N]] : i32 to index
// CHECK: %[[SUM:.*]] = scf.for %[[I:.*]] = %c0 to %[[END]] step %c1 iter_args(%[[S:.*]] = %cst) -> (f64) {
// CHECK-NEXT: %[[V:.*]] = memref.load %[[X]][%[[I]]]
// CHECK-NEXT: %[[T:.*]] = arith.addf %[[S]], %[[V]]
// CHECK-NEXT: scf.yield %[[T]]
// CHECK: return %[[SUM]]
func.func @dot(%x: memref<?xf64>, %n: i32) -> f64 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %start = arith.constant 0.0 : f64
  %s = memref.alloca() : memref<1xf64>
  %i = memref.alloca() : memref<i32>
  memref.store %start, %s[%c0] : memref<1xf64>
  memref.store %zero, %i[] : memref<i32>
  cf.br ^head
^head:
  %k = memref.load %i[] : memref<i32>
  %more = arith.cmpi slt, %k, %n : i32
  cf.cond_br %more, ^body, ^end
^body:
  %at = arith.index_cast %k : i32 to index
  %v = memref.load %x[%at] : memref<?xf64>
  %a = memref.load %s[%c0] : memref<1xf64>
  %b = arith.addf %a, %v : f64
  memref.store %b, %s[%c0] : memref<1xf64>
  %l = memref.load %i[] : memref<i32>
  %next = arith.addi %l, %one : i32
  memref.store %next, %i[] : memref<i32>
  cf.br ^head
^end:
  %r = memref.load %s[%c0] : memref<1xf64>
  return %r : f64
}

// Loops of Fortran count down what is left, and up what the program calls its number.
// THREE: {{^}}9.5
// THREE-NEXT: {{^}}7
// THREE-NEXT: {{^}}0
// ZERO: {{^}}0.5
// ZERO-NEXT: {{^}}1
// ZERO-NEXT: {{^}}0
// MINUS: {{^}}0.5
// MINUS-NEXT: {{^}}1
// MINUS-NEXT: {{^}}-9
// CHECK-LABEL: func.func @down(
// CHECK-NOT: scf.while
// CHECK: scf.for %[[I:.*]] = %c0
// CHECK: %[[TWICE:.*]] = arith.muli %[[I]], %c2 overflow<nsw> : index
// CHECK: %[[NUMBER:.*]] = arith.addi %[[TWICE]], %c1 overflow<nsw> : index
// CHECK: arith.index_cast %[[NUMBER]] : index to i64
// CHECK-NOT: scf.while
// CHECK: return
func.func @down(%x: f64, %n: i64) -> (f64, i64, i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  cf.br ^head(%x, %c1, %n : f64, i64, i64)
^head(%a: f64, %k: i64, %left: i64):
  %more = arith.cmpi sgt, %left, %c0 : i64
  cf.cond_br %more, ^body, ^end
^body:
  %f = arith.sitofp %k : i64 to f64
  %b = arith.addf %a, %f : f64
  %next = arith.addi %k, %c2 overflow<nsw> : i64
  %less = arith.subi %left, %c1 : i64
  cf.br ^head(%b, %next, %less : f64, i64, i64)
^end:
  return %a, %k, %left : f64, i64, i64
}

// Not what counts by a number that may be negative, or down to a bound.
// CHECK-LABEL: func.func @steps(
// CHECK-NOT: scf.for
// CHECK: scf.while
// CHECK: scf.while
// CHECK-NOT: scf.for
// CHECK: return
func.func @steps(%x: f64, %n: index, %by: index) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %down = arith.constant -1 : index
  cf.br ^head(%c0, %x : index, f64)
^head(%k: index, %a: f64):
  %more = arith.cmpi slt, %k, %n : index
  cf.cond_br %more, ^body, ^second(%c0, %x : index, f64)
^body:
  %b = arith.mulf %a, %a : f64
  %next = arith.addi %k, %by : index
  cf.br ^head(%next, %b : index, f64)
^second(%l: index, %c: f64):
  %again = arith.cmpi slt, %l, %n : index
  cf.cond_br %again, ^other, ^end
^other:
  %d = arith.mulf %c, %c : f64
  %below = arith.addi %l, %down : index
  cf.br ^second(%below, %d : index, f64)
^end:
  return %a, %c : f64, f64
}

// The number itself is used, and what it is behind the loop.
// FIVE: {{^}}5.5
// FIVE-NEXT: {{^}}7
// NONE: {{^}}0.5
// NONE-NEXT: {{^}}1
// CHECK-LABEL: func.func @count(
// CHECK: scf.for
// CHECK: arith.sitofp
// CHECK: return
func.func @count(%x: f64, %n: i64) -> (f64, i64) {
  %c1 = arith.constant 1 : i64
  %c3 = arith.constant 3 : i64
  %sum, %end = scf.while (%a = %x, %k = %c1) : (f64, i64) -> (f64, i64) {
    %more = arith.cmpi slt, %k, %n : i64
    scf.condition(%more) %a, %k : f64, i64
  } do {
  ^bb0(%a: f64, %k: i64):
    %f = arith.sitofp %k : i64 to f64
    %b = arith.addf %a, %f : f64
    %next = arith.addi %k, %c3 : i64
    scf.yield %b, %next : f64, i64
  }
  return %sum, %end : f64, i64
}

// Indices that are computed of integers without overflow are computed of indices; with overflow they stay.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[X:arg[0-9]+]]: memref<?xf64>, %[[N:arg[0-9]+]]: i32
// CHECK: %[[END:.*]] = arith.index_cast %[[N]] : i32 to index
// CHECK: scf.for %[[I:.*]] = %c1 to %[[END]] step %c1
// CHECK: %[[ROW:.*]] = arith.muli %[[I]], %[[END]] overflow<nsw> : index
// CHECK: %[[AT:.*]] = arith.subi %[[ROW]], %c1 overflow<nsw> : index
// CHECK: memref.load %[[X]][%[[AT]]]
// CHECK: %[[OTHER:.*]] = arith.muli %{{.*}}, %[[N]] : i32
// CHECK: %[[OTHER_AT:.*]] = arith.index_cast %[[OTHER]] : i32 to index
// CHECK: memref.store %{{.*}}, %[[X]][%[[OTHER_AT]]]
func.func @rows(%x: memref<?xf64>, %n: i32) {
  %one = arith.constant 1 : i32
  cf.br ^head(%one : i32)
^head(%k: i32):
  %more = arith.cmpi slt, %k, %n : i32
  cf.cond_br %more, ^body, ^end
^body:
  %row = arith.muli %k, %n overflow<nsw> : i32
  %before = arith.subi %row, %one overflow<nsw> : i32
  %wide = arith.extsi %before : i32 to i64
  %at = arith.index_cast %wide : i64 to index
  %v = memref.load %x[%at] : memref<?xf64>
  %other = arith.muli %k, %n : i32
  %other_at = arith.index_cast %other : i32 to index
  memref.store %v, %x[%other_at] : memref<?xf64>
  %next = arith.addi %k, %one : i32
  cf.br ^head(%next : i32)
^end:
  return
}

// Arrays that count are no numbers.
// CHECK-LABEL: func.func @arrays(
// CHECK: scf.for
// CHECK: arith.addi %{{.*}} overflow<nsw> : tensor<2xi32>
// CHECK: arith.addi %{{.*}} : vector<2xindex>
func.func @arrays(%x: f64, %n: index) -> (f64, tensor<2xi32>, vector<2xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zeros = arith.constant dense<0> : tensor<2xi32>
  %ones = arith.constant dense<1> : tensor<2xi32>
  %start = arith.constant dense<3> : vector<2xindex>
  %step = arith.constant dense<2> : vector<2xindex>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %k = %zeros, %l = %start) -> (f64, tensor<2xi32>, vector<2xindex>) {
    %b = arith.mulf %a, %x : f64
    %next = arith.addi %k, %ones overflow<nsw> : tensor<2xi32>
    %other = arith.addi %l, %step : vector<2xindex>
    scf.yield %b, %next, %other : f64, tensor<2xi32>, vector<2xindex>
  }
  return %r#0, %r#1, %r#2 : f64, tensor<2xi32>, vector<2xindex>
}

// The test behind an iteration is one in front of each, in a branch that is taken where there are some, which is not
// needed then; also where the number comes by the bound.
// ROTATED: {{^}}14.0
// STILL: {{^}}0.0
// CHECK-LABEL: func.func @rotated(
// CHECK-SAME: %[[X:arg[0-9]+]]: memref<?xf64>, %[[N:arg[0-9]+]]: i32, %[[Z:arg[0-9]+]]: f64
// CHECK-NOT: scf.if
// CHECK: %[[END:.*]] = arith.index_cast %[[N]] : i32 to index
// CHECK: %[[SUM:.*]] = scf.for %[[I:.*]] = %c0 to %[[END]] step %c1 iter_args(%[[S:.*]] = %cst) -> (f64) {
// CHECK-NEXT: %[[V:.*]] = memref.load %[[X]][%[[I]]]
// CHECK-NEXT: %[[T:.*]] = arith.mulf %[[V]], %[[Z]]
// CHECK-NEXT: %[[NEW:.*]] = arith.addf %[[S]], %[[T]]
// CHECK-NEXT: scf.yield %[[NEW]]
// CHECK: return %[[SUM]]
func.func @rotated(%x: memref<?xf64>, %n: i32, %z: f64) -> f64 {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %start = arith.constant 0.0 : f64
  %some = arith.cmpi sgt, %n, %zero : i32
  cf.cond_br %some, ^body(%zero, %start : i32, f64), ^end(%start : f64)
^body(%k: i32, %s: f64):
  %at = arith.index_cast %k : i32 to index
  %v = memref.load %x[%at] : memref<?xf64>
  %t = arith.mulf %v, %z : f64
  %new = arith.addf %s, %t : f64
  %next = arith.addi %k, %one overflow<nsw> : i32
  %more = arith.cmpi ne, %next, %n : i32
  cf.cond_br %more, ^body(%next, %new : i32, f64), ^end(%new : f64)
^end(%r: f64):
  return %r : f64
}

// Without such a branch there is one iteration at least. By threes from 2: with 7 two iterations, x^2 and then x^4, and the
// last factor is what the second one made.
// SEVEN: {{^}}0.0625
// SEVEN-NEXT: {{^}}0.25
// SEVEN-NEXT: {{^}}8
// SINGLE: {{^}}0.25
// SINGLE-NEXT: {{^}}0.5
// SINGLE-NEXT: {{^}}5
// CHECK-LABEL: func.func @once(
// CHECK-SAME: %[[X:arg[0-9]+]]: f64, %[[N:arg[0-9]+]]: i32
// CHECK: %[[END:.*]] = arith.maxsi %[[N]], %c3_i32
// CHECK: scf.for
// CHECK-NOT: scf.while
// CHECK: return
func.func @once(%x: f64, %n: i32) -> (f64, f64, i32) {
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  cf.br ^body(%two, %x : i32, f64)
^body(%k: i32, %s: f64):
  %new = arith.mulf %s, %s : f64
  %next = arith.addi %k, %three : i32
  %more = arith.cmpi sgt, %n, %next : i32
  cf.cond_br %more, ^body(%next, %new : i32, f64), ^end(%s, %new, %next : f64, f64, i32)
^end(%last: f64, %r: f64, %behind: i32):
  return %r, %last, %behind : f64, f64, i32
}

// A number that may go round before it comes by.
// CHECK-LABEL: func.func @comes_by(
// CHECK-NOT: scf.for
// CHECK: scf.while
func.func @comes_by(%x: f64, %n: i32) -> f64 {
  %one = arith.constant 1 : i32
  cf.br ^body(%one, %x : i32, f64)
^body(%k: i32, %s: f64):
  %new = arith.mulf %s, %s : f64
  %next = arith.addi %k, %one : i32
  %more = arith.cmpi ne, %next, %n : i32
  cf.cond_br %more, ^body(%next, %new : i32, f64), ^end(%new : f64)
^end(%r: f64):
  return %r : f64
}

// The other branch gives something else.
// CHECK-LABEL: func.func @other(
// CHECK: scf.if
// CHECK: scf.for
func.func @other(%x: f64, %n: i32, %y: f64) -> f64 {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %some = arith.cmpi slt, %zero, %n : i32
  cf.cond_br %some, ^body(%zero, %x : i32, f64), ^end(%y : f64)
^body(%k: i32, %s: f64):
  %new = arith.mulf %s, %s : f64
  %next = arith.addi %k, %one : i32
  %more = arith.cmpi slt, %next, %n : i32
  cf.cond_br %more, ^body(%next, %new : i32, f64), ^end(%new : f64)
^end(%r: f64):
  return %r : f64
}
