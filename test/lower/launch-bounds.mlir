// Kernels have as many registers as they need: nothing tells the assembler how many threads a block has.
// RUN: ad-opt %s --lower-launch-bounds | FileCheck %s
// RUN: ad-opt %s --pass-pipeline='builtin.module(nvvm-attach-target{chip=sm_80 O=3},ad-lower-kernels-to-nvvm,gpu-module-to-binary{format=isa})' | FileCheck %s --check-prefix=PTX

// CHECK: gpu.func @fill(%{{.*}}) kernel attributes {known_grid_size = array<i32: 1, 1, 1>} {
// PTX: .entry fill(
// PTX-NOT: maxntid
gpu.module @kernels {
  gpu.func @fill(%x: memref<?xf64>) kernel attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    %i = gpu.thread_id x
    %one = arith.constant 1.0 : f64
    memref.store %one, %x[%i] : memref<?xf64>
    gpu.return
  }
}
