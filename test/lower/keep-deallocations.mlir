// What a program frees itself is marked, and stays where it is; what it does not free is freed for it.
// RUN: ad-opt %s --keep-deallocations | FileCheck %s
// RUN: ad-opt %s --pass-pipeline='builtin.module(keep-deallocations,func.func(ad-hoist-buffers))' | FileCheck %s --check-prefix=HOIST
// RUN: ad-opt run %s --entry=in_loop --input=3 | FileCheck %s --check-prefix=VALUE

// CHECK-LABEL: @two
//       CHECK:   memref.alloc() {bufferization.manual_deallocation} : memref<f64>
//       CHECK:   memref.alloc() : memref<2xf64>
//       CHECK:   memref.dealloc %{{.*}} {bufferization.manual_deallocation}
func.func @two(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<f64>
  %p = memref.alloc() : memref<2xf64>
  memref.store %x, %m[] : memref<f64>
  memref.store %x, %p[%c0] : memref<2xf64>
  %y = memref.load %m[] : memref<f64>
  memref.dealloc %m : memref<f64>
  return %y : f64
}

// Upstream would move the allocation out of the loop, and free the buffer in every iteration.
// HOIST-LABEL: @in_loop
//       HOIST:   scf.for
//  HOIST-NEXT:     memref.alloc(
// VALUE: 3.0
func.func @in_loop(%n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %zero) -> (f64) {
    %m = memref.alloc(%n) : memref<?xf64>
    memref.store %v, %m[%i] : memref<?xf64>
    %a = memref.load %m[%i] : memref<?xf64>
    %b = arith.addf %a, %one : f64
    memref.dealloc %m : memref<?xf64>
    scf.yield %b : f64
  }
  return %r : f64
}
