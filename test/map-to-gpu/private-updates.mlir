// Blocks have small accumulators of their own in shared memory, where there are enough iterations for them (F45).
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,canonicalize,cse)' | FileCheck %s
// DEFINE: %{entry} = sums
// DEFINE: %{places} = 0
// DEFINE: %{values} = 0
// DEFINE: %{others} =
// DEFINE: %{same} = ad-opt run %s --entry=%{entry} --input=%{values} --input=%{places} %{others} > %t.cpu && ad-opt run %s --entry=%{entry} --input=%{values} --input=%{places} %{others} --target=gpu-emulate > %t.gpu && diff %t.cpu %t.gpu
// One place; too few iterations and enough of them; one place that has to fit and does, or does not.
// REDEFINE: %{places} = 1
// RUN: %{same}
// REDEFINE: %{values} = 1
// RUN: %{same}
// REDEFINE: %{values} = 2047
// RUN: %{same}
// REDEFINE: %{values} = 2048
// RUN: %{same}
// REDEFINE: %{values} = 16384
// REDEFINE: %{places} = 2048
// RUN: %{same}
// REDEFINE: %{places} = 2049
// RUN: %{same}

// CHECK-LABEL: func.func @sums(
// CHECK: %[[BUFFER:.*]] = bufferization.to_buffer
// CHECK: %[[FITS:.*]] = arith.cmpi sle, %[[SIZE:.*]], %c2048
// CHECK: %[[MOST:.*]] = arith.select %[[FITS]], %[[SIZE]], %c0
// CHECK: %[[PLACES:.*]] = arith.maxsi %[[MOST]], %c256
// CHECK: %[[NEEDED:.*]] = arith.muli %[[PLACES]], %c8
// CHECK: %[[WIDE:.*]] = arith.cmpi sle, %[[NEEDED]],
// CHECK: scf.if
// CHECK: scf.forall (%[[BLOCK:.*]]) in (%{{.*}}) {
// CHECK: %[[OWN:.*]] = memref.alloc() : memref<2048xf64>
// CHECK: scf.forall (%[[K:.*]]) in (%[[MOST]]) {
// CHECK-NEXT: memref.store %{{.*}}, %[[OWN]][%[[K]]]
// CHECK: } {mapping = [#gpu.thread<linear_dim_0>]}
// CHECK: scf.forall (%[[T:.*]]) in (256) {
// CHECK: scf.for %[[I:.*]] =
// CHECK-NOT: memref.atomic_rmw {{.*}}%[[BUFFER]]
// CHECK: memref.atomic_rmw addf %{{.*}}, %[[OWN]][
// CHECK: } {mapping = [#gpu.thread<linear_dim_0>]}
// CHECK: scf.forall (%[[L:.*]]) in (%[[MOST]]) {
// CHECK: %[[SUM:.*]] = memref.load %[[OWN]][%[[L]]]
// CHECK: arith.cmpf une, %[[SUM]]
// CHECK: memref.atomic_rmw addf %[[SUM]], %[[BUFFER]][%[[L]]]
// CHECK: } {mapping = [#gpu.thread<linear_dim_0>]}
// CHECK: } {mapping = [#gpu.block<linear_dim_0>]}
// CHECK: } else {
// CHECK: scf.forall
// CHECK: memref.atomic_rmw addf %{{.*}}, %[[BUFFER]][
func.func @sums(%n: index, %m: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %start = soac.replicate %zero, %m : f64 -> tensor<?xf64>
  %is = soac.iota %n : tensor<?xindex>
  %r = soac.with_acc ins(%start : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> tensor<?xf64> {
    %w = soac.map ins(%is : tensor<?xindex>) accs(%acc : !soac.acc<tensor<?xf64>>)
        (%i: index, %a: !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>> {
      %k = arith.remui %i, %m : index
      %integer = arith.index_cast %i : index to i64
      %value = arith.sitofp %integer : i64 to f64
      %b = soac.update_acc %a[%k], %value : !soac.acc<tensor<?xf64>>, f64
      soac.yield %b : !soac.acc<tensor<?xf64>>
    }
    soac.yield %w : !soac.acc<tensor<?xf64>>
  }
  return %r : tensor<?xf64>
}

// Of several, what is small is the block's own, and what is large is not: 16 KiB have room for 1024 numbers of 8 bytes and
// 2048 of 4. What is updated in a loop is worth it with fewer iterations.
// REDEFINE: %{entry} = several
// REDEFINE: %{others} = --input=3 --input=300
// REDEFINE: %{values} = 3000
// REDEFINE: %{places} = 1500
// RUN: %{same}
// REDEFINE: %{others} = --input=33 --input=32
// REDEFINE: %{places} = 10
// RUN: %{same}
// REDEFINE: %{others} = --input=33 --input=63
// RUN: %{same}
// REDEFINE: %{others} = --input=0 --input=7
// REDEFINE: %{places} = 5
// RUN: %{same}

// CHECK-LABEL: func.func @several(
// CHECK: %[[FIRST:.*]] = bufferization.to_buffer {{.*}} memref<?xf64>
// CHECK: %[[SECOND:.*]] = bufferization.to_buffer {{.*}} memref<?x?xi32>
// CHECK-DAG: arith.cmpi sle, %{{.*}}, %c1024
// CHECK-DAG: arith.cmpi sle, %{{.*}}, %c2048
// CHECK: arith.ceildivsi %{{.*}}, %c8
// CHECK: %[[OWN:.*]] = memref.alloc() : memref<1024xf64>
// CHECK: %[[OWN_2:.*]] = memref.alloc() : memref<2048xi32>
// CHECK: scf.if
// CHECK-NEXT: memref.atomic_rmw addf %{{.*}}, %[[OWN]][
// CHECK-NEXT: } else {
// CHECK-NEXT: memref.atomic_rmw addf %{{.*}}, %[[FIRST]][
// CHECK: memref.atomic_rmw addi %{{.*}}, %[[OWN_2]][
// CHECK: } else {
// CHECK-NEXT: memref.atomic_rmw addi %{{.*}}, %[[SECOND]][
func.func @several(%n: index, %m: index, %p: index, %q: index) -> (tensor<?xf64>, tensor<?x?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %none = arith.constant 0 : i32
  %start = soac.replicate %zero, %m : f64 -> tensor<?xf64>
  %counts_empty = tensor.empty(%p, %q) : tensor<?x?xi32>
  %counts = linalg.fill ins(%none : i32) outs(%counts_empty : tensor<?x?xi32>) -> tensor<?x?xi32>
  %is = soac.iota %n : tensor<?xindex>
  %has_rows = arith.cmpi sgt, %p, %c0 : index
  %r:2 = soac.with_acc ins(%start, %counts : tensor<?xf64>, tensor<?x?xi32>)
      (%acc: !soac.acc<tensor<?xf64>>, %acc_2: !soac.acc<tensor<?x?xi32>>) -> (tensor<?xf64>, tensor<?x?xi32>) {
    %w:2 = soac.map ins(%is : tensor<?xindex>) accs(%acc, %acc_2 : !soac.acc<tensor<?xf64>>, !soac.acc<tensor<?x?xi32>>)
        (%i: index, %a: !soac.acc<tensor<?xf64>>, %b: !soac.acc<tensor<?x?xi32>>)
        -> (!soac.acc<tensor<?xf64>>, !soac.acc<tensor<?x?xi32>>) {
      %k = arith.remui %i, %m : index
      %a_1 = soac.update_acc %a[%k], %one : !soac.acc<tensor<?xf64>>, f64
      %number = arith.index_cast %i : index to i32
      %b_1 = scf.if %has_rows -> (!soac.acc<tensor<?x?xi32>>) {
        %b_2 = scf.for %j = %c0 to %c3 step %c1 iter_args(%b_3 = %b) -> (!soac.acc<tensor<?x?xi32>>) {
          %row = arith.remui %i, %p : index
          %at = arith.addi %i, %j : index
          %column = arith.remui %at, %q : index
          %b_4 = soac.update_acc %b_3[%row, %column], %number : !soac.acc<tensor<?x?xi32>>, i32
          scf.yield %b_4 : !soac.acc<tensor<?x?xi32>>
        }
        scf.yield %b_2 : !soac.acc<tensor<?x?xi32>>
      } else {
        scf.yield %b : !soac.acc<tensor<?x?xi32>>
      }
      soac.yield %a_1, %b_1 : !soac.acc<tensor<?xf64>>, !soac.acc<tensor<?x?xi32>>
    }
    soac.yield %w#0, %w#1 : !soac.acc<tensor<?xf64>>, !soac.acc<tensor<?x?xi32>>
  }
  return %r#0, %r#1 : tensor<?xf64>, tensor<?x?xi32>
}
