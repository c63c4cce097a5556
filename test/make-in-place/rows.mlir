// What is copied to a row of a buffer when it is done is made there.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-make-in-place,ad-canonicalize,cse,ad-canonicalize)' -split-input-file | FileCheck %s
// RUN: ad-opt %s --ad-make-in-place -split-input-file --remarks-filter-analyse='ad-make-in-place' -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: copies | Category:ad-make-in-place | count=1
// COUNT: copies | Category:ad-make-in-place | count=2
// COUNT: copies | Category:ad-make-in-place | count=1
// COUNT-COUNT-3: rows.mlir:{{.*}} copies | Category:ad-make-in-place | count=1
// COUNT-NOT: copies | Category:ad-make-in-place | count={{[1-9]}}
// COUNT: rows.mlir:{{4[0-9]+}}:{{.*}} copies | Category:ad-make-in-place | count=1
// COUNT: copies | Category:ad-make-in-place | count=3

// A row of m numbers of 8 bytes begins at byte 8 m t.
// CHECK-LABEL: func.func @row(
// CHECK-SAME:    %[[N:[a-z0-9]+]]: index, %[[M:[a-z0-9]+]]: index
// CHECK:         %[[ROWS:.*]] = arith.muli %[[N]], %c8
// CHECK:         %[[SIZE:.*]] = arith.muli %[[ROWS]], %[[M]]
// CHECK:         %[[BYTES:.*]] = memref.alloc(%[[SIZE]]) {{.*}} : memref<?xi8>
// CHECK:         %[[ALL:.*]] = memref.view %[[BYTES]][%c0][%[[N]], %[[M]]]
// CHECK:         scf.for %[[T:[a-z0-9]+]] =
// CHECK:           %[[ROW:.*]] = arith.muli %[[M]], %c8
// CHECK:           %[[START:.*]] = arith.muli %[[ROW]], %[[T]]
// CHECK:           %[[VIEW:.*]] = memref.view %[[BYTES]][%[[START]]][%[[M]]] : memref<?xi8> to memref<?xf64>
// CHECK:           memref.store %{{.*}}, %[[VIEW]][
// CHECK-NOT:       memref.copy
// CHECK:         memref.load %[[ALL]]
func.func @row(%n: index, %m: index, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = memref.alloc(%n, %m) : memref<?x?xf64>
  scf.for %t = %c0 to %n step %c1 {
    %own = memref.alloc(%m) : memref<?xf64>
    memref.store %x, %own[%c0] : memref<?xf64>
    %row = memref.subview %all[%t, 0] [1, %m] [1, 1] : memref<?x?xf64> to memref<?xf64, strided<[1], offset: ?>>
    memref.copy %own, %row : memref<?xf64> to memref<?xf64, strided<[1], offset: ?>>
  }
  %y = memref.load %all[%c0, %c0] : memref<?x?xf64>
  return %y : f64
}

// -----

// Each branch has an allocation of its own, in front of the loop. One begins with zeros, as all of the buffer does, and the
// other one with what is in the row. From the last row to the first, each is used once: neither has to be written.
// CHECK-LABEL: func.func @branches(
// CHECK:         %[[BYTES:.*]] = memref.alloc() {{.*}} : memref<96xi8>
// CHECK:         %[[ALL:.*]] = memref.view %[[BYTES]][%c0][] : memref<96xi8> to memref<6x4xf32>
// CHECK:         linalg.fill ins(%{{.*}}) outs(%[[ALL]] :
// CHECK:         scf.for %[[T:[a-z0-9]+]] =
// CHECK:           %[[I:.*]] = arith.subi %c5, %[[T]]
// CHECK:           %[[START:.*]] = arith.muli %[[I]], %c16
// CHECK:           %[[VIEW:.*]] = memref.view %[[BYTES]][%[[START]]][] : memref<96xi8> to memref<4xf32>
// CHECK:           scf.if
// CHECK-NEXT:        memref.store %{{.*}}, %[[VIEW]][%c1]
// CHECK-NEXT:      } else {
// CHECK-NEXT:        memref.store %{{.*}}, %[[VIEW]][%c2]
// CHECK-NEXT:      }
// CHECK-NEXT:      memref.load %[[VIEW]][%c3]
// CHECK-NOT:       memref.copy
// CHECK:         memref.load %[[ALL]]
func.func @branches(%p: i1, %x: f32, %sums: memref<6xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %all = memref.alloc() : memref<6x4xf32>
  linalg.fill ins(%zero : f32) outs(%all : memref<6x4xf32>)
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  scf.for %t = %c0 to %c6 step %c1 {
    %i = arith.subi %c5, %t : index
    %row = memref.subview %all[%i, 0] [1, 4] [1, 1] : memref<6x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    %own = scf.if %p -> memref<4xf32> {
      linalg.fill ins(%zero : f32) outs(%a : memref<4xf32>)
      memref.store %x, %a[%c1] : memref<4xf32>
      scf.yield %a : memref<4xf32>
    } else {
      memref.copy %row, %b : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32>
      memref.store %x, %b[%c2] : memref<4xf32>
      scf.yield %b : memref<4xf32>
    }
    %y = memref.load %own[%c3] : memref<4xf32>
    memref.store %y, %sums[%t] : memref<6xf32>
    memref.copy %own, %row : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
  }
  %last = memref.load %all[%c0, %c0] : memref<6x4xf32>
  return %last : f32
}

// -----

// A row is used more than once, or the buffer does not begin with the number: what fills the array stays.
// CHECK-LABEL: func.func @filled(
// CHECK:         scf.for
// CHECK:           linalg.fill
// CHECK-NOT:       memref.copy
// CHECK:         return
func.func @filled(%x: f32, %k: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %all = memref.alloc() : memref<6x4xf32>
  linalg.fill ins(%zero : f32) outs(%all : memref<6x4xf32>)
  scf.for %t = %c0 to %c6 step %c1 {
    %own = memref.alloc() : memref<4xf32>
    linalg.fill ins(%zero : f32) outs(%own : memref<4xf32>)
    memref.store %x, %own[%t] : memref<4xf32>
    %row = memref.subview %all[%k, 0] [1, 4] [1, 1] : memref<6x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    memref.copy %own, %row : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
  }
  %last = memref.load %all[%c0, %c0] : memref<6x4xf32>
  return %last : f32
}

// -----

// The array is used afterwards.
// CHECK-LABEL: func.func @afterwards(
// CHECK: memref.copy
func.func @afterwards(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = memref.alloc(%n) : memref<?x4xf32>
  scf.for %t = %c0 to %n step %c1 {
    %own = memref.alloc() : memref<4xf32>
    memref.store %x, %own[%c0] : memref<4xf32>
    %row = memref.subview %all[%t, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    memref.copy %own, %row : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
    memref.store %x, %own[%c1] : memref<4xf32>
  }
  %y = memref.load %all[%c0, %c0] : memref<?x4xf32>
  return %y : f32
}

// -----

// The buffer is read in between, by another name.
// CHECK-LABEL: func.func @between(
// CHECK: memref.copy
func.func @between(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = memref.alloc(%n) : memref<?x4xf32>
  %flat = memref.collapse_shape %all [[0, 1]] : memref<?x4xf32> into memref<?xf32>
  scf.for %t = %c0 to %n step %c1 {
    %own = memref.alloc() : memref<4xf32>
    memref.store %x, %own[%c0] : memref<4xf32>
    %before = memref.load %flat[%c0] : memref<?xf32>
    memref.store %before, %own[%c1] : memref<4xf32>
    %row = memref.subview %all[%t, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    memref.copy %own, %row : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
  }
  %y = memref.load %all[%c0, %c0] : memref<?x4xf32>
  return %y : f32
}

// -----

// What the iteration before has written is read.
// CHECK-LABEL: func.func @remembered(
// CHECK: memref.copy
func.func @remembered(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = memref.alloc(%n) : memref<?x4xf32>
  %own = memref.alloc() : memref<4xf32>
  scf.for %t = %c0 to %n step %c1 {
    memref.store %x, %own[%t] : memref<4xf32>
    %row = memref.subview %all[%t, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    memref.copy %own, %row : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
  }
  %y = memref.load %all[%c0, %c0] : memref<?x4xf32>
  return %y : f32
}

// -----

// The buffer is read in between by a name that a block hands to the next one.
// CHECK-LABEL: func.func @handed(
// CHECK: memref.copy
func.func @handed(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = memref.alloc(%n) : memref<?x4xf32>
  cf.br ^next(%all : memref<?x4xf32>)
^next(%same: memref<?x4xf32>):
  scf.for %t = %c0 to %n step %c1 {
    %own = memref.alloc() : memref<4xf32>
    memref.store %x, %own[%c0] : memref<4xf32>
    %before = memref.load %same[%c0, %c0] : memref<?x4xf32>
    memref.store %before, %own[%c1] : memref<4xf32>
    %row = memref.subview %all[%t, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    memref.copy %own, %row : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
  }
  %y = memref.load %all[%c0, %c0] : memref<?x4xf32>
  return %y : f32
}

// -----

// Both arrays are in use at a time.
// CHECK-LABEL: func.func @together(
// CHECK: memref.copy
func.func @together(%n: index, %p: i1, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = memref.alloc(%n) : memref<?x4xf32>
  scf.for %t = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    %b = memref.alloc() : memref<4xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
    memref.store %x, %b[%c0] : memref<4xf32>
    %own = scf.if %p -> memref<4xf32> {
      scf.yield %a : memref<4xf32>
    } else {
      scf.yield %b : memref<4xf32>
    }
    %row = memref.subview %all[%t, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    memref.copy %own, %row : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
  }
  %y = memref.load %all[%c0, %c0] : memref<?x4xf32>
  return %y : f32
}

// -----

// A part of the array has a name before the view of the row could be made.
// CHECK-LABEL: func.func @named(
// CHECK: memref.copy
func.func @named() -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %two = arith.constant 2.0 : f64
  %all = memref.alloc() : memref<3x2xf64>
  %own = memref.alloc() : memref<2xf64>
  %half = memref.subview %own[0] [1] [1] : memref<2xf64> to memref<1xf64, strided<[1]>>
  scf.for %t = %c0 to %c3 step %c1 {
    %row = memref.subview %all[%t, 0] [1, 2] [1, 1] : memref<3x2xf64> to memref<2xf64, strided<[1], offset: ?>>
    linalg.fill ins(%zero : f64) outs(%own : memref<2xf64>)
    linalg.fill ins(%two : f64) outs(%half : memref<1xf64, strided<[1]>>)
    memref.copy %own, %row : memref<2xf64> to memref<2xf64, strided<[1], offset: ?>>
  }
  %y = memref.load %all[%c1, %c0] : memref<3x2xf64>
  return %y : f64
}

// -----

// The array is written before the row is copied to it: the row is what it was.
// CHECK-LABEL: func.func @restored(
// CHECK-COUNT-3: memref.copy
func.func @restored(%x: memref<2xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %two = arith.constant 2.0 : f64
  %all = memref.alloc() : memref<3x2xf64>
  linalg.fill ins(%zero : f64) outs(%all : memref<3x2xf64>)
  %own = memref.alloc() : memref<2xf64>
  scf.for %t = %c0 to %c3 step %c1 {
    %row = memref.subview %all[%t, 0] [1, 2] [1, 1] : memref<3x2xf64> to memref<2xf64, strided<[1], offset: ?>>
    linalg.fill ins(%two : f64) outs(%own : memref<2xf64>)
    memref.copy %own, %x : memref<2xf64> to memref<2xf64>
    memref.copy %row, %own : memref<2xf64, strided<[1], offset: ?>> to memref<2xf64>
    memref.copy %own, %row : memref<2xf64> to memref<2xf64, strided<[1], offset: ?>>
  }
  %y = memref.load %all[%c1, %c0] : memref<3x2xf64>
  return %y : f64
}

// -----

// A number that the buffer could be filled with is filled in later: all rows are filled, and not the buffer.
// CHECK-LABEL: func.func @refilled(
// CHECK-NOT: linalg.fill
// CHECK: scf.for
// CHECK-COUNT-2: linalg.fill
// CHECK-NOT: memref.copy %{{.*}} strided
// CHECK: return
func.func @refilled(%x: memref<2xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %two = arith.constant 2.0 : f64
  %all = memref.alloc() : memref<3x2xf64>
  linalg.fill ins(%zero : f64) outs(%all : memref<3x2xf64>)
  scf.for %t = %c0 to %c3 step %c1 {
    %row = memref.subview %all[%t, 0] [1, 2] [1, 1] : memref<3x2xf64> to memref<2xf64, strided<[1], offset: ?>>
    %own = memref.alloc() : memref<2xf64>
    linalg.fill ins(%two : f64) outs(%own : memref<2xf64>)
    memref.copy %own, %x : memref<2xf64> to memref<2xf64>
    linalg.fill ins(%zero : f64) outs(%own : memref<2xf64>)
    memref.store %two, %own[%c1] : memref<2xf64>
    memref.copy %own, %row : memref<2xf64> to memref<2xf64, strided<[1], offset: ?>>
  }
  %y = memref.load %all[%c1, %c0] : memref<3x2xf64>
  return %y : f64
}

// -----

// The buffer may not have been filled.
// CHECK-LABEL: func.func @perhaps(
// CHECK: linalg.fill
// CHECK: scf.for
// CHECK: linalg.fill
// CHECK-NOT: memref.copy
// CHECK: return
func.func @perhaps(%p: i1) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %two = arith.constant 2.0 : f64
  %all = memref.alloc() : memref<3x2xf64>
  scf.if %p {
    linalg.fill ins(%zero : f64) outs(%all : memref<3x2xf64>)
  }
  scf.for %t = %c0 to %c3 step %c1 {
    %row = memref.subview %all[%t, 0] [1, 2] [1, 1] : memref<3x2xf64> to memref<2xf64, strided<[1], offset: ?>>
    %own = memref.alloc() : memref<2xf64>
    linalg.fill ins(%zero : f64) outs(%own : memref<2xf64>)
    memref.store %two, %own[%c1] : memref<2xf64>
    memref.copy %own, %row : memref<2xf64> to memref<2xf64, strided<[1], offset: ?>>
  }
  %y = memref.load %all[%c1, %c0] : memref<3x2xf64>
  return %y : f64
}

// -----

// The array is filled again and again; nobody fills the buffer, of which all rows are made.
// CHECK-LABEL: func.func @again(
// CHECK-NOT: linalg.fill
// CHECK: scf.for
// CHECK: scf.for
// CHECK: linalg.fill
// CHECK-NOT: memref.copy
// CHECK: return
func.func @again() -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %two = arith.constant 2.0 : f64
  %all = memref.alloc() : memref<3x2xf64>
  linalg.fill ins(%zero : f64) outs(%all : memref<3x2xf64>)
  scf.for %t = %c0 to %c3 step %c1 {
    %row = memref.subview %all[%t, 0] [1, 2] [1, 1] : memref<3x2xf64> to memref<2xf64, strided<[1], offset: ?>>
    %own = memref.alloc() : memref<2xf64>
    scf.for %k = %c0 to %t step %c1 {
      linalg.fill ins(%zero : f64) outs(%own : memref<2xf64>)
      memref.store %two, %own[%k] : memref<2xf64>
    }
    memref.copy %own, %row : memref<2xf64> to memref<2xf64, strided<[1], offset: ?>>
  }
  %y = memref.load %all[%c1, %c0] : memref<3x2xf64>
  return %y : f64
}

// -----

// An array of one branch has two names, by one of which it is used afterwards.
// CHECK-LABEL: func.func @two_names(
// CHECK: memref.copy
func.func @two_names(%p: i1) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %two = arith.constant 2.0 : f64
  %all = memref.alloc() : memref<3x2xf64>
  scf.for %t = %c0 to %c3 step %c1 {
    %row = memref.subview %all[%t, 0] [1, 2] [1, 1] : memref<3x2xf64> to memref<2xf64, strided<[1], offset: ?>>
    %a = memref.alloc() : memref<2xf64>
    %b = memref.alloc() : memref<2xf64>
    %c = memref.alloc() : memref<2xf64>
    %own, %other = scf.if %p -> (memref<2xf64>, memref<2xf64>) {
      linalg.fill ins(%two : f64) outs(%a : memref<2xf64>)
      scf.yield %a, %a : memref<2xf64>, memref<2xf64>
    } else {
      linalg.fill ins(%two : f64) outs(%b : memref<2xf64>)
      scf.yield %b, %c : memref<2xf64>, memref<2xf64>
    }
    memref.copy %own, %row : memref<2xf64> to memref<2xf64, strided<[1], offset: ?>>
    memref.store %zero, %other[%c0] : memref<2xf64>
  }
  %y = memref.load %all[%c1, %c0] : memref<3x2xf64>
  return %y : f64
}

// -----

// The block of an scf.while knows the buffer by another name.
// CHECK-LABEL: func.func @while(
// CHECK: memref.copy
func.func @while(%later: memref<3x2xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %two = arith.constant 2.0 : f64
  %all = memref.alloc() : memref<3x2xf64>
  linalg.fill ins(%two : f64) outs(%all : memref<3x2xf64>)
  %end = scf.while (%t = %c0, %same = %all) : (index, memref<3x2xf64>) -> index {
    %own = memref.alloc() : memref<2xf64>
    memref.store %two, %own[%c0] : memref<2xf64>
    %seen = memref.load %same[%t, %c1] : memref<3x2xf64>
    memref.store %seen, %own[%c1] : memref<2xf64>
    %row = memref.subview %all[%t, 0] [1, 2] [1, 1] : memref<3x2xf64> to memref<2xf64, strided<[1], offset: ?>>
    memref.copy %own, %row : memref<2xf64> to memref<2xf64, strided<[1], offset: ?>>
    %next = arith.addi %t, %c1 : index
    %more = arith.cmpi slt, %next, %c3 : index
    scf.condition(%more) %next : index
  } do {
  ^bb0(%next: index):
    scf.yield %next, %later : index, memref<3x2xf64>
  }
  %y = memref.load %all[%c1, %c1] : memref<3x2xf64>
  return %y : f64
}

// -----

// There is a byte between elements of three.
// CHECK-LABEL: func.func @width(
// CHECK: memref.copy
func.func @width(%x: i24) -> i24 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %all = memref.alloc() : memref<3x5xi24>
  scf.for %t = %c0 to %c3 step %c1 {
    %own = memref.alloc() : memref<5xi24>
    memref.store %x, %own[%c0] : memref<5xi24>
    %row = memref.subview %all[%t, 0] [1, 5] [1, 1] : memref<3x5xi24> to memref<5xi24, strided<[1], offset: ?>>
    memref.copy %own, %row : memref<5xi24> to memref<5xi24, strided<[1], offset: ?>>
  }
  %y = memref.load %all[%c1, %c0] : memref<3x5xi24>
  return %y : i24
}

// -----

// The number of the row is known too late; so is the buffer; a part of a row is no row; a buffer that is returned belongs to the caller; threads
// would need the whole buffer.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-5: memref.copy
func.func @others(%n: index, %x: f32) -> (memref<?x4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = memref.alloc(%n) : memref<?x4xf32>
  %given = memref.alloc(%n) : memref<?x4xf32>
  %number = memref.alloc() : memref<index>
  memref.store %n, %number[] : memref<index>
  scf.for %t = %c0 to %n step %c1 {
    %own = memref.alloc() : memref<4xf32>
    memref.store %x, %own[%c0] : memref<4xf32>
    %i = memref.load %number[] : memref<index>
    %row = memref.subview %all[%i, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    memref.copy %own, %row : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
    %late = memref.alloc() : memref<4xf32>
    memref.store %x, %late[%c0] : memref<4xf32>
    %new = memref.alloc(%n) : memref<?x4xf32>
    %in_new = memref.subview %new[%t, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    memref.copy %late, %in_new : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
    %seen = memref.load %new[%c0, %t] : memref<?x4xf32>
    memref.store %seen, %all[%t, %c0] : memref<?x4xf32>
    %two = memref.alloc() : memref<2xf32>
    memref.store %x, %two[%c0] : memref<2xf32>
    %half = memref.subview %all[%t, 0] [1, 2] [1, 1] : memref<?x4xf32> to memref<2xf32, strided<[1], offset: ?>>
    memref.copy %two, %half : memref<2xf32> to memref<2xf32, strided<[1], offset: ?>>
    %more = memref.alloc() : memref<4xf32>
    memref.store %x, %more[%c0] : memref<4xf32>
    %out = memref.subview %given[%t, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    memref.copy %more, %out : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
  }
  scf.forall (%t) in (%n) {
    %own = memref.alloc() : memref<4xf32>
    memref.store %x, %own[%c0] : memref<4xf32>
    %row = memref.subview %all[%t, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    memref.copy %own, %row : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
  }
  %y = memref.load %all[%c0, %c0] : memref<?x4xf32>
  return %given, %y : memref<?x4xf32>, f32
}

// -----

// All rows are made, from the last to the first: nobody fills the buffer.
// CHECK-LABEL: func.func @all_rows(
// CHECK-NOT: linalg.fill
// CHECK-NOT: memref.copy
// CHECK: return
func.func @all_rows(%n: index, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %last = arith.subi %n, %c1 : index
  %all = memref.alloc(%n) : memref<?x2xf64>
  linalg.fill ins(%zero : f64) outs(%all : memref<?x2xf64>)
  scf.for %t = %c0 to %n step %c1 {
    %i = arith.subi %last, %t : index
    %own = memref.alloc() : memref<2xf64>
    memref.store %x, %own[%c0] : memref<2xf64>
    memref.store %x, %own[%c1] : memref<2xf64>
    %row = memref.subview %all[%i, 0] [1, 2] [1, 1] : memref<?x2xf64> to memref<2xf64, strided<[1], offset: ?>>
    memref.copy %own, %row : memref<2xf64> to memref<2xf64, strided<[1], offset: ?>>
  }
  %y = memref.load %all[%c0, %c0] : memref<?x2xf64>
  return %y : f64
}

// -----

// Every second row is made, the rows behind the first, or some of more.
// CHECK-LABEL: func.func @some_rows(
// CHECK-COUNT-3: linalg.fill
// CHECK-NOT: memref.copy
// CHECK: return
func.func @some_rows(%n: index, %m: index, %x: f64) -> (f64, f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %a = memref.alloc(%n) : memref<?x2xf64>
  linalg.fill ins(%zero : f64) outs(%a : memref<?x2xf64>)
  scf.for %t = %c0 to %n step %c2 {
    %own = memref.alloc() : memref<2xf64>
    memref.store %x, %own[%c0] : memref<2xf64>
    %row = memref.subview %a[%t, 0] [1, 2] [1, 1] : memref<?x2xf64> to memref<2xf64, strided<[1], offset: ?>>
    memref.copy %own, %row : memref<2xf64> to memref<2xf64, strided<[1], offset: ?>>
  }
  %b = memref.alloc(%n) : memref<?x2xf64>
  linalg.fill ins(%zero : f64) outs(%b : memref<?x2xf64>)
  scf.for %t = %c1 to %n step %c1 {
    %own = memref.alloc() : memref<2xf64>
    memref.store %x, %own[%c0] : memref<2xf64>
    %row = memref.subview %b[%t, 0] [1, 2] [1, 1] : memref<?x2xf64> to memref<2xf64, strided<[1], offset: ?>>
    memref.copy %own, %row : memref<2xf64> to memref<2xf64, strided<[1], offset: ?>>
  }
  %c = memref.alloc(%m) : memref<?x2xf64>
  linalg.fill ins(%zero : f64) outs(%c : memref<?x2xf64>)
  scf.for %t = %c0 to %n step %c1 {
    %own = memref.alloc() : memref<2xf64>
    memref.store %x, %own[%c0] : memref<2xf64>
    %row = memref.subview %c[%t, 0] [1, 2] [1, 1] : memref<?x2xf64> to memref<2xf64, strided<[1], offset: ?>>
    memref.copy %own, %row : memref<2xf64> to memref<2xf64, strided<[1], offset: ?>>
  }
  %x_a = memref.load %a[%c1, %c0] : memref<?x2xf64>
  %x_b = memref.load %b[%c0, %c0] : memref<?x2xf64>
  %x_c = memref.load %c[%n, %c0] : memref<?x2xf64>
  return %x_a, %x_b, %x_c : f64, f64, f64
}
