// A sum over each block: by shuffles in each subgroup, then by shared memory among subgroups. 64-bit values take two
// shuffles.
//
// RUN: ad-opt %s --pass-pipeline="builtin.module(%kernels-to-ptx)" | %binary-text | FileCheck %s
// RUN: %if ptxas %{ ad-opt %s --pass-pipeline="builtin.module(%kernels-to-ptx)" | %binary-text > %t.ptx %}
// RUN: %if ptxas %{ %ptxas -arch=sm_80 -v %t.ptx -o /dev/null 2>&1 | FileCheck %s --check-prefix=ASSEMBLED %}
// RUN: %if ptxas %{ %ptxas -arch=sm_90 -v %t.ptx -o /dev/null 2>&1 | FileCheck %s --check-prefix=ASSEMBLED %}

// CHECK-LABEL: .visible .entry sum_f32(
// CHECK-COUNT-5: shfl.sync.bfly.b32
// CHECK-NOT: shfl
// CHECK: ret;

// CHECK-LABEL: .visible .entry sum_f64(
// CHECK: .shared .align 16 .b8 [[SUMS:[a-z_0-9]+]][64];
// CHECK-COUNT-10: shfl.sync.bfly.b32
// CHECK: st.shared.b64
// CHECK: bar.sync 0;
// CHECK-COUNT-6: shfl.sync.bfly.b32
// CHECK: st.global.b64

// ASSEMBLED-DAG: 64 bytes smem
// ASSEMBLED-DAG: function 'sum_f32'
// ASSEMBLED-NOT: {{[1-9][0-9]*}} bytes {{spill|stack}}
gpu.module @kernels attributes {dlti.dl_spec = #dlti.dl_spec<i64 = dense<64> : vector<2xi64>>} {
  gpu.func @sum_f32(%x: memref<?xf32>, %y: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    %c16 = arith.constant 16 : i32
    %c32 = arith.constant 32 : i32
    %thread = gpu.thread_id x
    %s0 = memref.load %x[%thread] : memref<?xf32>
    %r0, %v0 = gpu.shuffle xor %s0, %c16, %c32 : f32
    %s1 = arith.addf %s0, %r0 : f32
    %r1, %v1 = gpu.shuffle xor %s1, %c8, %c32 : f32
    %s2 = arith.addf %s1, %r1 : f32
    %r2, %v2 = gpu.shuffle xor %s2, %c4, %c32 : f32
    %s3 = arith.addf %s2, %r2 : f32
    %r3, %v3 = gpu.shuffle xor %s3, %c2, %c32 : f32
    %s4 = arith.addf %s3, %r3 : f32
    %r4, %v4 = gpu.shuffle xor %s4, %c1, %c32 : f32
    %s5 = arith.addf %s4, %r4 : f32
    memref.store %s5, %y[%c0] : memref<?xf32>
    gpu.return
  }

  gpu.func @sum_f64(%n: index, %x: memref<?xf64>, %y: memref<?xf64>)
      workgroup(%sums: memref<8xf64, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %w1 = arith.constant 1 : i32
    %w2 = arith.constant 2 : i32
    %w4 = arith.constant 4 : i32
    %w8 = arith.constant 8 : i32
    %w16 = arith.constant 16 : i32
    %w32 = arith.constant 32 : i32
    %zero = arith.constant 0.0 : f64
    %thread = gpu.thread_id x
    %block = gpu.block_id x
    %i = gpu.global_id x
    %inside = arith.cmpi ult, %i, %n : index
    %s0 = scf.if %inside -> f64 {
      %x_i = memref.load %x[%i] : memref<?xf64>
      scf.yield %x_i : f64
    } else {
      scf.yield %zero : f64
    }
    %r0, %v0 = gpu.shuffle xor %s0, %w16, %w32 : f64
    %s1 = arith.addf %s0, %r0 : f64
    %r1, %v1 = gpu.shuffle xor %s1, %w8, %w32 : f64
    %s2 = arith.addf %s1, %r1 : f64
    %r2, %v2 = gpu.shuffle xor %s2, %w4, %w32 : f64
    %s3 = arith.addf %s2, %r2 : f64
    %r3, %v3 = gpu.shuffle xor %s3, %w2, %w32 : f64
    %s4 = arith.addf %s3, %r3 : f64
    %r4, %v4 = gpu.shuffle xor %s4, %w1, %w32 : f64
    %s5 = arith.addf %s4, %r4 : f64
    %lane = arith.remui %thread, %c32 : index
    %subgroup = arith.divui %thread, %c32 : index
    %first = arith.cmpi eq, %lane, %c0 : index
    scf.if %first {
      memref.store %s5, %sums[%subgroup] : memref<8xf64, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    // Whole subgroups take part in shuffles.
    %among = arith.cmpi eq, %subgroup, %c0 : index
    scf.if %among {
      %wrapped = arith.remui %lane, %c8 : index
      %t0 = memref.load %sums[%wrapped] : memref<8xf64, #gpu.address_space<workgroup>>
      %q0, %u0 = gpu.shuffle xor %t0, %w4, %w32 : f64
      %t1 = arith.addf %t0, %q0 : f64
      %q1, %u1 = gpu.shuffle xor %t1, %w2, %w32 : f64
      %t2 = arith.addf %t1, %q1 : f64
      %q2, %u2 = gpu.shuffle xor %t2, %w1, %w32 : f64
      %t3 = arith.addf %t2, %q2 : f64
      scf.if %first {
        memref.store %t3, %y[%block] : memref<?xf64>
      }
    }
    gpu.return
  }
}
