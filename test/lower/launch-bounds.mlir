// Kernels have as many registers as they need: nothing tells the assembler how many threads a block has. Arrays that a
// block shares begin at multiples of 16 bytes, where LLVM reads four numbers at a time.
// RUN: ad-opt %s --lower-launch-bounds | FileCheck %s
// RUN: ad-opt %s --pass-pipeline='builtin.module(nvvm-attach-target{chip=sm_80 O=3},ad-lower-kernels-to-nvvm,gpu-module-to-binary{format=isa})' | FileCheck %s --check-prefix=PTX

// CHECK: gpu.func @fill(%{{.*}}) kernel attributes {known_grid_size = array<i32: 1, 1, 1>} {
// CHECK: gpu.func @reverse(
// CHECK-SAME: workgroup(%{{.*}} : memref<1024xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}
// PTX-NOT: maxntid
// PTX: .entry fill(
// PTX-NOT: maxntid
// PTX: .shared .align 16 .b8 {{.*}}[4096];
// PTX: ld.shared.v4
gpu.module @kernels {
  gpu.func @fill(%x: memref<?xf64>) kernel attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    %i = gpu.thread_id x
    %one = arith.constant 1.0 : f64
    memref.store %one, %x[%i] : memref<?xf64>
    gpu.return
  }
  gpu.func @reverse(%x: memref<?xf32>) workgroup(%s: memref<1024xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %i = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c255 = arith.constant 255 : index
    %first = arith.muli %i, %c4 : index
    scf.for %k = %c0 to %c4 step %c1 {
      %j = arith.addi %first, %k : index
      %v = memref.load %x[%j] : memref<?xf32>
      memref.store %v, %s[%j] : memref<1024xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %other = arith.subi %c255, %i : index
    %from = arith.muli %other, %c4 : index
    scf.for %k = %c0 to %c4 step %c1 {
      %j = arith.addi %from, %k : index
      %v = memref.load %s[%j] : memref<1024xf32, #gpu.address_space<workgroup>>
      %to = arith.addi %first, %k : index
      memref.store %v, %x[%to] : memref<?xf32>
    }
    gpu.return
  }
}
