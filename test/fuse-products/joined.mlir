// Products whose rows a loop reads, each in the iteration of its number, are made in blocks of rows [F49].
// RUN: ad-opt %s --ad-fuse-products --canonicalize | FileCheck %s
// RUN: env GLIBC_TUNABLES=glibc.malloc.tcache_count=0:glibc.malloc.perturb=85 ad-opt %s --ad-fuse-products --canonicalize | FileCheck %s
// RUN: ad-opt %s --ad-fuse-products --remarks-filter-analyse=ad-fuse-products 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: remark: [Analysis] fused | Category:ad-fuse-products | count=2

#points = affine_map<(i, j, l) -> (i, l)>
#columns = affine_map<(i, j, l) -> (l, i)>
#centres = affine_map<(i, j, l) -> (j, l)>
#table = affine_map<(i, j, l) -> (i, j)>

// The sum of the least numbers of the rows: the block has at least 64 rows, and no more than there are.
// CHECK-LABEL: func.func @sum_of_least(
// CHECK-SAME: %[[P:.*]]: memref<?x?xf64>, %[[C:.*]]: memref<?x?xf64>
// CHECK-DAG: %[[N:.*]] = memref.dim %[[P]], %c0
// CHECK-DAG: %[[K:.*]] = memref.dim %[[C]], %c0
// CHECK: %[[WIDTH:.*]] = arith.maxsi %[[K]], %c1
// CHECK: %[[FIT:.*]] = arith.divsi %c524288, %[[WIDTH]]
// CHECK: %[[ROWS:.*]] = arith.maxsi %[[FIT]], %c64
// CHECK: %[[MOST:.*]] = arith.minsi %[[ROWS]], %[[N]]
// CHECK: %[[BLOCK:.*]] = memref.alloc(%[[MOST]], %[[K]]) {alignment = 64 : i64} : memref<?x?xf64>
// CHECK: %[[ALL:.*]] = scf.for %[[START:.*]] = %c0 to %[[N]] step %[[ROWS]] iter_args(%[[SUM:.*]] = %{{.*}}) -> (f64) {
// CHECK:   %[[LEFT:.*]] = arith.subi %[[N]], %[[START]]
// CHECK:   %[[COUNT:.*]] = arith.minsi %[[ROWS]], %[[LEFT]]
// CHECK:   %[[PART:.*]] = memref.subview %[[BLOCK]][0, 0] [%[[COUNT]], %[[K]]] [1, 1]
// CHECK:   %[[OWN:.*]] = memref.subview %[[P]][%[[START]], 0] [%[[COUNT]], %{{.*}}] [1, 1]
// CHECK:   linalg.fill ins(%{{.*}}) outs(%[[PART]]
// CHECK:   linalg.generic {{.*}} ins(%[[OWN]], %[[C]] : {{.*}}) outs(%[[PART]]
// CHECK:   %[[NEXT:.*]] = scf.for %[[R:.*]] = %c0 to %[[COUNT]] step %c1 iter_args(%{{.*}} = %[[SUM]]) -> (f64) {
// CHECK:     %[[ROW:.*]] = memref.subview %[[BLOCK]][%[[R]], 0] [1, %[[K]]] [1, 1]
// CHECK:     scf.for
// CHECK:       memref.load %[[ROW]]
// CHECK:   scf.yield %[[NEXT]]
// CHECK: return %[[ALL]]
func.func @sum_of_least(%p: memref<?x?xf64>, %c: memref<?x?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %far = arith.constant 0x7FF0000000000000 : f64
  %n = memref.dim %p, %c0 : memref<?x?xf64>
  %k = memref.dim %c, %c0 : memref<?x?xf64>
  %t = memref.alloc(%n, %k) {alignment = 64 : i64} : memref<?x?xf64>
  linalg.fill ins(%zero : f64) outs(%t : memref<?x?xf64>)
  linalg.generic {indexing_maps = [#points, #centres, #table], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %c : memref<?x?xf64>, memref<?x?xf64>) outs(%t : memref<?x?xf64>) {
  ^bb0(%a: f64, %b: f64, %s: f64):
    %ab = arith.mulf %a, %b : f64
    %new = arith.addf %s, %ab : f64
    linalg.yield %new : f64
  }
  %all = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (f64) {
    %row = memref.subview %t[%i, 0] [1, %k] [1, 1] : memref<?x?xf64> to memref<?xf64, strided<[1], offset: ?>>
    %least = scf.for %j = %c0 to %k step %c1 iter_args(%m = %far) -> (f64) {
      %x = memref.load %row[%j] : memref<?xf64, strided<[1], offset: ?>>
      %l = arith.minimumf %m, %x : f64
      scf.yield %l : f64
    }
    %next = arith.addf %sum, %least : f64
    scf.yield %next : f64
  }
  return %all : f64
}

// Static sizes, a factor by columns, another range than all rows, and rows that are written to on the way.
// CHECK-LABEL: func.func @exponentials(
// CHECK-SAME: %[[P:[a-z0-9]+]]: memref<8x4096xf32>, %[[C:[a-z0-9]+]]: memref<2048x8xf32>)
// CHECK: %[[OUT:.*]] = memref.alloc() : memref<4096xf32>
// CHECK: %[[BLOCK:.*]] = memref.alloc() : memref<256x2048xf32>
// CHECK: scf.for %[[START:.*]] = %c16 to %c4096 step %c256 {
// CHECK:   memref.subview %[[P]][0, %[[START]]] [8, %[[COUNT:.*]]] [1, 1] : memref<8x4096xf32> to memref<8x?xf32, strided<[4096, 1], offset: ?>>
// CHECK:   linalg.generic
// CHECK:   scf.for %[[R:.*]] = %c0 to %[[COUNT]] step %c1 {
// CHECK:     %[[I:.*]] = arith.addi %[[START]], %[[R]]
// CHECK:     scf.for %[[J:.*]] = %c0 to %c2048 step %c1 {
// CHECK:       %[[X:.*]] = memref.load %[[BLOCK]][%[[R]], %[[J]]]
// CHECK:       memref.store %{{.*}}, %[[BLOCK]][%[[R]], %[[J]]]
// CHECK:     memref.store %{{.*}}, %[[OUT]][%[[I]]]
func.func @exponentials(%p: memref<8x4096xf32>, %c: memref<2048x8xf32>) -> memref<4096xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %from = arith.constant 16 : index
  %n = arith.constant 4096 : index
  %k = arith.constant 2048 : index
  %zero = arith.constant 0.0 : f32
  %out = memref.alloc() : memref<4096xf32>
  %t = memref.alloc() : memref<4096x2048xf32>
  linalg.fill ins(%zero : f32) outs(%t : memref<4096x2048xf32>)
  linalg.generic {indexing_maps = [#columns, #centres, #table], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %c : memref<8x4096xf32>, memref<2048x8xf32>) outs(%t : memref<4096x2048xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %ab = arith.mulf %a, %b : f32
    %new = arith.addf %s, %ab : f32
    linalg.yield %new : f32
  }
  scf.for %i = %from to %n step %c1 {
    scf.for %j = %c0 to %k step %c1 {
      %x = memref.load %t[%i, %j] : memref<4096x2048xf32>
      %e = math.exp %x : f32
      memref.store %e, %t[%i, %j] : memref<4096x2048xf32>
    }
    %first = memref.load %t[%i, %c0] : memref<4096x2048xf32>
    memref.store %first, %out[%i] : memref<4096xf32>
  }
  return %out : memref<4096xf32>
}
