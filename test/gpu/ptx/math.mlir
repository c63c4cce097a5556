// Functions of math in both widths come from libdevice, which is linked into the kernel: nothing is called, and nothing
// spills.
//
// REQUIRES: libdevice
// RUN: ad-opt %s --pass-pipeline="builtin.module(%kernels-to-ptx)" | %binary-text > %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 -v %t.ptx -o /dev/null 2>&1 | FileCheck %s --check-prefix=ASSEMBLED %}
// RUN: %if ptxas %{ %ptxas -arch=sm_90 -v %t.ptx -o /dev/null 2>&1 | FileCheck %s --check-prefix=ASSEMBLED %}

// CHECK-NOT: .extern
// CHECK-LABEL: .visible .entry exponential(
// CHECK-NOT: call
// CHECK: ex2.approx.ftz.f32
// CHECK: st.global.b32
// CHECK: ret;

// ASSEMBLED-COUNT-5: 0 bytes spill stores, 0 bytes spill loads
gpu.module @kernels {
  gpu.func @exponential(%x: memref<?xf64>, %y: memref<?xf32>) kernel {
    %i = gpu.global_id x
    %a = memref.load %x[%i] : memref<?xf64>
    %b = memref.load %y[%i] : memref<?xf32>
    %a0 = math.exp %a : f64
    %a1 = math.log %a0 : f64
    %a2 = math.log1p %a1 : f64
    %a3 = math.expm1 %a2 : f64
    %a4 = math.sqrt %a3 : f64
    %b0 = math.exp %b : f32
    %b1 = math.log %b0 : f32
    %b2 = math.log1p %b1 : f32
    %b3 = math.expm1 %b2 : f32
    %b4 = math.sqrt %b3 : f32
    memref.store %a4, %x[%i] : memref<?xf64>
    memref.store %b4, %y[%i] : memref<?xf32>
    gpu.return
  }

  gpu.func @trigonometric(%x: memref<?xf64>, %y: memref<?xf32>) kernel {
    %i = gpu.global_id x
    %a = memref.load %x[%i] : memref<?xf64>
    %b = memref.load %y[%i] : memref<?xf32>
    %a0 = math.tanh %a : f64
    %a1 = math.atan2 %a0, %a : f64
    %a2 = math.cbrt %a1 : f64
    %b0 = math.tanh %b : f32
    %b1 = math.atan2 %b0, %b : f32
    %b2 = math.cbrt %b1 : f32
    memref.store %a2, %x[%i] : memref<?xf64>
    memref.store %b2, %y[%i] : memref<?xf32>
    gpu.return
  }

  // A reduction of large arguments keeps a table on the stack.
  gpu.func @circular(%x: memref<?xf64>, %y: memref<?xf32>) kernel {
    %i = gpu.global_id x
    %a = memref.load %x[%i] : memref<?xf64>
    %b = memref.load %y[%i] : memref<?xf32>
    %a0 = math.sin %a : f64
    %a1 = math.cos %a0 : f64
    %b0 = math.sin %b : f32
    %b1 = math.cos %b0 : f32
    memref.store %a1, %x[%i] : memref<?xf64>
    memref.store %b1, %y[%i] : memref<?xf32>
    gpu.return
  }

  gpu.func @power(%x: memref<?xf64>, %y: memref<?xf32>) kernel {
    %i = gpu.global_id x
    %a = memref.load %x[%i] : memref<?xf64>
    %b = memref.load %y[%i] : memref<?xf32>
    %a0 = math.powf %a, %a : f64
    %a1 = math.erf %a0 : f64
    %b0 = math.powf %b, %b : f32
    %b1 = math.erf %b0 : f32
    memref.store %a1, %x[%i] : memref<?xf64>
    memref.store %b1, %y[%i] : memref<?xf32>
    gpu.return
  }

  // What libdevice does not have.
  gpu.func @others(%x: memref<?xf64>, %n: memref<?xi64>) kernel {
    %i = gpu.global_id x
    %a = memref.load %x[%i] : memref<?xf64>
    %k = memref.load %n[%i] : memref<?xi64>
    %a0 = math.trunc %a : f64
    %a1 = math.clampf %a0 to [%a, %a0] : f64
    %k0 = math.absi %k : i64
    %k1 = math.ctlz %k0 : i64
    memref.store %a1, %x[%i] : memref<?xf64>
    memref.store %k1, %n[%i] : memref<?xi64>
    gpu.return
  }
}
