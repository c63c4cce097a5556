// A scan is made in chunks by two kernels, with a scan of what they combine to between them, by one block.
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

// CHECK-LABEL: func.func @sums(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// A chunk has 16 elements or more.
// CHECK: %[[WANTED:.*]] = arith.ceildivsi %[[N]], %c16
// CHECK: %[[SOME:.*]] = arith.maxsi %[[WANTED]], %c1
// CHECK: %[[COUNT:.*]] = arith.minsi %[[SOME]], %c32768
// The threads combine all chunks but the last.
// CHECK: %[[LESS:.*]] = arith.subi %[[COUNT]], %c1
// CHECK: %[[TOTALS:.*]] = scf.forall (%[[T:.*]]) in (%[[LESS]]) shared_outs(%[[OUT:.*]] = %{{.*}}) -> (tensor<?xi64>) {
// CHECK: arith.ceildivsi %[[N]], %[[COUNT]]
// CHECK-NOT: soac.scan
// CHECK: %[[TOTAL:.*]] = soac.reduce
// CHECK: %[[ROW:.*]] = tensor.from_elements %[[TOTAL]]
// CHECK: tensor.parallel_insert_slice %[[ROW]] into %[[OUT]][%[[T]]]
// A block scans the totals.
// CHECK: %[[BEFORE:.*]] = scf.forall (%{{.*}}) in (1)
// CHECK: scf.forall (%{{.*}}) in (256)
// CHECK: tensor.extract %[[TOTALS]]
// CHECK: gpu.shuffle up
// CHECK: scf.forall (%{{.*}}) in (256)
// CHECK: soac.scan
// CHECK: {mapping = [#gpu.thread<linear_dim_0>]}
// CHECK: {mapping = [#gpu.block<linear_dim_0>]}
// Chunks start with what is before them.
// CHECK: scf.forall (%[[U:.*]]) in (%[[COUNT]])
// CHECK: tensor.extract %[[BEFORE]]
// CHECK: soac.scan
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
// CHECK: scf.forall {{.*}} in (256)
// CHECK-COUNT-2: gpu.shuffle up
// CHECK: scf.forall {{.*}} in (256)
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
// CHECK: scf.forall {{.*}} in (1)
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
