// What a thread keeps for itself: small arrays, rows of buffers, loops that end by a condition, functions and constant
// tables. Nothing is allocated, and a row is a pointer.
//
// RUN: ad-opt %s --pass-pipeline="builtin.module(%kernels-to-ptx)" | %binary-text > %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 -v %t.ptx -o /dev/null 2>&1 | FileCheck %s --check-prefix=ASSEMBLED %}
// RUN: %if ptxas %{ %ptxas -arch=sm_90 -v %t.ptx -o /dev/null 2>&1 | FileCheck %s --check-prefix=ASSEMBLED %}

// CHECK-NOT: malloc
// CHECK-LABEL: .visible .entry rows(
// CHECK: .local .align 8 .b8 [[STACK:[a-z_0-9]+]][32];
// CHECK: ld.global.b64
// CHECK: st.local.b64
// CHECK: ld.local.b64
// CHECK-NOT: call
// CHECK: ret;

// ASSEMBLED: 32 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
gpu.module @kernels attributes {dlti.dl_spec = #dlti.dl_spec<i64 = dense<64> : vector<2xi64>>} {
  memref.global "private" constant @weights : memref<4xf64> = dense<[1.0, 2.0, 3.0, 4.0]>

  func.func private @square(%a: f64) -> f64 {
    %b = arith.mulf %a, %a : f64
    return %b : f64
  }

  gpu.func @rows(%x: memref<?x?xf64>, %flags: memref<?xi1>, %n: index, %limit: f64) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f64
    %i = gpu.global_id x
    %table = memref.get_global @weights : memref<4xf64>
    %mine = memref.alloca() : memref<4xf64>
    %row = memref.subview %x[%i, 0] [1, %n] [1, 1] : memref<?x?xf64> to memref<?xf64, strided<[1], offset: ?>>
    scf.for %j = %c0 to %n step %c1 {
      %v = memref.load %row[%j] : memref<?xf64, strided<[1], offset: ?>>
      %w = func.call @square(%v) : (f64) -> f64
      %at = arith.remui %j, %c4 : index
      memref.store %w, %mine[%at] : memref<4xf64>
    }
    %sum = scf.for %j = %c0 to %n step %c1 iter_args(%partial = %zero) -> f64 {
      %at = arith.remui %j, %c4 : index
      %v = memref.load %mine[%at] : memref<4xf64>
      %t = memref.load %table[%at] : memref<4xf64>
      %product = arith.mulf %v, %t : f64
      %next = arith.addf %partial, %product : f64
      scf.yield %next : f64
    }
    %below = scf.while (%a = %sum) : (f64) -> f64 {
      %more = arith.cmpf ogt, %a, %limit : f64
      scf.condition(%more) %a : f64
    } do {
    ^bb0(%a: f64):
      %next = arith.divf %a, %limit : f64
      scf.yield %next : f64
    }
    %positive = arith.cmpf ogt, %below, %zero : f64
    memref.store %positive, %flags[%i] : memref<?xi1>
    memref.store %below, %row[%c0] : memref<?xf64, strided<[1], offset: ?>>
    gpu.return
  }
}
