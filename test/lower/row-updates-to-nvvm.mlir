// Rows that threads add to at places of their own are written to shared memory, and the lanes that come together add them,
// neighbours to neighbouring elements (F45). What is not such a row is left.
// RUN: ad-opt %s --split-input-file --lower-row-updates-to-nvvm | FileCheck %s
// RUN: ad-opt %s --split-input-file --lower-row-updates-to-nvvm --remarks-filter-analyse='lower-row-updates-to-nvvm' -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: ad-opt %s --split-input-file --pass-pipeline='builtin.module(nvvm-attach-target{chip=sm_80 O=3},ad-lower-kernels-to-nvvm,gpu-module-to-binary{format=isa})' | FileCheck %s --check-prefix=PTX

// Two rows of five, one of them backwards, in a branch that depends on the thread. What else the loop does stays.
// COUNT: updates | Category:lower-row-updates-to-nvvm | count=2
// CHECK: gpu.func @two_rows(
// CHECK-SAME: %[[ROWS:[a-z0-9]+]]: memref<?x5xf64>
// CHECK-SAME: workgroup(%[[OWN:.*]] : memref<256x10xf64, #gpu.address_space<workgroup>>, %[[STARTS:.*]] : memref<256x2xindex, #gpu.address_space<workgroup>>, %[[LANES:.*]] : memref<256x32xi8, #gpu.address_space<workgroup>>)
// CHECK: %[[THREAD:.*]] = gpu.thread_id x
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %c5 step %c1
// CHECK:   scf.if %[[IS_MADE:.*]] {
// CHECK-NOT: atomic_rmw
// CHECK:     memref.store %{{.*}}, %[[OWN]][%[[THREAD]], %{{.*}}]
// CHECK:     %[[BACK:.*]] = arith.subi %c4{{.*}}, %[[K]]
// CHECK:     memref.store %{{.*}}, %[[OWN]][%[[THREAD]], %{{.*}}]
// CHECK: scf.if %[[IS_MADE]] {
// CHECK:   memref.store %{{.*}}, %[[STARTS]][%[[THREAD]],
// CHECK:   memref.store %{{.*}}, %[[STARTS]][%[[THREAD]],
// CHECK:   %[[MASK:.*]] = llvm.call_intrinsic "llvm.nvvm.activemask"() : () -> i32
// CHECK:   %[[RANK:.*]] = math.ctpop
// CHECK:   %[[HOW_MANY:.*]] = math.ctpop %[[MASK]]
// CHECK:   memref.store %{{.*}}, %[[LANES]][
// CHECK:   nvvm.bar.warp.sync %[[MASK]]
// CHECK:   scf.for %[[ROUND:.*]] = %{{.*}} to %c10_i32{{.*}} step
// CHECK:     %[[BEFORE:.*]] = arith.muli %[[ROUND]], %[[HOW_MANY]]
// CHECK:     arith.addi %[[RANK]], %[[BEFORE]]
// CHECK:     %[[LANE:.*]] = memref.load %[[LANES]][
// CHECK:     %[[VALUE:.*]] = memref.load %[[OWN]][
// CHECK:     memref.atomic_rmw addf %[[VALUE]], %{{.*}}[%{{.*}}] : (f64, memref<?xf64>)
// CHECK:   nvvm.bar.warp.sync %[[MASK]]
// PTX: .entry two_rows(
// PTX: activemask.b32
// PTX: bar.warp.sync
// PTX: .global.add.f64
// PTX: bar.warp.sync
gpu.module @kernels {
  gpu.func @two_rows(%rows: memref<?x5xf64>, %at: memref<?xindex>, %n: index) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %one = arith.constant 1.0 : f64
    %t = gpu.thread_id x
    %i = memref.load %at[%t] : memref<?xindex>
    %next = arith.addi %i, %c1 : index
    %is_made = arith.cmpi slt, %i, %n : index
    scf.for %k = %c0 to %c5 step %c1 {
      scf.if %is_made {
        memref.atomic_rmw addf %one, %rows[%i, %k] : (f64, memref<?x5xf64>) -> f64
        %back = arith.subi %c4, %k : index
        memref.atomic_rmw addf %one, %rows[%next, %back] : (f64, memref<?x5xf64>) -> f64
      }
    }
    gpu.return
  }
}

// -----

// What was there is asked for; the row is too short, or too long; where it is depends on the element; the buffer is read; others
// are waited for; the buffer is the block's own.
// COUNT-NOT: count={{[1-9]}}
// CHECK-LABEL: gpu.func @others(
// CHECK-NOT: workgroup(%{{.*}}, %
// CHECK-NOT: llvm.call_intrinsic
// CHECK-COUNT-7: atomic_rmw
gpu.module @kernels {
  gpu.func @others(%x: memref<?x?xf32>, %out: memref<?xf32>) workgroup(%own: memref<99xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c17 = arith.constant 17 : index
    %one = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    scf.for %k = %c0 to %c3 step %c1 {
      %old = memref.atomic_rmw addf %one, %x[%t, %k] : (f32, memref<?x?xf32>) -> f32
      memref.store %old, %out[%k] : memref<?xf32>
    }
    scf.for %k = %c0 to %c2 step %c1 {
      memref.atomic_rmw addf %one, %x[%t, %k] : (f32, memref<?x?xf32>) -> f32
    }
    scf.for %k = %c0 to %c17 step %c1 {
      memref.atomic_rmw addf %one, %x[%t, %k] : (f32, memref<?x?xf32>) -> f32
    }
    scf.for %k = %c0 to %c3 step %c1 {
      memref.atomic_rmw addf %one, %x[%k, %k] : (f32, memref<?x?xf32>) -> f32
    }
    scf.for %k = %c0 to %c3 step %c1 {
      memref.atomic_rmw addf %one, %x[%t, %k] : (f32, memref<?x?xf32>) -> f32
      %now = memref.load %x[%t, %k] : memref<?x?xf32>
      memref.store %now, %out[%k] : memref<?xf32>
    }
    scf.for %k = %c0 to %c3 step %c1 {
      memref.atomic_rmw addf %one, %x[%t, %k] : (f32, memref<?x?xf32>) -> f32
      gpu.barrier
    }
    scf.for %k = %c0 to %c3 step %c1 {
      memref.atomic_rmw addf %one, %own[%k] : (f32, memref<99xf32, #gpu.address_space<workgroup>>) -> f32
    }
    gpu.return
  }
}

// -----

// There is no room in shared memory: 48 KiB without asking for more, of which this block uses 40.
// CHECK-LABEL: gpu.func @full(
// CHECK-NOT: llvm.call_intrinsic
// CHECK: atomic_rmw
gpu.module @kernels {
  gpu.func @full(%x: memref<?x?xf64>) workgroup(%own: memref<5120xf64, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %one = arith.constant 1.0 : f64
    %t = gpu.thread_id x
    scf.for %k = %c0 to %c3 step %c1 {
      memref.atomic_rmw addf %one, %x[%t, %k] : (f64, memref<?x?xf64>) -> f64
    }
    gpu.return
  }
}
