// Blocks have bins of their own in shared memory where there are enough values for them.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,canonicalize,cse)' | FileCheck %s
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,lower-fast-math{flags=none},ad-lower-to-kernels)' | FileCheck %s --check-prefix=KERNEL
// DEFINE: %{bins} = 0
// DEFINE: %{values} = 0
// DEFINE: %{same} = ad-opt run %s --entry=sums --input=%{values} --input=%{bins} > %t.cpu && ad-opt run %s --entry=sums --input=%{values} --input=%{bins} --target=gpu-emulate > %t.gpu && diff %t.cpu %t.gpu
// No value, no bin, one of both; the last size without shared memory, the first one with it.
// RUN: %{same}
// REDEFINE: %{bins} = 1
// RUN: %{same}
// REDEFINE: %{values} = 2047
// RUN: %{same}
// REDEFINE: %{values} = 2048
// RUN: %{same}
// One part of the bins, then two, then four; places behind the last bin; more bins than four parts.
// REDEFINE: %{values} = 9001
// REDEFINE: %{bins} = 2048
// RUN: %{same}
// REDEFINE: %{bins} = 2049
// RUN: %{same}
// REDEFINE: %{bins} = 8192
// RUN: %{same}
// REDEFINE: %{bins} = 8193
// RUN: %{same}

// CHECK-LABEL: func.func @sums(
// CHECK: %[[BUFFER:.*]] = bufferization.to_buffer
// CHECK: arith.cmpi sle, %[[BINS:.*]], %c8192
// CHECK: scf.if
// CHECK: scf.forall (%[[BLOCK:.*]]) in (%{{.*}}) {
// CHECK: %[[OWN:.*]] = memref.alloc() : memref<2048xf64>
// CHECK: scf.forall (%[[K:.*]]) in (2048) {
// CHECK: memref.store %{{.*}}, %[[OWN]][%[[K]]]
// CHECK: } {mapping = [#gpu.thread<linear_dim_0>]}
// CHECK: scf.forall (%[[T:.*]]) in (256) {
// CHECK: scf.for %[[I:.*]] =
// CHECK: %[[PLACE:.*]] = arith.subi
// CHECK: scf.if
// CHECK: memref.atomic_rmw addf %{{.*}}, %[[OWN]][%[[PLACE]]]
// CHECK: } {mapping = [#gpu.thread<linear_dim_0>]}
// CHECK: scf.forall (%[[L:.*]]) in (%{{.*}}) {
// CHECK: %[[SUM:.*]] = memref.load %[[OWN]][%[[L]]]
// CHECK: arith.cmpf une, %[[SUM]]
// CHECK: memref.atomic_rmw addf %[[SUM]], %[[BUFFER]][
// CHECK: } {mapping = [#gpu.thread<linear_dim_0>]}
// CHECK: } {mapping = [#gpu.block<linear_dim_0>]}
// CHECK: } else {
// CHECK: memref.atomic_rmw addf %{{.*}}, %[[BUFFER]][

// KERNEL: gpu.func @{{.*}} workgroup(%{{.*}} : memref<2048xf64, #gpu.address_space<workgroup>>)
// KERNEL: gpu.barrier
// KERNEL: memref.atomic_rmw addf
// KERNEL: gpu.barrier
// KERNEL: memref.atomic_rmw addf
func.func @sums(%n: index, %m: index) -> tensor<?xf64> {
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %zero_index = arith.constant 0 : index
  %threes = soac.replicate %c3, %n : index -> tensor<?xindex>
  %at = soac.scan ins(%threes : tensor<?xindex>) neutral(%zero_index : index) (%a: index, %b: index) {
    %s = arith.addi %a, %b : index
    soac.yield %s : index
  }
  %values = soac.map ins(%at : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %integer = arith.index_cast %i : index to i64
    %value = arith.sitofp %integer : i64 to f64
    soac.yield %value : f64
  }
  %start = soac.replicate %zero, %m : f64 -> tensor<?xf64>
  %h = soac.hist at(%at : tensor<?xindex>) ins(%values : tensor<?xf64>) into(%start : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return %h : tensor<?xf64>
}

// Two arrays share the memory of a block: 16 KiB have room for 1280 numbers of 12 bytes. Places that a map makes are
// computed once, so that there is one part only.
// CHECK-LABEL: func.func @pairs(
// CHECK: arith.cmpi sle, %{{.*}}, %c1280
// CHECK: memref.alloc() : memref<1280xf64>
// CHECK: memref.alloc() : memref<1280xi32>
// CHECK: memref.atomic_rmw addf
// CHECK: memref.atomic_rmw maxs
// RUN: ad-opt run %s --entry=pairs --input=100000 --input=7 --target=gpu-emulate | FileCheck %s --check-prefix=PAIRS
// PAIRS: [14286.0, 14286.0, 14286.0, 14286.0, 14286.0, 14285.0, 14285.0]
// PAIRS-NEXT: [99995, 99996, 99997, 99998, 99999, 99993, 99994]
func.func @pairs(%n: index, %m: index) -> (tensor<?xf64>, tensor<?xi32>) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %least = arith.constant -1 : i32
  %is = soac.iota %n : tensor<?xindex>
  %at, %ones, %numbers = soac.map ins(%is : tensor<?xindex>) (%i: index) -> (tensor<?xindex>, tensor<?xf64>, tensor<?xi32>) {
    %k = arith.remui %i, %m : index
    %number = arith.index_cast %i : index to i32
    soac.yield %k, %one, %number : index, f64, i32
  }
  %none = soac.replicate %zero, %m : f64 -> tensor<?xf64>
  %never = soac.replicate %least, %m : i32 -> tensor<?xi32>
  %h:2 = soac.hist at(%at : tensor<?xindex>) ins(%ones, %numbers : tensor<?xf64>, tensor<?xi32>)
      into(%none, %never : tensor<?xf64>, tensor<?xi32>) neutral(%zero, %least : f64, i32)
      (%a: f64, %x: i32, %b: f64, %y: i32) {
    %s = arith.addf %a, %b : f64
    %last = arith.maxsi %x, %y : i32
    soac.yield %s, %last : f64, i32
  }
  return %h#0, %h#1 : tensor<?xf64>, tensor<?xi32>
}

// Blocks with factors for one bin do not wait for each other: their products are rows, and a few threads for each bin go
// through its column: of 69 rows, two threads, one of which has a row more.
// REDEFINE: %{bins} = 3
// REDEFINE: %{values} = 5000
// DEFINE: %{product} = ad-opt run %s --entry=products --input=%{values} --input=%{bins} > %t.cpu && ad-opt run %s --entry=products --input=%{values} --input=%{bins} --target=gpu-emulate > %t.gpu && diff %t.cpu %t.gpu
// RUN: %{product}
// REDEFINE: %{values} = 2047
// RUN: %{product}
// REDEFINE: %{values} = 9001
// REDEFINE: %{bins} = 1365
// RUN: %{product}
// REDEFINE: %{bins} = 1366
// RUN: %{product}
// REDEFINE: %{bins} = 5000
// RUN: %{product}
// REDEFINE: %{values} = 140001
// REDEFINE: %{bins} = 1199
// RUN: %{product}

// CHECK-LABEL: func.func @products(
// CHECK: %[[BUFFER:.*]] = bufferization.to_buffer {{.*}} memref<?xf64>
// CHECK: %[[BLOCKS:.*]] = arith.minsi %{{.*}}, %c512
// CHECK: %[[ROWS:.*]] = bufferization.to_buffer {{.*}} memref<?x1280xf64>
// CHECK: scf.forall (%[[BLOCK:.*]]) in (%{{.*}}) {
// CHECK: memref.atomic_rmw mulf %{{.*}}, %[[OWN:.*]][
// CHECK: scf.forall (%[[K:.*]]) in
// CHECK: %[[PRODUCT:.*]] = memref.load %[[OWN]][%[[K]]]
// CHECK: memref.store %[[PRODUCT]], %[[ROWS]][%[[BLOCK]], %[[K]]]
// CHECK: } {mapping = [#gpu.block<linear_dim_0>]}
// CHECK: bufferization.to_tensor %[[ROWS]] restrict
// CHECK: arith.divui %[[BLOCKS]], %c32
// CHECK: %[[POSSIBLE:.*]] = arith.minsi %{{.*}}, %c8
// CHECK: %[[SHARES:.*]] = arith.maxsi %[[POSSIBLE]], %c1
// CHECK: %[[THREADS:.*]] = arith.muli %[[BINS:.*]], %[[SHARES]]
// CHECK: scf.forall (%[[THREAD:.*]]) in (%[[THREADS]]) {
// CHECK: %[[SHARE:.*]] = arith.divui %[[THREAD]], %[[BINS]]
// CHECK: %[[BIN:.*]] = arith.remui %[[THREAD]], %[[BINS]]
// CHECK: memref.atomic_rmw mulf %{{.*}}, %[[BUFFER]][%[[BIN]]]
func.func @products(%n: index, %m: index) -> (tensor<?xf64>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %half = arith.constant 0.5 : f64
  %least = arith.constant -1 : i32
  %is = soac.iota %n : tensor<?xindex>
  %factors, %numbers = soac.map ins(%is : tensor<?xindex>) (%i: index) -> (tensor<?xf64>, tensor<?xi32>) {
    %k = arith.remui %i, %c5 : index
    %is_first = arith.cmpi eq, %k, %c0 : index
    %factor = arith.select %is_first, %two, %half : f64
    %number = arith.index_cast %i : index to i32
    soac.yield %factor, %number : f64, i32
  }
  %at = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xindex> {
    %k = arith.remui %i, %m : index
    soac.yield %k : index
  }
  %ones = soac.replicate %one, %m : f64 -> tensor<?xf64>
  %never = soac.replicate %least, %m : i32 -> tensor<?xi32>
  %h:2 = soac.hist at(%at : tensor<?xindex>) ins(%factors, %numbers : tensor<?xf64>, tensor<?xi32>)
      into(%ones, %never : tensor<?xf64>, tensor<?xi32>) neutral(%one, %least : f64, i32)
      (%a: f64, %x: i32, %b: f64, %y: i32) {
    %s = arith.mulf %a, %b : f64
    %last = arith.maxsi %x, %y : i32
    soac.yield %s, %last : f64, i32
  }
  return %h#0, %h#1 : tensor<?xf64>, tensor<?xi32>
}

// Values that rely on their place are not made where they have none, as what is behind the end of an array.
// RUN: ad-opt run %s --entry=relying --input=3001 --input=10 > %t.cpu && ad-opt run %s --entry=relying --input=3001 --input=10 --target=gpu-emulate > %t.gpu && diff %t.cpu %t.gpu
// CHECK-LABEL: func.func @relying(
// CHECK: memref.alloc() : memref<2048xf64>
// CHECK: scf.for
// CHECK: scf.if
// CHECK-NEXT: tensor.extract
// CHECK: memref.atomic_rmw addf
func.func @relying(%n: index, %m: index) -> tensor<?xf64> {
  %c7 = arith.constant 7 : index
  %c0 = arith.constant 0 : index
  %far = arith.constant -1099511627776 : index
  %zero = arith.constant 0.0 : f64
  %is = soac.iota %n : tensor<?xindex>
  %at = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xindex> {
    %k = arith.remui %i, %c7 : index
    %none = arith.cmpi eq, %k, %c0 : index
    %p = arith.remui %i, %m : index
    %q = arith.select %none, %far, %p : index
    soac.yield %q : index
  }
  %weights = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %k = arith.index_cast %i : index to i64
    %w = arith.sitofp %k : i64 to f64
    soac.yield %w : f64
  }
  %sum = soac.reduce ins(%at : tensor<?xindex>) neutral(%c0 : index) (%a: index, %b: index) {
    %c = arith.addi %a, %b : index
    soac.yield %c : index
  }
  %values = soac.map ins(%at : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %w = tensor.extract %weights[%i] : tensor<?xf64>
    soac.yield %w : f64
  }
  %zeros = soac.replicate %zero, %m : f64 -> tensor<?xf64>
  %h = soac.hist at(%at : tensor<?xindex>) ins(%values : tensor<?xf64>) into(%zeros : tensor<?xf64>) neutral(%zero : f64)
      (%a: f64, %b: f64) {
    %s = arith.addf %a, %b : f64
    soac.yield %s : f64
  }
  return %h : tensor<?xf64>
}
