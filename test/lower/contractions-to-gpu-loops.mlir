// How tiles follow borders (F49): sums end with the last row of a tile, threads leave out masks but for the rows of their
// own, and tiles without an element of the result make nothing.
// RUN: ad-opt %s --pass-pipeline='builtin.module(lower-contractions-to-gpu,ad-canonicalize,cse)' -split-input-file | FileCheck %s

// 64 rows from ROW on end with summand ROW + 63. A thread has rows OWN .. OWN + 3: what is before OWN + 1 counts for all of
// them, the next three are masked.
// CHECK-LABEL: func.func @triangle(
// CHECK-NOT: linalg.fill
// CHECK: gpu.launch
// CHECK: %[[ROW:.*]] = arith.muli %{{.*}}, %c64
// CHECK-NOT: memref.load
// CHECK: arith.addi %[[ROW]], %c64
// CHECK: scf.for %{{.*}} step %c16 iter_args({{.*}}%cst
// CHECK: gpu.barrier
// CHECK: scf.for %[[I:.*]] = %c0 to %[[WHOLE:.*]] step %c1
// CHECK-NOT: arith.select
// CHECK-COUNT-16: arith.mulf
// CHECK: scf.for %[[I:.*]] = %[[WHOLE]] to %{{.*}} step %c1
// CHECK-COUNT-4: arith.cmpi slt, %[[I]], %
// CHECK-COUNT-16: arith.select
// CHECK: gpu.terminator
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func @triangle(%A: memref<256x256xf64>, %B: memref<256x256xf64>) -> memref<256x256xf64> {
  %zero = arith.constant 0.0 : f64
  %C = memref.alloc() : memref<256x256xf64>
  // The tiles begin with zero: nobody writes or reads it.
  linalg.fill ins(%zero : f64) outs(%C : memref<256x256xf64>)
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%A, %B : memref<256x256xf64>, memref<256x256xf64>) outs(%C : memref<256x256xf64>) {
  ^bb0(%a: f64, %b: f64, %c: f64):
    %i = linalg.index 0 : index
    %k = linalg.index 2 : index
    %in = arith.cmpi ule, %k, %i : index
    %p = arith.mulf %a, %b : f64
    %t = arith.select %in, %p, %zero : f64
    %s = arith.addf %c, %t : f64
    linalg.yield %s : f64
  }
  return %C : memref<256x256xf64>
}

// -----

// The upper right corner of the result stays what it was filled with.
// CHECK-LABEL: func.func @result(
// CHECK: linalg.fill
// CHECK: gpu.launch
// CHECK-COUNT-4: memref.reinterpret_cast
// CHECK: %[[END:[0-9]+]] = arith.select %{{[0-9]+}}, %{{[a-z0-9]+}}, %[[FIRST:[a-z0-9]+]] : index
// CHECK: %[[SOME:.*]] = arith.select %{{[0-9]+}}, %[[END]], %[[FIRST]] : index
// CHECK: %[[ALL:.*]] = arith.maxsi %[[SOME]], %[[FIRST]]
// CHECK: %[[REST:.*]] = arith.remui %{{.*}}, %c16 : index
// CHECK: %[[UP_TO:.*]] = arith.subi %[[ALL]], %[[REST]] : index
// CHECK: scf.for %{{.*}} = %[[FIRST]] to %[[UP_TO]] step %c16
// CHECK: scf.for %{{.*}} = %[[UP_TO]] to %[[END]] step %c16
// CHECK-NOT: arith.select
// CHECK: gpu.terminator
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func @result(%A: memref<256x64xf64>, %B: memref<64x256xf64>) -> memref<256x256xf64> {
  %zero = arith.constant 0.0 : f64
  %C = memref.alloc() : memref<256x256xf64>
  linalg.fill ins(%zero : f64) outs(%C : memref<256x256xf64>)
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%A, %B : memref<256x64xf64>, memref<64x256xf64>) outs(%C : memref<256x256xf64>) {
  ^bb0(%a: f64, %b: f64, %c: f64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi ule, %j, %i : index
    %p = arith.mulf %a, %b : f64
    %t = arith.select %in, %p, %zero : f64
    %s = arith.addf %c, %t : f64
    linalg.yield %s : f64
  }
  return %C : memref<256x256xf64>
}

// -----

// No borders that tiles can follow: a thread for each element does all.
// CHECK-LABEL: func.func @others(
// CHECK-NOT: gpu.launch
// CHECK-COUNT-2: linalg.generic
// CHECK: return
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func @others(%A: memref<256x64xf64>, %B: memref<64x256xf64>, %C: memref<256x256xf64>) {
  %zero = arith.constant 0.0 : f64
  // From the number of the row on.
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%A, %B : memref<256x64xf64>, memref<64x256xf64>) outs(%C : memref<256x256xf64>) {
  ^bb0(%a: f64, %b: f64, %c: f64):
    %i = linalg.index 0 : index
    %k = linalg.index 2 : index
    %in = arith.cmpi ule, %i, %k : index
    %p = arith.mulf %a, %b : f64
    %t = arith.select %in, %p, %zero : f64
    %s = arith.addf %c, %t : f64
    linalg.yield %s : f64
  }
  // What does not count is not zero.
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%A, %B : memref<256x64xf64>, memref<64x256xf64>) outs(%C : memref<256x256xf64>) {
  ^bb0(%a: f64, %b: f64, %c: f64):
    %i = linalg.index 0 : index
    %k = linalg.index 2 : index
    %in = arith.cmpi ule, %k, %i : index
    %p = arith.mulf %a, %b : f64
    %t = arith.select %in, %p, %a : f64
    %s = arith.addf %c, %t : f64
    linalg.yield %s : f64
  }
  return
}

// -----

// What is written by another name after the result was filled is not lost: the fill stays.
// CHECK-LABEL: func.func @named(
// CHECK: linalg.fill
// CHECK: memref.store
// CHECK: gpu.launch
// CHECK-COUNT-16: memref.load %alloc[
// CHECK: return
func.func @named(%A: memref<256x64xf64>, %B: memref<64x256xf64>, %x: f64) -> memref<256x256xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %C = memref.alloc() : memref<256x256xf64>
  %row = memref.subview %C[0, 0] [1, 256] [1, 1] : memref<256x256xf64> to memref<256xf64, strided<[1]>>
  linalg.fill ins(%zero : f64) outs(%C : memref<256x256xf64>)
  memref.store %x, %row[%c0] : memref<256xf64, strided<[1]>>
  linalg.matmul ins(%A, %B : memref<256x64xf64>, memref<64x256xf64>) outs(%C : memref<256x256xf64>)
  return %C : memref<256x256xf64>
}

// -----

// A part of an array is not written with zero either, if that is what happens right before.
// CHECK-LABEL: func.func @part(
// CHECK-NOT: linalg.fill
// CHECK: gpu.launch
// CHECK: return
func.func @part(%A: memref<256x64xf64>, %B: memref<64x256xf64>, %all: memref<4x256x256xf64>, %k: index) {
  %zero = arith.constant 0.0 : f64
  %C = memref.subview %all[%k, 0, 0] [1, 256, 256] [1, 1, 1]
      : memref<4x256x256xf64> to memref<256x256xf64, strided<[256, 1], offset: ?>>
  linalg.fill ins(%zero : f64) outs(%C : memref<256x256xf64, strided<[256, 1], offset: ?>>)
  linalg.matmul ins(%A, %B : memref<256x64xf64>, memref<64x256xf64>)
      outs(%C : memref<256x256xf64, strided<[256, 1], offset: ?>>)
  return
}

// -----

// A factor in the same array may be what was filled.
// CHECK-LABEL: func.func @factor(
// CHECK: linalg.fill
// CHECK: gpu.launch
// CHECK: return
func.func @factor(%B: memref<256x256xf64>, %all: memref<4x256x256xf64>, %j: index, %k: index) {
  %zero = arith.constant 0.0 : f64
  %A = memref.subview %all[%j, 0, 0] [1, 256, 256] [1, 1, 1]
      : memref<4x256x256xf64> to memref<256x256xf64, strided<[256, 1], offset: ?>>
  %C = memref.subview %all[%k, 0, 0] [1, 256, 256] [1, 1, 1]
      : memref<4x256x256xf64> to memref<256x256xf64, strided<[256, 1], offset: ?>>
  linalg.fill ins(%zero : f64) outs(%C : memref<256x256xf64, strided<[256, 1], offset: ?>>)
  linalg.matmul ins(%A, %B : memref<256x256xf64, strided<[256, 1], offset: ?>>, memref<256x256xf64>)
      outs(%C : memref<256x256xf64, strided<[256, 1], offset: ?>>)
  return
}

// -----

// What is copied to the result right before is read from where it is.
// CHECK-LABEL: func.func @copied(
// CHECK-SAME: %[[all:[a-z0-9]+]]: memref<4x256x256xf64>
// CHECK-NOT: memref.copy
// CHECK: %[[from:.*]] = memref.subview %[[all]]
// CHECK-NOT: memref.copy
// CHECK: gpu.launch
// CHECK-NOT: memref.load %alloc[
// CHECK-COUNT-16: memref.load %[[from]][
// CHECK: return
func.func @copied(%all: memref<4x256x256xf64>, %A: memref<256x64xf64>, %B: memref<64x256xf64>, %k: index)
    -> memref<256x256xf64> {
  %C = memref.alloc() : memref<256x256xf64>
  %from = memref.subview %all[%k, 0, 0] [1, 256, 256] [1, 1, 1]
      : memref<4x256x256xf64> to memref<256x256xf64, strided<[256, 1], offset: ?>>
  memref.copy %from, %C : memref<256x256xf64, strided<[256, 1], offset: ?>> to memref<256x256xf64>
  linalg.matmul ins(%A, %B : memref<256x64xf64>, memref<64x256xf64>) outs(%C : memref<256x256xf64>)
  return %C : memref<256x256xf64>
}

// -----

// What it is a copy of is written to in between: the copy stays.
// CHECK-LABEL: func.func @changed(
// CHECK: memref.copy
// CHECK: gpu.launch
// CHECK: return
func.func @changed(%from: memref<256x256xf64>, %A: memref<256x64xf64>, %B: memref<64x256xf64>, %x: f64)
    -> memref<256x256xf64> {
  %c0 = arith.constant 0 : index
  %C = memref.alloc() : memref<256x256xf64>
  memref.copy %from, %C : memref<256x256xf64> to memref<256x256xf64>
  memref.store %x, %from[%c0, %c0] : memref<256x256xf64>
  linalg.matmul ins(%A, %B : memref<256x64xf64>, memref<64x256xf64>) outs(%C : memref<256x256xf64>)
  return %C : memref<256x256xf64>
}
