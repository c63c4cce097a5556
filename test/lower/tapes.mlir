// Tapes are arrays that grow: one for each component, with a record that LLVM keeps in registers [Z15, Z24, Z36].
// RUN: ad-opt %s --lower-tapes | FileCheck %s

// A record on the stack; the only allocation is where it grows.
// CHECK-LABEL: func.func @pow(
// CHECK: %[[T:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(i64, i64, ptr)>
// CHECK: scf.for
// CHECK: %[[N:.*]] = llvm.load
// CHECK: %[[ROOM:.*]] = llvm.load
// CHECK: %[[FULL:.*]] = arith.cmpi eq, %[[N]], %[[ROOM]] : i64
// CHECK-NEXT: scf.if %[[FULL]] {
// CHECK: llvm.call @ad.grow_tape(
// CHECK-NOT: llvm.call
// CHECK: }
// CHECK-NOT: llvm.call
// CHECK: memref.store %{{.*}}, %{{.*}} : memref<?xf64>
// CHECK-NOT: llvm.call
// CHECK: scf.for
// CHECK-NOT: llvm.call
// CHECK: memref.load %{{.*}} : memref<?xf64>
// CHECK: }
// CHECK: llvm.call @free(
// CHECK-NOT: llvm.call @free(
// CHECK: return
func.func @pow(%x: f64, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 1.0 : f64
  %none = arith.constant 0.0 : f64
  %t = ad.tape_create : !ad.tape<f64>
  %y = scf.for %i = %zero to %n step %one iter_args(%r = %start) -> f64 {
    ad.tape_push %t, %r : !ad.tape<f64>
    %p = arith.mulf %r, %x : f64
    scf.yield %p : f64
  }
  %g:2 = scf.for %i = %zero to %n step %one iter_args(%r_bar = %start, %x_bar = %none) -> (f64, f64) {
    %r = ad.tape_pop %t : !ad.tape<f64>
    %d = arith.mulf %r_bar, %r : f64
    %s = arith.addf %x_bar, %d : f64
    %q = arith.mulf %r_bar, %x : f64
    scf.yield %q, %s : f64, f64
  }
  ad.tape_free %t : !ad.tape<f64>
  return %g#1 : f64
}

// Blocks and calls see pointers; what others use has its record on the heap.
// CHECK-LABEL: func.func @passed(
// CHECK-SAME: %{{.*}}: !llvm.ptr, %{{.*}}: i1) -> !llvm.ptr
// CHECK: llvm.call @malloc(
// CHECK: cf.cond_br %{{.*}}, ^bb1(%{{.*}} : !llvm.ptr), ^bb1(%{{.*}} : !llvm.ptr)
// CHECK: ^bb1(%[[U:.*]]: !llvm.ptr):
// CHECK: call @passed(%[[U]], %{{.*}}) : (!llvm.ptr, i1) -> !llvm.ptr
func.func @passed(%t: !ad.tape<i1, complex<f32>>, %c: i1) -> !ad.tape<i1, complex<f32>> {
  %new = ad.tape_create : !ad.tape<i1, complex<f32>>
  cf.cond_br %c, ^bb1(%new : !ad.tape<i1, complex<f32>>), ^bb1(%t : !ad.tape<i1, complex<f32>>)
^bb1(%u: !ad.tape<i1, complex<f32>>):
  %v = func.call @passed(%u, %c) : (!ad.tape<i1, complex<f32>>, i1) -> !ad.tape<i1, complex<f32>>
  return %v : !ad.tape<i1, complex<f32>>
}

// A tape of each iteration has its record where the function begins.
// CHECK-LABEL: func.func @in_loop(
// CHECK: llvm.alloca
// CHECK: scf.for
// CHECK-NOT: llvm.alloca
// CHECK-NOT: llvm.call @malloc
// CHECK: return
func.func @in_loop(%x: f32, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %t = ad.tape_create : !ad.tape<f32>
    ad.tape_push %t, %x : !ad.tape<f32>
    ad.tape_free %t : !ad.tape<f32>
  }
  return
}

// A popped row that is freed before the next push is read where it is; one that is not is copied.
// CHECK-LABEL: func.func @rows(
// CHECK: memref.copy
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: memref.load
// CHECK-NOT: memref.dealloc
// CHECK: memref.alloc
// CHECK: memref.copy
// CHECK: llvm.call @ad.grow_tape(
// CHECK: memref.copy
// CHECK: memref.dealloc
// CHECK: return
func.func @rows(%row: memref<?x3xf64, strided<[?, 1]>>) -> f64 {
  %zero = arith.constant 0 : index
  %t = ad.tape_create : !ad.tape<tensor<?x3xf64>>
  ad.tape_push %t, %row : !ad.tape<tensor<?x3xf64>>, memref<?x3xf64, strided<[?, 1]>>
  %a = ad.tape_pop %t : !ad.tape<tensor<?x3xf64>>, memref<?x3xf64>
  %x = memref.load %a[%zero, %zero] : memref<?x3xf64>
  memref.dealloc %a : memref<?x3xf64>
  %b = ad.tape_pop %t : !ad.tape<tensor<?x3xf64>>, memref<?x3xf64>
  ad.tape_push %t, %row : !ad.tape<tensor<?x3xf64>>, memref<?x3xf64, strided<[?, 1]>>
  %y = memref.load %b[%zero, %zero] : memref<?x3xf64>
  memref.dealloc %b : memref<?x3xf64>
  ad.tape_free %t : !ad.tape<tensor<?x3xf64>>
  %z = arith.addf %x, %y : f64
  return %z : f64
}
