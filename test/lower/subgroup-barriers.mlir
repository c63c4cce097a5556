// Barriers that only the threads of a subgroup need are instructions of NVIDIA's processors; others stay those of blocks.
// RUN: ad-opt %s --lower-subgroup-barriers | FileCheck %s
// RUN: ad-opt %s --lower-subgroup-barriers --remarks-filter-analyse='lower-subgroup-barriers' -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: barriers | Category:lower-subgroup-barriers | count=1

// CHECK-LABEL: gpu.func @turn(
// CHECK:         memref.store
// CHECK-NEXT:    %[[ALL:.*]] = arith.constant -1 : i32
// CHECK-NEXT:    nvvm.bar.warp.sync %[[ALL]] : i32
// CHECK-NEXT:    memref.load
// CHECK-NEXT:    gpu.barrier
// CHECK-NEXT:    memref.store
gpu.module @kernels {
  gpu.func @turn(%x: memref<?xf64>) workgroup(%s: memref<256xf64, #gpu.address_space<workgroup>>) kernel {
    %i = gpu.thread_id x
    %c1 = arith.constant 1 : index
    %j = arith.xori %i, %c1 : index
    %v = memref.load %x[%i] : memref<?xf64>
    memref.store %v, %s[%i] : memref<256xf64, #gpu.address_space<workgroup>>
    gpu.barrier {ad.of_subgroup}
    %w = memref.load %s[%j] : memref<256xf64, #gpu.address_space<workgroup>>
    gpu.barrier
    memref.store %w, %x[%i] : memref<?xf64>
    gpu.return
  }
}
