// A map over a buffer of any length: one entry with its parameters, loads and stores in global memory, and nothing
// done by threads beyond the end.
//
// RUN: ad-opt %s --pass-pipeline="builtin.module(%kernels-to-ptx)" | %binary-text | FileCheck %s
// RUN: %if ptxas %{ ad-opt %s --pass-pipeline="builtin.module(%kernels-to-ptx)" | %binary-text > %t.ptx %}
// RUN: %if ptxas %{ %ptxas -arch=sm_80 -v %t.ptx -o /dev/null 2>&1 | FileCheck %s --check-prefix=ASSEMBLED %}
// RUN: %if ptxas %{ %ptxas -arch=sm_90 -v %t.ptx -o /dev/null 2>&1 | FileCheck %s --check-prefix=ASSEMBLED %}

// CHECK: .target sm_80
// CHECK: .address_size 64
// CHECK-LABEL: .visible .entry axpy(
// CHECK-NEXT: .param .u64 axpy_param_0,
// CHECK-NEXT: .param .f64 axpy_param_1,
// CHECK: mov.u32 [[BLOCK:%r[0-9]+]], %ctaid.x;
// CHECK: setp.ge.u64 [[OUT:%p[0-9]+]], {{.*}}
// CHECK: @[[OUT]] bra [[END:[$].*]];
// CHECK-DAG: ld.global.b64
// CHECK-DAG: ld.global.b64
// CHECK: fma.rn.f64
// CHECK: st.global.b64
// CHECK: [[END]]:
// CHECK-NEXT: ret;

// ASSEMBLED: Compiling entry function 'axpy'
// ASSEMBLED: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
gpu.module @kernels {
  gpu.func @axpy(%n: index, %a: f64, %x: memref<?xf64>, %y: memref<?xf64>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %i = gpu.global_id x
    %inside = arith.cmpi ult, %i, %n : index
    scf.if %inside {
      %x_i = memref.load %x[%i] : memref<?xf64>
      %y_i = memref.load %y[%i] : memref<?xf64>
      %product = arith.mulf %a, %x_i fastmath<contract> : f64
      %sum = arith.addf %product, %y_i fastmath<contract> : f64
      memref.store %sum, %y[%i] : memref<?xf64>
    }
    gpu.return
  }
}
