// Updates by any operator: a loop around a compare-and-swap, without fences, which ends where nothing would change.
//
// RUN: ad-opt %s --pass-pipeline="builtin.module(%kernels-to-ptx)" | %binary-text | FileCheck %s
// RUN: %if ptxas %{ ad-opt %s --pass-pipeline="builtin.module(%kernels-to-ptx)" | %binary-text > %t.ptx %}
// RUN: %if ptxas %{ %ptxas -arch=sm_80 -v %t.ptx -o /dev/null 2>&1 | FileCheck %s --check-prefix=ASSEMBLED %}
// RUN: %if ptxas %{ %ptxas -arch=sm_90 -v %t.ptx -o /dev/null 2>&1 | FileCheck %s --check-prefix=ASSEMBLED %}

// CHECK-LABEL: .visible .entry product(
// CHECK: ld.relaxed.gpu.global.b64 [[NOW:%rd[0-9]+]],
// CHECK: [[LOOP:[$].*]]:
// CHECK: mul.rn.f64 [[NEXT:%rd[0-9]+]], {{.*}}, [[NOW]];
// CHECK: setp.{{eq|ne}}.b64 {{%p[0-9]+}}, [[NOW]], [[NEXT]];
// CHECK: atom.relaxed.gpu.global.cas.b64 [[FOUND:%rd[0-9]+]], {{.*}}, [[NOW]], [[NEXT]];
// CHECK: setp.eq.b64 [[DONE:%p[0-9]+]], [[FOUND]], [[NOW]];
// CHECK: mov.b64 [[NOW]], [[FOUND]];
// CHECK: @[[DONE]] bra
// CHECK: bra.uni [[LOOP]];
// CHECK: mul.rn.f32
// CHECK: atom.relaxed.gpu.shared.cas.b32
// CHECK: max.f64
// CHECK: atom.relaxed.gpu.global.cas.b64
// CHECK: ret;

// ASSEMBLED: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
gpu.module @kernels attributes {dlti.dl_spec = #dlti.dl_spec<i64 = dense<64> : vector<2xi64>>} {
  gpu.func @product(%x: memref<?xf64>, %maxima: memref<?xf64>, %v: f64)
      workgroup(%private: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
    %i = gpu.global_id x
    %thread = gpu.thread_id x
    %0 = memref.generic_atomic_rmw %x[%i] : memref<?xf64> {
    ^bb0(%now: f64):
      %next = arith.mulf %v, %now : f64
      memref.atomic_yield %next : f64
    }
    %narrow = arith.truncf %v : f64 to f32
    %1 = memref.generic_atomic_rmw %private[%thread] : memref<64xf32, #gpu.address_space<workgroup>> {
    ^bb0(%now: f32):
      %next = arith.mulf %narrow, %now : f32
      memref.atomic_yield %next : f32
    }
    %2 = memref.atomic_rmw maximumf %v, %maxima[%i] : (f64, memref<?xf64>) -> f64
    gpu.return
  }
}
