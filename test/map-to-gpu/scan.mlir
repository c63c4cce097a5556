// A scan is made by two kernels, whose subgroups have neighbouring tiles, with a scan of what these combine to between
// them, by one block.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,canonicalize,cse)' | FileCheck %s
// RUN: %python %S/../driver/Inputs/npy.py %t.npy '<f4' '(4,)' 1 2 3 4
// RUN: ad-opt run %s --entry=short --input=%t.npy --target=gpu-emulate | FileCheck %s --check-prefix=SHORT
// RUN: ad-opt run %s --entry=sums --input=0 --target=gpu-emulate | FileCheck %s --check-prefix=SUMS0
// RUN: ad-opt run %s --entry=sums --input=1 --target=gpu-emulate | FileCheck %s --check-prefix=SUMS1
// RUN: ad-opt run %s --entry=sums --input=257 --target=gpu-emulate | FileCheck %s --check-prefix=SUMS257
// RUN: ad-opt run %s --entry=sums --input=1025 --target=gpu-emulate | FileCheck %s --check-prefix=SUMS1025
// RUN: ad-opt run %s --entry=recurrence --input=0 --target=gpu-emulate | FileCheck %s --check-prefix=RECURRENCE0
// RUN: ad-opt run %s --entry=recurrence --input=1 --target=gpu-emulate | FileCheck %s --check-prefix=RECURRENCE1
// RUN: ad-opt run %s --entry=recurrence --input=257 --target=gpu-emulate | FileCheck %s --check-prefix=RECURRENCE257
// RUN: ad-opt run %s --entry=recurrence --input=1025 --target=gpu-emulate | FileCheck %s --check-prefix=RECURRENCE1025
// RUN: ad-opt run %s --entry=block --target=gpu-emulate | FileCheck %s --check-prefix=BLOCK
// RUN: rm -rf %t.sums.cpu %t.sums.gpu %t.recurrence.cpu %t.recurrence.gpu
// RUN: ad-opt run %s --entry=sums --input=3000 --output-dir=%t.sums.cpu
// RUN: ad-opt run %s --entry=sums --input=3000 --output-dir=%t.sums.gpu --target=gpu-emulate
// RUN: ad-opt run %s --entry=recurrence --input=3000 --output-dir=%t.recurrence.cpu
// RUN: ad-opt run %s --entry=recurrence --input=3000 --output-dir=%t.recurrence.gpu --target=gpu-emulate
// RUN: cmp %t.sums.cpu/0.npy %t.sums.gpu/0.npy
// RUN: cmp %t.recurrence.cpu/0.npy %t.recurrence.gpu/0.npy
// RUN: rm -rf %t.products.cpu %t.products.gpu
// RUN: ad-opt run %s --entry=products --input=3000 --output-dir=%t.products.cpu
// RUN: ad-opt run %s --entry=products --input=3000 --output-dir=%t.products.gpu --target=gpu-emulate
// RUN: cmp %t.products.cpu/0.npy %t.products.gpu/0.npy
// DEFINE: %{call} =
// DEFINE: %{both} = rm -rf %t.cpu %t.gpu && ad-opt run %s %{call} --output-dir=%t.cpu && \
// DEFINE:           ad-opt run %s %{call} --output-dir=%t.gpu --target=gpu-emulate && cmp %t.cpu/0.npy %t.gpu/0.npy
// REDEFINE: %{call} = --entry=backwards --input=0
// RUN: %{both}
// REDEFINE: %{call} = --entry=backwards --input=1
// RUN: %{both}
// REDEFINE: %{call} = --entry=backwards --input=33
// RUN: %{both}
// REDEFINE: %{call} = --entry=backwards --input=128
// RUN: %{both}
// REDEFINE: %{call} = --entry=backwards --input=3001
// RUN: %{both}
// REDEFINE: %{call} = --entry=known
// RUN: %{both}
// REDEFINE: %{call} = --entry=four --input=1999
// RUN: %{both}
// What neighbours read and write is in few sectors: 100000 elements of 8 bytes, which are written once, and those that
// are read in each of two kernels.
// RUN: ad-opt run %s --entry=sums --input=100000 --target=gpu-emulate --emulate-races=false --emulate-report=%t.json --output-dir=%t.out
// RUN: FileCheck %s --check-prefix=MOVED --input-file=%t.json
// MOVED: "sums_kernel_1.sums_kernel_1": {
// MOVED: "moved_bytes": 812512,

// CHECK-LABEL: func.func @sums(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// A stretch has 2 tiles of 4 elements for each of the 32 threads or more.
// CHECK: %[[TILES:.*]] = arith.ceildivsi %[[N]], %c128
// CHECK: %[[WANTED:.*]] = arith.ceildivsi %[[TILES]], %c2
// CHECK: %[[SOME:.*]] = arith.minsi %[[WANTED]], %c4096
// CHECK: %[[COUNT:.*]] = arith.maxsi %[[SOME]], %c1
// CHECK: %[[THREADS:.*]] = arith.muli %[[COUNT]], %c32
// Each thread combines elements that are 32 apart, then the first one of each subgroup has what all have.
// CHECK: %[[TOTALS:.*]] = scf.forall (%[[T:.*]]) in (%[[THREADS]]) shared_outs(%[[OUT:.*]] = %{{.*}}) -> (tensor<?xi64>) {
// CHECK: %[[STRETCH:.*]] = arith.divui %[[T]], %c32
// CHECK: %[[LANE:.*]] = arith.remui %[[T]], %c32
// CHECK: %[[OWN:.*]] = scf.for
// CHECK: %[[FIRST:.*]] = arith.muli %{{.*}}, %c128
// CHECK: %[[FROM:.*]] = arith.addi %[[FIRST]], %[[LANE]]
// CHECK: arith.addi %[[FROM]], %c32
// CHECK-NOT: gpu.shuffle
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[OWN]])
// CHECK: gpu.shuffle down
// CHECK: %[[IS_FIRST:.*]] = arith.cmpi eq, %[[LANE]], %c0
// CHECK: scf.if %[[IS_FIRST]]
// CHECK: tensor.parallel_insert_slice %{{.*}} into %[[OUT]][%[[STRETCH]]]
// A block scans the totals.
// CHECK: %[[BEFORE:.*]] = scf.forall (%{{.*}}) in (1)
// CHECK: memref.alloc() : memref<8xi64>
// CHECK: scf.forall (%{{.*}}) in (256)
// CHECK: tensor.extract %[[TOTALS]]
// CHECK: gpu.shuffle down
// CHECK: scf.forall (%{{.*}}) in (256)
// CHECK: gpu.shuffle up
// CHECK: {mapping = [#gpu.thread<linear_dim_0>]}
// CHECK: {mapping = [#gpu.block<linear_dim_0>]}
// Stretches start with what is before them.
// CHECK: scf.forall (%[[U:.*]]) in (%[[THREADS]]) shared_outs(%[[YS:.*]] = %{{.*}}) -> (tensor<?xi64>) {
// CHECK: %[[START:.*]] = tensor.extract %[[BEFORE]]
// CHECK: tensor.extract_slice %[[YS]][%[[AT:.*]]] [%[[SIZE:.*]]] [32]
// CHECK: %[[MADE:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %[[START]]
// CHECK: scf.for %[[K:.*]] = %c0 to %c5 step %c1
// CHECK: arith.shli %c1, %[[K]]
// CHECK-COUNT-4: gpu.shuffle up
// CHECK-COUNT-4: gpu.shuffle idx
// CHECK: tensor.parallel_insert_slice %[[MADE]]#1 into %[[YS]][%[[AT]]] [%[[SIZE]]] [32]
// SUMS0: {{^}}[]{{$}}
// SUMS1: {{^}}[0]{{$}}
// SUMS257: {{^}}[0, 1, 3, 6, 10, {{.*}}, 32640, 32896]{{$}}
// SUMS1025: {{^}}[0, 1, 3, 6, 10, {{.*}}, 523776, 524800]{{$}}
func.func @sums(%n: index) -> tensor<?xi64> {
  %zero = arith.constant 0 : i64
  %is = soac.iota %n : tensor<?xi64>
  %ys = soac.scan ins(%is : tensor<?xi64>) neutral(%zero : i64) (%l: i64, %r: i64) {
    %s = arith.addi %l, %r : i64
    soac.yield %s : i64
  }
  return %ys : tensor<?xi64>
}

// A few elements are for one thread.
// CHECK-LABEL: func.func @short(
// CHECK-COUNT-1: scf.forall {{.*}} in (1)
// CHECK: soac.scan
// CHECK: {mapping = [#gpu.block<linear_dim_0>]}
// CHECK-NEXT: return
// SHORT: [0.0, 1.0, 3.0, 6.0]
func.func @short(%xs: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %ys = soac.scan ins(%xs : tensor<4xf32>) neutral(%zero : f32) (%l: f32, %r: f32) attributes {exclusive} {
    %s = arith.addf %l, %r : f32
    soac.yield %s : f32
  }
  return %ys : tensor<4xf32>
}

// y = i - y for each i: the order of the operands matters.
// CHECK-LABEL: func.func @recurrence(
// CHECK: scf.forall {{.*}} -> (tensor<?xi64>, tensor<?xi64>)
// CHECK: scf.forall {{.*}} in (1)
// In each tile the threads combine what is side by side.
// CHECK: scf.forall {{.*}} in (256)
// CHECK-COUNT-8: gpu.shuffle down
// CHECK: scf.forall {{.*}} in (256)
// CHECK-COUNT-8: gpu.shuffle up
// CHECK: scf.forall {{.*}} -> (tensor<?xi64>)
// RECURRENCE0: {{^}}[]{{$}}
// RECURRENCE1: {{^}}[0]{{$}}
// RECURRENCE257: {{^}}[0, 1, 1, 2, 2, {{.*}}, 128, 128]{{$}}
// RECURRENCE1025: {{^}}[0, 1, 1, 2, 2, {{.*}}, 512, 512]{{$}}
func.func @recurrence(%n: index) -> tensor<?xi64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %m = arith.constant -1 : i64
  %is = soac.iota %n : tensor<?xi64>
  %as = soac.replicate %m, %n : i64 -> tensor<?xi64>
  %ys:2 = soac.scan ins(%as, %is : tensor<?xi64>, tensor<?xi64>) neutral(%one, %zero : i64, i64)
      (%a: i64, %p: i64, %c: i64, %q: i64) {
    %slope = arith.muli %a, %c : i64
    %t = arith.muli %c, %p : i64
    %s = arith.addi %t, %q : i64
    soac.yield %slope, %s : i64, i64
  }
  return %ys#1 : tensor<?xi64>
}

// No more than 4096 elements are for one block.
// CHECK-LABEL: func.func @block(
// CHECK: scf.forall {{.*}} in (1) {{.*}} -> (tensor<300xi64>)
// CHECK: scf.forall {{.*}} in (256)
// CHECK: scf.forall {{.*}} in (256)
// CHECK: {mapping = [#gpu.block<linear_dim_0>]}
// CHECK-NOT: scf.forall
// CHECK: return
// BLOCK: {{^}}[0, 1, 3, 6, 10, {{.*}}, 44551, 44850]{{$}}
func.func @block() -> tensor<300xi64> {
  %zero = arith.constant 0 : i64
  %is = soac.iota : tensor<300xi64>
  %ys = soac.scan ins(%is : tensor<300xi64>) neutral(%zero : i64) (%l: i64, %r: i64) {
    %s = arith.addi %l, %r : i64
    soac.yield %s : i64
  }
  return %ys : tensor<300xi64>
}

// From the end, without the element itself. The right one of two elements is the later one in the array.
// CHECK-LABEL: func.func @backwards(
func.func @backwards(%n: index) -> tensor<?xi64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %m = arith.constant -1 : i64
  %is = soac.iota %n : tensor<?xi64>
  %as = soac.replicate %m, %n : i64 -> tensor<?xi64>
  %ys:2 = soac.scan ins(%as, %is : tensor<?xi64>, tensor<?xi64>) neutral(%one, %zero : i64, i64)
      (%a: i64, %p: i64, %c: i64, %q: i64) attributes {exclusive, reverse} {
    %slope = arith.muli %a, %c : i64
    %t = arith.muli %c, %p : i64
    %s = arith.addi %t, %q : i64
    soac.yield %slope, %s : i64, i64
  }
  return %ys#1 : tensor<?xi64>
}

// Sizes that are known, and numbers of 32 bits; the sums are exact.
// CHECK-LABEL: func.func @known(
// CHECK: scf.forall {{.*}} in (640) {{.*}} -> (tensor<20xf32>)
// CHECK: scf.forall {{.*}} in (640) {{.*}} -> (tensor<5001xf32>)
func.func @known() -> tensor<5001xf32> {
  %zero = arith.constant 0.0 : f32
  %seven = arith.constant 7 : index
  %is = soac.iota : tensor<5001xindex>
  %xs = soac.map ins(%is : tensor<5001xindex>) (%i: index) -> tensor<5001xf32> {
    %r = arith.remui %i, %seven : index
    %k = arith.index_cast %r : index to i64
    %x = arith.sitofp %k : i64 to f32
    soac.yield %x : f32
  }
  %ys = soac.scan ins(%xs : tensor<5001xf32>) neutral(%zero : f32) (%l: f32, %r: f32) attributes {reverse} {
    %s = arith.addf %l, %r : f32
    soac.yield %s : f32
  }
  return %ys : tensor<5001xf32>
}

// Products of matrices [[1, i], [i, 1]] whose numbers are scanned: of larger tuples a thread has fewer.
// CHECK-LABEL: func.func @four(
// CHECK: arith.ceildivsi %{{.*}}, %c64
// CHECK-COUNT-8: gpu.shuffle down
// CHECK-NOT: gpu.shuffle down
// CHECK: scf.forall {{.*}} in (1)
func.func @four(%n: index) -> tensor<?xi64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %is = soac.iota %n : tensor<?xi64>
  %ones = soac.replicate %one, %n : i64 -> tensor<?xi64>
  %y:4 = soac.scan ins(%ones, %is, %is, %ones : tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>)
      neutral(%one, %zero, %zero, %one : i64, i64, i64, i64)
      (%l00: i64, %l01: i64, %l10: i64, %l11: i64, %r00: i64, %r01: i64, %r10: i64, %r11: i64) {
    %u00 = arith.muli %l00, %r00 : i64
    %v00 = arith.muli %l01, %r10 : i64
    %p00 = arith.addi %u00, %v00 : i64
    %u01 = arith.muli %l00, %r01 : i64
    %v01 = arith.muli %l01, %r11 : i64
    %p01 = arith.addi %u01, %v01 : i64
    %u10 = arith.muli %l10, %r00 : i64
    %v10 = arith.muli %l11, %r10 : i64
    %p10 = arith.addi %u10, %v10 : i64
    %u11 = arith.muli %l10, %r01 : i64
    %v11 = arith.muli %l11, %r11 : i64
    %p11 = arith.addi %u11, %v11 : i64
    soac.yield %p00, %p01, %p10, %p11 : i64, i64, i64, i64
  }
  return %y#1 : tensor<?xi64>
}

// Matrices [[1, i], [0, 1]]: each thread has arrays of its own, and fewer and fewer threads scan what others combine.
// CHECK-LABEL: func.func @products(
// CHECK: scf.forall {{.*}} in (1023) {{.*}} -> (tensor<1023x2x2xi64>)
// CHECK: scf.forall {{.*}} in (62) {{.*}} -> (tensor<62x2x2xi64>)
// CHECK: scf.forall {{.*}} in (2) {{.*}} -> (tensor<2x2x2xi64>)
// CHECK: scf.forall {{.*}} in (1)
// CHECK: scf.forall {{.*}} in (3) {{.*}} -> (tensor<62x2x2xi64>)
// CHECK: scf.forall {{.*}} in (63) {{.*}} -> (tensor<1023x2x2xi64>)
// CHECK: scf.forall {{.*}} in (1024) {{.*}} -> (tensor<?x2x2xi64>)
func.func @products(%n: index) -> tensor<?x2x2xi64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %unit = arith.constant dense<[[1, 0], [0, 1]]> : tensor<2x2xi64>
  %is = soac.iota %n : tensor<?xi64>
  %ms = soac.map ins(%is : tensor<?xi64>) (%i: i64) -> tensor<?x2x2xi64> {
    %m = tensor.from_elements %one, %i, %zero, %one : tensor<2x2xi64>
    soac.yield %m : tensor<2x2xi64>
  }
  %ps = soac.scan ins(%ms : tensor<?x2x2xi64>) neutral(%unit : tensor<2x2xi64>) (%l: tensor<2x2xi64>, %r: tensor<2x2xi64>) {
    %empty = tensor.empty() : tensor<2x2xi64>
    %zeros = linalg.fill ins(%zero : i64) outs(%empty : tensor<2x2xi64>) -> tensor<2x2xi64>
    %q = linalg.matmul ins(%l, %r : tensor<2x2xi64>, tensor<2x2xi64>) outs(%zeros : tensor<2x2xi64>) -> tensor<2x2xi64>
    soac.yield %q : tensor<2x2xi64>
  }
  return %ps : tensor<?x2x2xi64>
}
