// Outermost parallel loops become kernels, and so does whatever else touches memory.
// RUN: ad-opt %s --pass-pipeline='builtin.module(lower-forall-to-gpu,canonicalize,cse)' | FileCheck %s --implicit-check-not=scf.forall --implicit-check-not=scf.parallel


// A thread for each iteration, in blocks of 256.
// CHECK-LABEL: func.func @threads(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index, %[[XS:[a-z0-9]+]]: memref<?xf64>, %[[YS:[a-z0-9]+]]: memref<?xf64>
// CHECK: %[[COUNT:.*]] = arith.maxsi %[[N]], %c0
// CHECK: %[[BLOCKS:.*]] = arith.ceildivsi %[[COUNT]], %c256
// CHECK: gpu.launch blocks(%[[B:[a-z0-9]+]], {{.*}}) in (%{{.*}} = %[[BLOCKS]], %{{.*}} = %c1, %{{.*}} = %c1) threads(%[[T:[a-z0-9]+]], {{.*}}) in (%{{.*}} = %c256, %{{.*}} = %c1, %{{.*}} = %c1) {
// CHECK: %[[FIRST:.*]] = arith.muli %[[B]], %c256
// CHECK: %[[I:.*]] = arith.addi %[[FIRST]], %[[T]]
// CHECK: %[[INSIDE:.*]] = arith.cmpi slt, %[[I]], %[[COUNT]]
// CHECK: scf.if %[[INSIDE]] {
// CHECK: memref.load %[[XS]][%[[I]]]
// CHECK: memref.store %{{.*}}, %[[YS]][%[[I]]]
// CHECK: gpu.terminator
func.func @threads(%n: index, %xs: memref<?xf64>, %ys: memref<?xf64>) {
  scf.forall (%i) in (%n) {
    %x = memref.load %xs[%i] : memref<?xf64>
    %y = arith.addf %x, %x : f64
    memref.store %y, %ys[%i] : memref<?xf64>
  }
  return
}

// The last dimension is the fastest; bounds and steps are those of the loop.
// CHECK-LABEL: func.func @nest(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index, %[[M:[a-z0-9]+]]: index, %[[OUT:[a-z0-9]+]]: memref
// CHECK: %[[LENGTH:.*]] = arith.subi %[[N]], %c1
// CHECK: %[[STEPS:.*]] = arith.ceildivsi %[[LENGTH]], %c2
// CHECK: %[[ROWS:.*]] = arith.maxsi %[[STEPS]], %c0
// CHECK: %[[COLUMNS:.*]] = arith.maxsi %[[M]], %c0
// CHECK: %[[COUNT:.*]] = arith.muli %[[ROWS]], %[[COLUMNS]]
// CHECK: gpu.launch
// CHECK: arith.cmpi slt, %[[K:.*]], %[[COUNT]]
// CHECK: %[[J:.*]] = arith.remui %[[K]], %[[COLUMNS]]
// CHECK: %[[ROW:.*]] = arith.divui %[[K]], %[[COLUMNS]]
// CHECK: %[[TWICE:.*]] = arith.muli %[[ROW]], %c2
// CHECK: %[[I:.*]] = arith.addi %[[TWICE]], %c1
// CHECK: memref.store %[[J]], %[[OUT]][%[[I]], %[[J]]]
func.func @nest(%n: index, %m: index, %out: memref<?x?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.parallel (%i, %j) = (%c1, %c0) to (%n, %m) step (%c2, %c1) {
    memref.store %j, %out[%i, %j] : memref<?x?xindex>
    scf.reduce
  }
  return
}

// With loops of threads inside, iterations are blocks. What they allocate is shared, and all threads wait after each loop.
// CHECK-LABEL: func.func @blocks(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index, %[[XS:[a-z0-9]+]]: memref<?xf64>, %[[OUT:[a-z0-9]+]]: memref<?xf64>
// CHECK-NOT: memref.alloc
// CHECK: %[[COUNT:.*]] = arith.maxsi %[[N]], %c0
// CHECK: gpu.launch blocks(%[[B:[a-z0-9]+]], {{.*}}) in (%{{.*}} = %[[COUNT]], {{.*}}) threads(%[[T:[a-z0-9]+]], {{.*}}) in (%{{.*}} = %c256, {{.*}}) workgroup(%[[SHARED:.*]] : memref<256xf64, #gpu.address_space<workgroup>>) {
// CHECK: %[[OWN:.*]] = memref.memory_space_cast %[[SHARED]]
// All 256 threads have something to do.
// CHECK-NOT: scf.if
// CHECK: memref.store %{{.*}}, %[[OWN]][%[[T]]]
// CHECK-NEXT: gpu.barrier
// CHECK: %[[HALF:.*]] = arith.cmpi slt, %[[T]], %c128
// CHECK: scf.if %[[HALF]] {
// CHECK: memref.store %{{.*}}, %[[OWN]][%[[T]]]
// CHECK: }
// CHECK-NEXT: gpu.barrier
// All of them read, one writes.
// CHECK: %[[S:.*]] = memref.load %[[OWN]][%c0]
// CHECK: %[[IS_FIRST:.*]] = arith.cmpi eq, %[[T]], %c0
// CHECK: scf.if %[[IS_FIRST]] {
// CHECK-NEXT: memref.store %[[S]], %[[OUT]][%[[B]]]
// CHECK-NOT: memref.dealloc
// CHECK: gpu.terminator
func.func @blocks(%n: index, %xs: memref<?xf64>, %out: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  scf.forall (%b) in (%n) {
    %own = memref.alloc() : memref<256xf64>
    scf.forall (%t) in (256) {
      %x = memref.load %xs[%t] : memref<?xf64>
      memref.store %x, %own[%t] : memref<256xf64>
    } {mapping = [#gpu.thread<linear_dim_0>]}
    scf.forall (%t) in (128) {
      %x = memref.load %own[%t] : memref<256xf64>
      %y = arith.addf %x, %x : f64
      memref.store %y, %own[%t] : memref<256xf64>
    } {mapping = [#gpu.thread<linear_dim_0>]}
    %s = memref.load %own[%c0] : memref<256xf64>
    memref.store %s, %out[%b] : memref<?xf64>
    memref.dealloc %own : memref<256xf64>
  } {mapping = [#gpu.block<linear_dim_0>]}
  return
}

// The host reads single elements. A store is a kernel of one thread, and a copy one of many threads.
// CHECK-LABEL: func.func @rest(
// CHECK-SAME: %{{.*}}: index, %[[XS:[a-z0-9]+]]: memref<?xf64>, %[[YS:[a-z0-9]+]]: memref<?xf64>, %[[AT:[a-z0-9]+]]: memref<index>
// CHECK: scf.for %[[K:.*]] = %c0
// CHECK-NEXT: memref.load %[[AT]][]
// CHECK: gpu.launch
// CHECK: memref.store %{{.*}}, %[[XS]]
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %c1, %{{.*}} = %c1, %{{.*}} = %c1) threads({{.*}}) in (%{{.*}} = %c1, %{{.*}} = %c1, %{{.*}} = %c1) {
// CHECK-NEXT: memref.store %{{.*}}, %[[YS]][%[[K]]]
// CHECK-NEXT: gpu.terminator
// CHECK-NOT: memref.copy
// CHECK: memref.dim %[[XS]]
// CHECK: gpu.launch {{.*}} in (%{{.*}} = %c256,
// CHECK: %[[X:.*]] = memref.load %[[XS]][%[[I:.*]]]
// CHECK: memref.store %[[X]], %[[YS]][%[[I]]]
func.func @rest(%steps: index, %xs: memref<?xf64>, %ys: memref<?xf64>, %at: memref<index>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  scf.for %k = %c0 to %steps step %c1 {
    %n = memref.load %at[] : memref<index>
    scf.forall (%i) in (%n) {
      memref.store %one, %xs[%i] : memref<?xf64>
    }
    memref.store %one, %ys[%k] : memref<?xf64>
  }
  memref.copy %xs, %ys : memref<?xf64> to memref<?xf64>
  return
}

// Memory can add, but not multiply.
// CHECK-LABEL: func.func @product(
// CHECK: %[[X:.*]] = memref.load
// CHECK: memref.generic_atomic_rmw %[[P:.*]][] : memref<f64> {
// CHECK-NEXT: ^bb0(%[[OLD:.*]]: f64):
// CHECK-NEXT: %[[NEW:.*]] = arith.mulf %[[OLD]], %[[X]]
// CHECK-NEXT: memref.atomic_yield %[[NEW]]
// CHECK: memref.atomic_rmw addf %[[X]], %[[P]][]
func.func @product(%n: index, %xs: memref<?xf64>, %p: memref<f64>) {
  scf.forall (%i) in (%n) {
    %x = memref.load %xs[%i] : memref<?xf64>
    %0 = memref.atomic_rmw mulf %x, %p[] : (f64, memref<f64>) -> f64
    %1 = memref.atomic_rmw addf %x, %p[] : (f64, memref<f64>) -> f64
  }
  return
}

// A block has no more than 256 threads; each of them does two of 512 iterations.
// RUN: %python %S/../driver/Inputs/npy.py %t.npy '<i8' '(3,)' 0 0 0
// RUN: ad-opt run %s --entry=wide --input=%t.npy --target=gpu-emulate | FileCheck %s --check-prefix=WIDE
// WIDE: {{^}}512{{$}}
func.func @wide(%xs: memref<?xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i64
  scf.forall (%b) in (1) {
    scf.forall (%t) in (512) {
      %0 = memref.atomic_rmw addi %one, %xs[%c0] : (i64, memref<?xi64>) -> i64
    } {mapping = [#gpu.thread<linear_dim_0>]}
  } {mapping = [#gpu.block<linear_dim_0>]}
  %r = memref.load %xs[%c0] : memref<?xi64>
  return %r : i64
}
