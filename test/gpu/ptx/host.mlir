// The host's side: calls of the runtime (tools/ad-cuda), the kernels as a constant that a constructor hands over, and
// a function that launches the kernel, so that the stack does not grow with a loop of launches.
//
// RUN: ad-opt %s --pass-pipeline="builtin.module(%kernels-to-ptx,%host-to-llvm)" | mlir-translate --mlir-to-llvmir \
// RUN: | FileCheck %s

// CHECK: @kernels_binary = internal constant [{{[0-9]+}} x i8] c"{{.*}}.version{{.*}}\00"
// CHECK: @llvm.global_ctors = {{.*}} @kernels_load
// CHECK: @llvm.global_dtors = {{.*}} @kernels_unload
// CHECK-LABEL: define internal void @kernels.scale.launch(
// CHECK-SAME: ) #[[$ATTRIBUTES:[0-9]+]] {
// CHECK: alloca
// CHECK: %[[KERNEL:.*]] = call ptr @mgpuModuleGetFunction(
// CHECK: call void @mgpuLaunchKernel(ptr %[[KERNEL]], i64 %{{.*}}, i64 %{{.*}}, i64 %{{.*}}, i64 %{{.*}}, i64 %{{.*}}, i64 %{{.*}}, i32 0, ptr %{{.*}}, ptr %{{.*}}, ptr null, i64 7)
// CHECK-LABEL: define {{.*}} @repeat(
// CHECK: %[[BUFFER:.*]] = call ptr @mgpuMemAlloc(i64 %{{.*}}, ptr %{{.*}}, i8 0)
// CHECK: call void @mgpuMemcpy(
// CHECK: icmp slt
// CHECK-NOT: alloca
// CHECK: call void @kernels.scale.launch(i64 %{{.*}}, i64 1, i64 1, i64 256, i64 1, i64 1,
// CHECK-NOT: alloca
// CHECK: call ptr @malloc
// CHECK: call void @mgpuMemcpy(
// CHECK: call void @mgpuMemFree(
// CHECK: ret
// CHECK: define internal void @kernels_load()
// CHECK: call ptr @mgpuModuleLoadJIT(ptr @kernels_binary, i32 3)
// CHECK: attributes #[[$ATTRIBUTES]] = { noinline }
module attributes {gpu.container_module} {
  func.func @repeat(%n: index, %a: f64, %times: index, %x: memref<?xf64>) -> memref<?xf64> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %buffer = gpu.alloc(%n) : memref<?xf64>
    gpu.memcpy %buffer, %x : memref<?xf64>, memref<?xf64>
    %blocks = arith.ceildivui %n, %c256 : index
    scf.for %i = %c0 to %times step %c1 {
      gpu.launch_func @kernels::@scale blocks in (%blocks, %c1, %c1) threads in (%c256, %c1, %c1)
        args(%n : index, %a : f64, %buffer : memref<?xf64>)
    }
    %y = memref.alloc(%n) : memref<?xf64>
    gpu.memcpy %y, %buffer : memref<?xf64>, memref<?xf64>
    gpu.dealloc %buffer : memref<?xf64>
    return %y : memref<?xf64>
  }

  gpu.module @kernels {
    gpu.func @scale(%n: index, %a: f64, %x: memref<?xf64>) kernel {
      %i = gpu.global_id x
      %inside = arith.cmpi ult, %i, %n : index
      scf.if %inside {
        %x_i = memref.load %x[%i] : memref<?xf64>
        %product = arith.mulf %a, %x_i : f64
        memref.store %product, %x[%i] : memref<?xf64>
      }
      gpu.return
    }
  }
}
