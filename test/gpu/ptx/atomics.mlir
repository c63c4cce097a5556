// Updates of one element by many threads: one instruction where the device has it, in global and in shared memory.
//
// RUN: ad-opt %s --pass-pipeline="builtin.module(%kernels-to-ptx)" | %binary-text | FileCheck %s
// RUN: %if ptxas %{ ad-opt %s --pass-pipeline="builtin.module(%kernels-to-ptx)" | %binary-text > %t.ptx %}
// RUN: %if ptxas %{ %ptxas -arch=sm_80 -v %t.ptx -o /dev/null 2>&1 | FileCheck %s --check-prefix=ASSEMBLED %}
// RUN: %if ptxas %{ %ptxas -arch=sm_90 -v %t.ptx -o /dev/null 2>&1 | FileCheck %s --check-prefix=ASSEMBLED %}

// CHECK-LABEL: .visible .entry histogram(
// A load of 64 bits is one, by the data layout.
// CHECK-NOT: ld.global.b32
// CHECK-NOT: .cas.
// CHECK: atom.shared.add.f64
// CHECK: bar.sync 0;
// CHECK: atom.global.add.f64
// CHECK: atom.global.add.f32
// CHECK: atom.global.add.u64
// CHECK: atom.global.max.s64
// CHECK: ret;

// ASSEMBLED: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
gpu.module @kernels attributes {dlti.dl_spec = #dlti.dl_spec<i64 = dense<64> : vector<2xi64>>} {
  gpu.func @histogram(%bins: memref<?xi64>, %x: memref<?xf64>, %sums: memref<?xf64>, %sums_32: memref<?xf32>,
                      %counts: memref<?xi64>, %last: memref<?xi64>)
      workgroup(%private: memref<32xf64, #gpu.address_space<workgroup>>) kernel {
    %c1 = arith.constant 1 : i64
    %zero = arith.constant 0.0 : f64
    %i = gpu.global_id x
    %thread = gpu.thread_id x
    memref.store %zero, %private[%thread] : memref<32xf64, #gpu.address_space<workgroup>>
    gpu.barrier
    %bin = memref.load %bins[%i] : memref<?xi64>
    %at = arith.index_cast %bin : i64 to index
    %x_i = memref.load %x[%i] : memref<?xf64>
    %0 = memref.atomic_rmw addf %x_i, %private[%at] : (f64, memref<32xf64, #gpu.address_space<workgroup>>) -> f64
    gpu.barrier
    %sum = memref.load %private[%thread] : memref<32xf64, #gpu.address_space<workgroup>>
    %1 = memref.atomic_rmw addf %sum, %sums[%thread] : (f64, memref<?xf64>) -> f64
    %narrow = arith.truncf %sum : f64 to f32
    %2 = memref.atomic_rmw addf %narrow, %sums_32[%thread] : (f32, memref<?xf32>) -> f32
    %3 = memref.atomic_rmw addi %c1, %counts[%at] : (i64, memref<?xi64>) -> i64
    %number = arith.index_cast %i : index to i64
    %4 = memref.atomic_rmw maxs %number, %last[%at] : (i64, memref<?xi64>) -> i64
    gpu.return
  }
}
