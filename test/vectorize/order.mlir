// A loop that adds to several rows reads all of them before it writes to the first one: the next row begins where the
// lanes of a vector end that do not run. With AVX-512 those that are left run with a mask.
// RUN: ad-opt %s --ad-vectorize | FileCheck %s
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-vectorize{instruction-set=avx512})' | FileCheck %s --check-prefixes=CHECK,AVX512

// CHECK-LABEL: func.func @rows(
// CHECK: %[[G0:.*]] = memref.subview %{{.*}}[1, 0]
// CHECK: %[[G1:.*]] = memref.subview %{{.*}}[2, 0]
// CHECK: %[[G2:.*]] = memref.subview %{{.*}}[2, %
// CHECK: scf.for
// CHECK-NOT: vector.store
// CHECK: vector.load %[[G0]]
// CHECK-NOT: vector.store
// CHECK: vector.load %[[G1]]
// CHECK-NOT: vector.store
// CHECK: vector.load %[[G2]]
// CHECK: vector.store %{{.*}}, %[[G0]]
// CHECK: vector.store %{{.*}}, %[[G1]]
// CHECK: vector.store %{{.*}}, %[[G2]]
// AVX512: scf.if
// AVX512: vector.maskedload %[[G2]]
// AVX512: vector.maskedstore %[[G0]]
// AVX512: vector.maskedstore %[[G2]]
// AVX512-NOT: scf.for
// CHECK: return
func.func @rows(%x: memref<?xf64>, %y: memref<?xf64>, %z: memref<?xf64>, %b: index) -> memref<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %width = arith.muli %b, %c2 : index
  %g = memref.alloc(%c3, %width) : memref<?x?xf64>
  %g0 = memref.subview %g[1, 0] [1, %b] [1, 1] : memref<?x?xf64> to memref<?xf64, strided<[1], offset: ?>>
  %g1 = memref.subview %g[2, 0] [1, %b] [1, 1] : memref<?x?xf64> to memref<?xf64, strided<[1], offset: ?>>
  %g2 = memref.subview %g[2, %b] [1, %b] [1, 1] : memref<?x?xf64> to memref<?xf64, strided<[1], offset: ?>>
  scf.for %i = %c0 to %b step %c1 {
    %xi = memref.load %x[%i] : memref<?xf64>
    %yi = memref.load %y[%i] : memref<?xf64>
    %zi = memref.load %z[%i] : memref<?xf64>
    %old0 = memref.load %g0[%i] : memref<?xf64, strided<[1], offset: ?>>
    %new0 = arith.addf %old0, %xi : f64
    memref.store %new0, %g0[%i] : memref<?xf64, strided<[1], offset: ?>>
    %old1 = memref.load %g1[%i] : memref<?xf64, strided<[1], offset: ?>>
    %new1 = arith.addf %old1, %yi : f64
    memref.store %new1, %g1[%i] : memref<?xf64, strided<[1], offset: ?>>
    %old2 = memref.load %g2[%i] : memref<?xf64, strided<[1], offset: ?>>
    %new2 = arith.addf %old2, %zi : f64
    memref.store %new2, %g2[%i] : memref<?xf64, strided<[1], offset: ?>>
  }
  return %g : memref<?x?xf64>
}

// What has been stored is read afterwards.
// CHECK-LABEL: func.func @again(
// CHECK: %[[G0:.*]] = memref.subview %{{.*}}[1, 0]
// CHECK: %[[G1:.*]] = memref.subview %{{.*}}[2, 0]
// CHECK: %[[G2:.*]] = memref.subview %{{.*}}[3, 0]
// CHECK: scf.for
// CHECK: vector.store %{{.*}}, %[[G0]]
// CHECK: vector.load %[[G0]]
// CHECK: vector.store %{{.*}}, %[[G1]]
// CHECK: vector.store %{{.*}}, %[[G2]]
func.func @again(%x: memref<?xf64>, %y: memref<?xf64>, %z: memref<?xf64>, %b: index) -> memref<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %g = memref.alloc(%c4, %b) : memref<?x?xf64>
  %g0 = memref.subview %g[1, 0] [1, %b] [1, 1] : memref<?x?xf64> to memref<?xf64, strided<[1], offset: ?>>
  %g1 = memref.subview %g[2, 0] [1, %b] [1, 1] : memref<?x?xf64> to memref<?xf64, strided<[1], offset: ?>>
  %g2 = memref.subview %g[3, 0] [1, %b] [1, 1] : memref<?x?xf64> to memref<?xf64, strided<[1], offset: ?>>
  scf.for %i = %c0 to %b step %c1 {
    %xi = memref.load %x[%i] : memref<?xf64>
    %yi = memref.load %y[%i] : memref<?xf64>
    %zi = memref.load %z[%i] : memref<?xf64>
    memref.store %xi, %g0[%i] : memref<?xf64, strided<[1], offset: ?>>
    %again = memref.load %g0[%i] : memref<?xf64, strided<[1], offset: ?>>
    %sum = arith.addf %again, %yi : f64
    memref.store %sum, %g1[%i] : memref<?xf64, strided<[1], offset: ?>>
    memref.store %zi, %g2[%i] : memref<?xf64, strided<[1], offset: ?>>
  }
  return %g : memref<?x?xf64>
}
