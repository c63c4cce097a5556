// The host's side runs, over a driver whose device is the host: what upstream passes to the runtime is what the runtime
// passes to the driver. The kernel is a C function there, of the same name and parameters.
//
// RUN: cc -shared -fPIC -O1 %root/tools/ad-cuda/tests/fake/cuda.c -o %t.driver.so
// RUN: cc -shared -Wl,--whole-archive %ad-cuda -Wl,--no-whole-archive -o %t.runtime.so
// RUN: ad-opt %s --pass-pipeline="builtin.module(%kernels-to-ptx,%host-to-llvm)" > %t.mlir
// RUN: env AD_CUDA_DRIVER=%t.driver.so mlir-runner %t.mlir -e main --entry-point-result=void \
// RUN:   --shared-libs=%t.runtime.so,%c-runner-utils | FileCheck %s
// RUN: env AD_CUDA_DRIVER=%t.none.so mlir-runner %t.mlir -e main --entry-point-result=void \
// RUN:   --shared-libs=%t.runtime.so,%c-runner-utils | FileCheck %s --check-prefix=NONE

// CHECK: {{^}}0{{$}}
// CHECK: {{^}}3{{$}}
// CHECK: {{^}}6{{$}}
// CHECK: error 0
// Without a driver nothing is done, and the error can be asked for.
// NONE: error 1
module attributes {gpu.container_module} {
  func.func private @printF64(f64)
  func.func private @printNewline()
  func.func private @printI64(i64)
  llvm.func @ad_cuda_take_error(!llvm.ptr, i64) -> i64
  llvm.func @printString(!llvm.ptr)
  llvm.mlir.global private constant @error("error \00")

  func.func @scale(%n: index, %a: f64, %x: memref<?xf64>) -> memref<?xf64> {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %from = gpu.alloc(%n) : memref<?xf64>
    %to = gpu.alloc(%n) : memref<?xf64>
    gpu.memcpy %from, %x : memref<?xf64>, memref<?xf64>
    %blocks = arith.ceildivui %n, %c256 : index
    gpu.launch_func @kernels::@scale blocks in (%blocks, %c1, %c1) threads in (%c256, %c1, %c1)
      args(%n : index, %a : f64, %from : memref<?xf64>, %to : memref<?xf64>)
    gpu.dealloc %from : memref<?xf64>
    %y = memref.alloc(%n) : memref<?xf64>
    gpu.memcpy %y, %to : memref<?xf64>, memref<?xf64>
    gpu.dealloc %to : memref<?xf64>
    return %y : memref<?xf64>
  }

  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 3 : index
    %a = arith.constant 3.0 : f64
    %x = memref.alloc(%n) : memref<?xf64>
    scf.for %i = %c0 to %n step %c1 {
      %i64 = arith.index_cast %i : index to i64
      %value = arith.sitofp %i64 : i64 to f64
      memref.store %value, %x[%i] : memref<?xf64>
    }
    %y = call @scale(%n, %a, %x) : (index, f64, memref<?xf64>) -> memref<?xf64>
    scf.for %i = %c0 to %n step %c1 {
      %value = memref.load %y[%i] : memref<?xf64>
      func.call @printF64(%value) : (f64) -> ()
      func.call @printNewline() : () -> ()
    }
    %none = llvm.mlir.zero : !llvm.ptr
    %room = arith.constant 0 : i64
    %length = llvm.call @ad_cuda_take_error(%none, %room) : (!llvm.ptr, i64) -> i64
    %failed = arith.cmpi ne, %length, %room : i64
    %number = arith.extui %failed : i1 to i64
    %text = llvm.mlir.addressof @error : !llvm.ptr
    llvm.call @printString(%text) : (!llvm.ptr) -> ()
    func.call @printI64(%number) : (i64) -> ()
    func.call @printNewline() : () -> ()
    memref.dealloc %x : memref<?xf64>
    memref.dealloc %y : memref<?xf64>
    return
  }

  gpu.module @kernels {
    gpu.func @scale(%n: index, %a: f64, %x: memref<?xf64>, %y: memref<?xf64>) kernel {
      %i = gpu.global_id x
      %inside = arith.cmpi ult, %i, %n : index
      scf.if %inside {
        %x_i = memref.load %x[%i] : memref<?xf64>
        %product = arith.mulf %a, %x_i : f64
        memref.store %product, %y[%i] : memref<?xf64>
      }
      gpu.return
    }
  }
}
