// Each kernel gets a function that launches it, so that arguments are off the stack after each launch.
// RUN: ad-opt %s --lower-launches | FileCheck %s

module attributes {gpu.container_module} {
  // A name that is taken.
  llvm.func @kernels.fill.launch()

  gpu.binary @kernels [#gpu.object<#nvvm.target, "">]
  gpu.binary @"others 1" [#gpu.object<#nvvm.target, "">]

  // CHECK: llvm.func internal @kernels.fill.launch_(%[[N:.*]]: i64, %[[BY:.*]]: i64, %[[BZ:.*]]: i64, %[[T:.*]]: i64, %[[TY:.*]]: i64, %[[TZ:.*]]: i64, %[[X:.*]]: !llvm.ptr, %[[A:.*]]: f64, %[[STREAM:.*]]: !llvm.ptr) attributes {no_inline} {
  // CHECK-NEXT: gpu.launch_func <%[[STREAM]] : !llvm.ptr> @kernels::@fill blocks in (%[[N]], %[[BY]], %[[BZ]]) threads in (%[[T]], %[[TY]], %[[TZ]]) : i64 args(%[[X]] : !llvm.ptr, %[[A]] : f64)
  // CHECK-NEXT: llvm.return
  // The name of a module may have any letters.
  // CHECK: llvm.func internal @"others 1.fill.launch"(
  // CHECK-NEXT: gpu.launch_func <%{{.*}}> @"others 1"::@fill
  // With memory that is shared and of a size known here only.
  // CHECK: llvm.func internal @kernels.fill.launch__(
  // CHECK-NEXT: gpu.launch_func <%{{.*}}> @kernels::@fill {{.*}} dynamic_shared_memory_size %
  // CHECK-LABEL: llvm.func @host(
  // CHECK-SAME: %[[S:.*]]: !llvm.ptr, %[[X:.*]]: !llvm.ptr, %[[Y:.*]]: !llvm.ptr, %[[N:.*]]: i64, %[[A:.*]]: f64)
  llvm.func @host(%s: !llvm.ptr, %x: !llvm.ptr, %y: !llvm.ptr, %n: i64, %a: f64) {
    %c1 = llvm.mlir.constant(1 : i64) : i64
    %c8 = llvm.mlir.constant(8 : i32) : i32
    %c256 = llvm.mlir.constant(256 : i64) : i64
    %true = llvm.mlir.constant(true) : i1
    llvm.br ^bb1
  ^bb1:
    // CHECK-NOT: gpu.launch_func
    // CHECK: llvm.call @kernels.fill.launch_(%[[N]], %[[C1:.*]], %[[C1]], %[[C256:.*]], %[[C1]], %[[C1]], %[[X]], %[[A]], %[[S]]) : (i64, i64, i64, i64, i64, i64, !llvm.ptr, f64, !llvm.ptr) -> ()
    gpu.launch_func <%s : !llvm.ptr> @kernels::@fill blocks in (%n, %c1, %c1) threads in (%c256, %c1, %c1) : i64
      args(%x : !llvm.ptr, %a : f64)
    // The same function for the same kernel.
    // CHECK: llvm.call @kernels.fill.launch_(%[[C1]], %[[N]], %[[C1]], %[[C256]], %[[C1]], %[[C1]], %[[Y]], %[[A]], %[[S]])
    gpu.launch_func <%s : !llvm.ptr> @kernels::@fill blocks in (%c1, %n, %c1) threads in (%c256, %c1, %c1) : i64
      args(%y : !llvm.ptr, %a : f64)
    // CHECK: llvm.call @"others 1.fill.launch"(
    gpu.launch_func <%s : !llvm.ptr> @"others 1"::@fill blocks in (%n, %c1, %c1) threads in (%c256, %c1, %c1) : i64
      args(%x : !llvm.ptr, %a : f64)
    // CHECK: llvm.call @kernels.fill.launch__(%{{.*}}, %[[C8:.*]], %[[X]], %[[A]], %[[S]]) : (i64, i64, i64, i64, i64, i64, i32, !llvm.ptr, f64, !llvm.ptr) -> ()
    gpu.launch_func <%s : !llvm.ptr> @kernels::@fill blocks in (%n, %c1, %c1) threads in (%c256, %c1, %c1) : i64
      dynamic_shared_memory_size %c8 args(%x : !llvm.ptr, %a : f64)
    llvm.cond_br %true, ^bb1, ^bb2
  ^bb2:
    llvm.return
  }

  // What is not lowered stays.
  // CHECK-LABEL: func.func @not_lowered(
  // CHECK: gpu.launch_func @kernels::@fill
  func.func @not_lowered(%x: memref<?xf64>, %n: index, %a: f64) {
    gpu.launch_func @kernels::@fill blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%x : memref<?xf64>, %a : f64)
    return
  }
}
