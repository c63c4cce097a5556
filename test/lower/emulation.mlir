// Kernels become functions that are told their thread, and launches calls.
// RUN: ad-opt %s --lower-gpu-to-emulation | FileCheck %s --implicit-check-not=ad_emulate_access --implicit-check-not=gpu.
// RUN: ad-opt %s --pass-pipeline='builtin.module(lower-gpu-to-emulation{races=1},canonicalize,cse)' | FileCheck %s --check-prefix=RACES
// RUN: ad-opt %s --pass-pipeline='builtin.module(lower-gpu-to-emulation,ad-lower-buffers-to-llvm,lower-emulated-launches)' | FileCheck %s --check-prefix=LLVM
// RUN: ad-opt %s --pass-pipeline='builtin.module(lower-gpu-to-emulation{races=1},ad-lower-buffers-to-llvm,lower-emulated-launches)' | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=IR

// Blocks run one after the other, so that one buffer is the shared memory of all of them.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index, %[[XS:[a-z0-9]+]]: memref<?xf64>
// CHECK: %[[SHARED:.*]] = memref.alloc() : memref<256xf64>
// CHECK: call @kernels.double.launch(%[[N]], %c1, %c1, %c256, %c1, %c1, %[[XS]], %[[SHARED]])
// CHECK: memref.dealloc %[[SHARED]]

// CHECK-LABEL: func.func private @kernels.double(
// CHECK-SAME: %[[THREAD:[a-z0-9]+]]: index, %[[XS:[a-z0-9]+]]: memref<?xf64>, %[[SHARED:[a-z0-9]+]]: memref<256xf64>
// Numbers of the thread, of the block, and how many of them there are: by three for x, y and z.
// CHECK: %[[T:.*]] = call @ad_emulate_id(%[[THREAD]], %c0_i32)
// CHECK: call @ad_emulate_id(%[[THREAD]], %c4_i32)
// CHECK: call @ad_emulate_id(%[[THREAD]], %c6_i32)
// CHECK: call @ad_emulate_id(%[[THREAD]], %c11_i32)
// CHECK: %[[X:.*]] = memref.load %[[XS]]
// CHECK: memref.store %[[X]], %[[SHARED]][%[[T]]]
// CHECK-NEXT: call @ad_emulate_barrier(%[[THREAD]])
// CHECK: func.func private @kernels.double.launch({{.*}}) attributes {ad.barriers, ad.kernel = "kernels.double"}

// Reads are of kind 0, writes of 1, and atomic updates of 2; 4 more in shared memory, and 8 more in buffers that the
// kernel is given. The last number is the line.
// RACES-LABEL: func.func private @kernels.double(
// RACES-SAME: %[[THREAD:[a-z0-9]+]]: index, %[[XS:[a-z0-9]+]]: memref<?xf64>, %[[SHARED:[a-z0-9]+]]: memref<256xf64>
// RACES-DAG: %[[READ:.*]] = arith.constant 8 : i32
// RACES-DAG: %[[UPDATE:.*]] = arith.constant 10 : i32
// RACES-DAG: %[[SHARED_READ:.*]] = arith.constant 4 : i32
// RACES-DAG: %[[SHARED_WRITE:.*]] = arith.constant 5 : i32
// RACES: %[[START:.*]] = memref.extract_aligned_pointer_as_index %[[XS]]
// RACES: %[[PLACE:.*]] = arith.addi %[[START]],
// RACES: call @ad_emulate_access(%[[THREAD]], %[[PLACE]], %c8, %[[READ]], %{{.*}})
// RACES-NEXT: memref.load %[[XS]]
// RACES: call @ad_emulate_access(%[[THREAD]], %{{.*}}, %c8, %[[SHARED_WRITE]], %{{.*}})
// RACES-NEXT: memref.store %{{.*}}, %[[SHARED]]
// RACES: call @ad_emulate_barrier(
// RACES: call @ad_emulate_access(%[[THREAD]], %{{.*}}, %c8, %[[SHARED_READ]], %{{.*}})
// RACES-NEXT: memref.load %[[SHARED]]
// Local memory is the thread's own.
// RACES-NOT: @ad_emulate_access
// RACES: memref.store %{{.*}}, %{{.*}}[%c0] : memref<1xf64>
// RACES: call @ad_emulate_access(%[[THREAD]], %{{.*}}, %c8, %[[UPDATE]], %{{.*}})
// RACES-NEXT: memref.atomic_rmw addf

// A launch hands on a structure, with a function that takes it apart, and says that there are barriers.
// LLVM: llvm.mlir.global private constant @kernels.double.name("kernels.double\00")
// LLVM-LABEL: llvm.func internal @kernels.double.thunk(
// LLVM-SAME: %[[THREAD:[a-z0-9]+]]: !llvm.ptr, %[[ARGUMENTS:[a-z0-9]+]]: !llvm.ptr
// LLVM: %[[T:.*]] = llvm.ptrtoint %[[THREAD]]
// LLVM: %[[MEMBER:.*]] = llvm.getelementptr %[[ARGUMENTS]][0, 0]
// LLVM: %[[FIRST:.*]] = llvm.load %[[MEMBER]]
// LLVM: llvm.call @kernels.double(%[[T]], %[[FIRST]],
// LLVM-LABEL: llvm.func @kernels.double.launch(
// LLVM-SAME: %[[BX:[a-z0-9]+]]: i64, %[[BY:[a-z0-9]+]]: i64, %[[BZ:[a-z0-9]+]]: i64, %[[TX:[a-z0-9]+]]: i64, %[[TY:[a-z0-9]+]]: i64, %[[TZ:[a-z0-9]+]]: i64,
// LLVM: %[[PLACE:.*]] = llvm.alloca
// LLVM: %[[TO:.*]] = llvm.getelementptr %[[PLACE]][0, 0]
// LLVM: llvm.store %{{.*}}, %[[TO]]
// LLVM: %[[THUNK:.*]] = llvm.mlir.addressof @kernels.double.thunk
// LLVM: %[[NAME:.*]] = llvm.mlir.addressof @kernels.double.name
// LLVM: %[[BARRIERS:.*]] = llvm.mlir.constant(1 : i64)
// LLVM: llvm.call @ad_emulate_launch(%[[THUNK]], %[[PLACE]], %[[BX]], %[[BY]], %[[BZ]], %[[TX]], %[[TY]], %[[TZ]], %[[BARRIERS]], %[[NAME]])

// IR-DAG: call void @ad_emulate_launch(ptr @kernels.double.thunk,
// IR-DAG: call void @ad_emulate_access(
module attributes {gpu.container_module} {
  func.func @main(%n: index, %xs: memref<?xf64>) {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    gpu.launch_func @kernels::@double blocks in (%n, %c1, %c1) threads in (%c256, %c1, %c1) args(%xs : memref<?xf64>)
    return
  }
  gpu.module @kernels {
    gpu.func @double(%xs: memref<?xf64>) workgroup(%shared: memref<256xf64, #gpu.address_space<workgroup>>) kernel {
      %t = gpu.thread_id x
      %b = gpu.block_id y
      %size = gpu.block_dim x
      %blocks = gpu.grid_dim z
      %p = arith.muli %b, %size : index
      %q = arith.addi %p, %blocks : index
      %i = arith.addi %q, %t : index
      %x = memref.load %xs[%i] : memref<?xf64>
      memref.store %x, %shared[%t] : memref<256xf64, #gpu.address_space<workgroup>>
      gpu.barrier
      %y = memref.load %shared[%t] : memref<256xf64, #gpu.address_space<workgroup>>
      %own = memref.alloca() : memref<1xf64>
      %c0 = arith.constant 0 : index
      memref.store %y, %own[%c0] : memref<1xf64>
      %w = memref.load %own[%c0] : memref<1xf64>
      %z = memref.atomic_rmw addf %w, %xs[%i] : (f64, memref<?xf64>) -> f64
      gpu.return
    }
  }
}
