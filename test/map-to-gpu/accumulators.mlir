// Accumulators become buffers, which threads update: on a GPU by one atomic instruction (F45).
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,canonicalize,cse)' | FileCheck %s
// RUN: %python %S/../driver/Inputs/npy.py %t.xs.npy '<f4' '(5,)' 1 2 3 4 0.5
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<f4' '(0,)'
// RUN: %python %S/../driver/Inputs/npy.py %t.start.npy '<f4' '(3,)' 10 20 30
// RUN: %python %S/../driver/Inputs/npy.py %t.counts.npy '<i8' '(4,)' 0 100 0 0
// RUN: %python %S/../driver/Inputs/npy.py %t.rows.npy '<f8' '(2, 4)' 1 2 3 4 5 6 7 8
// RUN: %python %S/../driver/Inputs/npy.py %t.two.npy '<f8' '(2,)' 0.5 1
// RUN: ad-opt run %s --entry=bins --input=%t.xs.npy --input=%t.start.npy --target=gpu-emulate | FileCheck %s --check-prefix=BINS
// RUN: ad-opt run %s --entry=bins --input=%t.none.npy --input=%t.start.npy --target=gpu-emulate | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %s --entry=counts --input=0 --input=%t.counts.npy --target=gpu-emulate | FileCheck %s --check-prefix=COUNTS0
// RUN: ad-opt run %s --entry=counts --input=1 --input=%t.counts.npy --target=gpu-emulate | FileCheck %s --check-prefix=COUNTS1
// RUN: ad-opt run %s --entry=counts --input=257 --input=%t.counts.npy --target=gpu-emulate | FileCheck %s --check-prefix=COUNTS257
// RUN: ad-opt run %s --entry=counts --input=1025 --input=%t.counts.npy --target=gpu-emulate | FileCheck %s --check-prefix=COUNTS1025
// RUN: ad-opt run %s --entry=inner --input=%t.rows.npy --input=%t.two.npy --target=gpu-emulate | FileCheck %s --check-prefix=INNER
// RUN: ad-opt run %s --entry=of_rows --input=%t.rows.npy --input=%t.two.npy --target=gpu-emulate | FileCheck %s --check-prefix=OF-ROWS

// The buffer starts as a copy of the array, and is an array again when all threads are done.
// CHECK-LABEL: func.func @bins(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf32> {ad.unchanged}, %[[START:[a-z0-9]+]]: tensor<3xf32>
// CHECK-NOT: soac.
// CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[START]])
// CHECK: %[[BUFFER:.*]] = bufferization.to_buffer %[[COPY]] : tensor<3xf32> to memref<3xf32>
// CHECK: %[[SQUARES:.*]] = scf.forall (%[[I:.*]]) in
// CHECK: %[[X:.*]] = tensor.extract %[[XS]][%[[I]]]
// CHECK: %[[K:.*]] = arith.remui %[[I]], %c3
// CHECK: memref.atomic_rmw addf %[[X]], %[[BUFFER]][%[[K]]]
// CHECK: arith.mulf %[[X]], %[[X]]
// CHECK: %[[SUMS:.*]] = bufferization.to_tensor %[[BUFFER]] restrict writable
// CHECK: return %[[SUMS]], %[[SQUARES]]
// BINS: [15.0, 22.5, 33.0]
// BINS-NEXT: [1.0, 4.0, 9.0, 16.0, 0.25]
// NONE: [10.0, 20.0, 30.0]
// NONE-NEXT: {{^}}[]{{$}}
func.func @bins(%xs: tensor<?xf32>, %start: tensor<3xf32>) -> (tensor<3xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %xs, %c0 : tensor<?xf32>
  %r:2 = soac.with_acc ins(%start : tensor<3xf32>) (%acc: !soac.acc<tensor<3xf32>>) -> (tensor<3xf32>, tensor<?xf32>) {
    %is = soac.iota %n : tensor<?xindex>
    %w:2 = soac.map ins(%xs, %is : tensor<?xf32>, tensor<?xindex>) accs(%acc : !soac.acc<tensor<3xf32>>)
        (%x: f32, %i: index, %a: !soac.acc<tensor<3xf32>>) -> (tensor<?xf32>, !soac.acc<tensor<3xf32>>) {
      %k = arith.remui %i, %c3 : index
      %b = soac.update_acc %a[%k], %x : !soac.acc<tensor<3xf32>>, f32
      %y = arith.mulf %x, %x : f32
      soac.yield %y, %b : f32, !soac.acc<tensor<3xf32>>
    }
    soac.yield %w#1, %w#0 : !soac.acc<tensor<3xf32>>, tensor<?xf32>
  }
  return %r#0, %r#1 : tensor<3xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @counts(
// CHECK: scf.forall
// CHECK: memref.atomic_rmw addi
// COUNTS0: [0, 100, 0, 0]
// COUNTS1: [1, 100, 0, 0]
// COUNTS257: [65, 164, 64, 64]
// COUNTS1025: [257, 356, 256, 256]
func.func @counts(%n: index, %start: tensor<4xi64>) -> tensor<4xi64> {
  %c4 = arith.constant 4 : index
  %one = arith.constant 1 : i64
  %is = soac.iota %n : tensor<?xindex>
  %r = soac.with_acc ins(%start : tensor<4xi64>) (%acc: !soac.acc<tensor<4xi64>>) -> tensor<4xi64> {
    %w = soac.map ins(%is : tensor<?xindex>) accs(%acc : !soac.acc<tensor<4xi64>>)
        (%i: index, %a: !soac.acc<tensor<4xi64>>) -> !soac.acc<tensor<4xi64>> {
      %k = arith.remui %i, %c4 : index
      %b = soac.update_acc %a[%k], %one : !soac.acc<tensor<4xi64>>, i64
      soac.yield %b : !soac.acc<tensor<4xi64>>
    }
    soac.yield %w : !soac.acc<tensor<4xi64>>
  }
  return %r : tensor<4xi64>
}

// What one thread accumulates stays as it is.
// CHECK-LABEL: func.func @inner(
// CHECK: %[[BUFFER:.*]] = bufferization.to_buffer
// CHECK: scf.forall
// CHECK-NOT: memref.atomic_rmw
// CHECK: soac.with_acc
// CHECK: soac.update_acc
// CHECK: memref.atomic_rmw addf %{{.*}}, %[[BUFFER]][%c1]
// CHECK-NOT: memref.atomic_rmw
// CHECK: return
// INNER: [0.5, 193.0]
func.func @inner(%xss: tensor<?x4xf64>, %start: tensor<2xf64>) -> tensor<2xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zeros = arith.constant dense<0.0> : tensor<2xf64>
  %is = soac.iota : tensor<4xindex>
  %r = soac.with_acc ins(%start : tensor<2xf64>) (%outer: !soac.acc<tensor<2xf64>>) -> tensor<2xf64> {
    %w = soac.map ins(%xss : tensor<?x4xf64>) accs(%outer : !soac.acc<tensor<2xf64>>)
        (%xs: tensor<4xf64>, %a: !soac.acc<tensor<2xf64>>) -> !soac.acc<tensor<2xf64>> {
      %own = soac.with_acc ins(%zeros : tensor<2xf64>) (%acc: !soac.acc<tensor<2xf64>>) -> tensor<2xf64> {
        %v = soac.map ins(%xs, %is : tensor<4xf64>, tensor<4xindex>) accs(%acc : !soac.acc<tensor<2xf64>>)
            (%x: f64, %i: index, %p: !soac.acc<tensor<2xf64>>) -> !soac.acc<tensor<2xf64>> {
          %k = arith.remui %i, %c2 : index
          %q = soac.update_acc %p[%k], %x : !soac.acc<tensor<2xf64>>, f64
          soac.yield %q : !soac.acc<tensor<2xf64>>
        }
        soac.yield %v : !soac.acc<tensor<2xf64>>
      }
      %even = tensor.extract %own[%c0] : tensor<2xf64>
      %odd = tensor.extract %own[%c1] : tensor<2xf64>
      %product = arith.mulf %even, %odd : f64
      %b = soac.update_acc %a[%c1], %product : !soac.acc<tensor<2xf64>>, f64
      soac.yield %b : !soac.acc<tensor<2xf64>>
    }
    soac.yield %w : !soac.acc<tensor<2xf64>>
  }
  return %r : tensor<2xf64>
}

// The map makes nothing. It is by threads or blocks all the same, and rewriting it ends.
// CHECK-LABEL: func.func @of_rows(
// CHECK: %[[BUFFER:.*]] = bufferization.to_buffer
// CHECK: scf.if
// CHECK: mapping = [#gpu.block
// CHECK: memref.atomic_rmw addf %{{.*}}, %[[BUFFER]]
// CHECK: } else {
// CHECK: scf.forall
// CHECK: memref.atomic_rmw addf %{{.*}}, %[[BUFFER]]
// CHECK: return
// OF-ROWS: [10.5, 27.0]
func.func @of_rows(%xss: tensor<?x?xf64>, %start: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %xss, %c0 : tensor<?x?xf64>
  %is = soac.iota %n : tensor<?xindex>
  %r = soac.with_acc ins(%start : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> tensor<?xf64> {
    %w = soac.map ins(%xss, %is : tensor<?x?xf64>, tensor<?xindex>) accs(%acc : !soac.acc<tensor<?xf64>>)
        (%xs: tensor<?xf64>, %i: index, %a: !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>> {
      %zero = arith.constant 0.0 : f64
      %sum = soac.reduce ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%left: f64, %right: f64) {
        %s = arith.addf %left, %right : f64
        soac.yield %s : f64
      }
      %b = soac.update_acc %a[%i], %sum : !soac.acc<tensor<?xf64>>, f64
      soac.yield %b : !soac.acc<tensor<?xf64>>
    }
    soac.yield %w : !soac.acc<tensor<?xf64>>
  }
  return %r : tensor<?xf64>
}
