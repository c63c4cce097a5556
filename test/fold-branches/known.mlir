// Branches of which the way is known go there, and what they do not reach is gone. Upstream's `canonicalize` alone does not come
// to an end in such loops: nothing but their last block leads into them, so that their number would be the sum of itself and one.
// RUN: ad-opt %s --ad-fold-branches | FileCheck %s
// RUN: ad-opt %s --ad-canonicalize --ad-canonicalize | FileCheck %s --check-prefix=CANON
// RUN: ad-opt run %s --entry=gradient --input=3 --input=5 | FileCheck %s --check-prefix=VALUES
// RUN: ad-opt run %s --entry=gradient --input=3 --input=25 | FileCheck %s --check-prefix=LARGE

// CHECK-LABEL: func.func @never(
// CHECK:         cf.br ^[[END:bb[0-9]+]]
// CHECK-NEXT:  ^[[END]]:
// CHECK-NEXT:    return
// CHECK-NOT:   ^bb
// CANON-LABEL: func.func @never(
// CANON-NEXT:    return
func.func @never(%n: index, %x: memref<?xf64>) {
  %true = arith.constant true
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f64
  cf.cond_br %true, ^exit, ^header(%c0 : index)
^header(%i: index):
  %c = arith.cmpi slt, %i, %n : index
  cf.cond_br %c, ^body, ^exit
^body:
  memref.store %f, %x[%i] : memref<?xf64>
  %j = arith.addi %i, %c1 : index
  cf.br ^header(%j : index)
^exit:
  return
}

// A branch on what an earlier one has asked is known when the first `canonicalize` has been there.
// CHECK-LABEL: func.func @asked(
// CHECK-COUNT-3: cf.cond_br
// CANON-LABEL: func.func @asked(
// CANON-COUNT-1: cf.cond_br
// CANON-NOT:     cf.cond_br
// CANON:         return
func.func @asked(%t: i1, %n: index, %x: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f64
  cf.cond_br %t, ^first, ^exit
^first:
  memref.store %f, %x[%c0] : memref<?xf64>
  cf.cond_br %t, ^exit, ^header(%c0 : index)
^header(%i: index):
  %c = arith.cmpi slt, %i, %n : index
  cf.cond_br %c, ^body, ^exit
^body:
  memref.store %f, %x[%i] : memref<?xf64>
  %j = arith.addi %i, %c1 : index
  cf.br ^header(%j : index)
^exit:
  return
}

// The way of a `cf.switch`, with its operands; nothing is known of two ways to one block.
// CHECK-LABEL: func.func @ways(
// CHECK-SAME:    %[[X:.*]]: f64, %[[Y:.*]]: f64)
// CHECK:         cf.br ^[[ONE:bb[0-9]+]](%[[Y]] : f64)
// CHECK:       ^[[ONE]](%{{.*}}: f64):
// CHECK-NEXT:    cf.cond_br %{{.*}}, ^[[END:bb[0-9]+]](%[[X]] : f64), ^[[END]](%[[Y]] : f64)
// CANON-LABEL: func.func @ways(
// CANON-SAME:    %[[X:.*]]: f64, %{{.*}}: f64)
// CANON-NEXT:    return %[[X]] : f64
func.func @ways(%x: f64, %y: f64) -> f64 {
  %two = arith.constant 2 : i32
  %true = arith.constant true
  cf.switch %two : i32, [
    default: ^other(%x : f64),
    2: ^one(%y : f64)
  ]
^one(%z: f64):
  cf.cond_br %true, ^end(%x : f64), ^end(%y : f64)
^other(%v: f64):
  %w = arith.addf %v, %v : f64
  cf.br ^end(%w : f64)
^end(%r: f64):
  return %r : f64
}

// x^3 where n is not large, whose derivative at 3 is 27; the loop would be for large n, of which none come there.
// VALUES: 27.0
// LARGE:  1.0
func.func private @cube(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %is_large = arith.cmpi sgt, %n, %c20 : index
  cf.cond_br %is_large, ^exit(%x : f64), ^small
^small:
  %square = arith.mulf %x, %x : f64
  %cube = arith.mulf %square, %x : f64
  cf.cond_br %is_large, ^header(%c0, %cube : index, f64), ^exit(%cube : f64)
^header(%i: index, %y: f64):
  %c = arith.cmpi slt, %i, %n : index
  cf.cond_br %c, ^body, ^exit(%y : f64)
^body:
  %next = arith.mulf %y, %x : f64
  %j = arith.addi %i, %c1 : index
  cf.br ^header(%j, %next : index, f64)
^exit(%r: f64):
  return %r : f64
}

func.func @gradient(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %dx = ad.vjp @cube(%x, %n) seed(%one) {wrt = array<i64: 0>} : (f64, index), (f64) -> (f64, f64)
  return %dx : f64
}
