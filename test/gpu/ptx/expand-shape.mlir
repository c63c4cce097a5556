// A buffer that gets two dimensions of sizes that only the program knows: rows are addressed by products of sizes.
// Upstream's expansion of strided metadata would crash on it.
//
// RUN: ad-opt %s --pass-pipeline="builtin.module(%kernels-to-ptx)" | %binary-text > %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o /dev/null %}

// CHECK: .entry rows(
// CHECK: ld.global.b64
// CHECK: st.global.b64
// CHECK: ret;
gpu.module @kernels attributes {dlti.dl_spec = #dlti.dl_spec<i64 = dense<64> : vector<2xi64>>} {
  gpu.func @rows(%x: memref<?xf64>, %y: memref<?xf64>, %n: index, %m: index, %k: index) kernel {
    %c0 = arith.constant 0 : index
    %i = gpu.global_id x
    %cube = memref.expand_shape %x [[0, 1, 2]] output_shape [%n, %m, %k] : memref<?xf64> into memref<?x?x?xf64>
    %row = memref.subview %cube[%i, 0, 0] [1, %m, %k] [1, 1, 1] : memref<?x?x?xf64> to memref<?x?xf64, strided<[?, 1], offset: ?>>
    %v = memref.load %row[%c0, %c0] : memref<?x?xf64, strided<[?, 1], offset: ?>>
    memref.store %v, %y[%i] : memref<?xf64>
    gpu.return
  }
}
