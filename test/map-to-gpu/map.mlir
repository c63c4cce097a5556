// A map has a thread for each row of its results.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,canonicalize,cse)' | FileCheck %s
// RUN: %python %S/../driver/Inputs/npy.py %t.rows.npy '<f4' '(3, 3)' 1 2 3 4 5 6 7 8 9
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<f4' '(0, 3)'
// RUN: %python %S/../driver/Inputs/npy.py %t.two.npy '<f8' '(2,)' 1 2
// RUN: ad-opt run %s --entry=rows --input=%t.rows.npy --target=gpu-emulate | FileCheck %s --check-prefix=ROWS
// RUN: ad-opt run %s --entry=rows --input=%t.none.npy --target=gpu-emulate | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %s --entry=chain --input=0 --target=gpu-emulate | FileCheck %s --check-prefix=CHAIN0
// RUN: ad-opt run %s --entry=chain --input=1 --target=gpu-emulate | FileCheck %s --check-prefix=CHAIN1
// RUN: ad-opt run %s --entry=chain --input=257 --target=gpu-emulate | FileCheck %s --check-prefix=CHAIN257
// RUN: ad-opt run %s --entry=chain --input=1025 --target=gpu-emulate | FileCheck %s --check-prefix=CHAIN1025
// RUN: ad-opt run %s --entry=again --input=%t.two.npy --input=2 --target=gpu-emulate | FileCheck %s --check-prefix=AGAIN

// What is inside of a row is left to its thread.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[XSS:[a-z0-9]+]]: tensor<?x3xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[XSS]], %c0
// CHECK: scf.forall (%[[I:.*]]) in (%[[N]]) shared_outs(%[[SUMS:.*]] = %{{.*}}, %[[TWICE:.*]] = %{{.*}}) -> (tensor<?xf32>, tensor<?x3xf32>) {
// CHECK: %[[XS:.*]] = tensor.extract_slice %[[XSS]][%[[I]], 0] [1, 3] [1, 1] : tensor<?x3xf32> to tensor<3xf32>
// CHECK: %[[YS:.*]] = arith.addf %[[XS]], %[[XS]] : tensor<3xf32>
// CHECK: %[[S:.*]] = soac.reduce ins(%[[XS]] : tensor<3xf32>)
// CHECK: %[[ROW:.*]] = tensor.insert %[[S]] into
// CHECK: tensor.parallel_insert_slice %[[ROW]] into %[[SUMS]][%[[I]]] [1] [1]
// CHECK: tensor.parallel_insert_slice %[[YS]] into %[[TWICE]][%[[I]], 0] [1, 3] [1, 1]
// ROWS: [6.0, 15.0, 24.0]
// ROWS-NEXT: {{\[}}[2.0, 4.0, 6.0],
// ROWS-NEXT: [8.0, 10.0, 12.0],
// ROWS-NEXT: [14.0, 16.0, 18.0]]
// NONE: []
// NONE-NEXT: []  # shape (0, 3)
func.func @rows(%xss: tensor<?x3xf32>) -> (tensor<?xf32>, tensor<?x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %sums, %twice = soac.map ins(%xss : tensor<?x3xf32>) (%xs: tensor<3xf32>) -> (tensor<?xf32>, tensor<?x3xf32>) {
    %ys = arith.addf %xs, %xs : tensor<3xf32>
    %s = soac.reduce ins(%xs : tensor<3xf32>) neutral(%zero : f32) (%l: f32, %r: f32) {
      %t = arith.addf %l, %r : f32
      soac.yield %t : f32
    }
    soac.yield %s, %ys : f32, tensor<3xf32>
  }
  return %sums, %twice : tensor<?xf32>, tensor<?x3xf32>
}

// A map that only another one reads is computed by its threads; numbers of rows are those of threads.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK-NOT: soac.
// CHECK: scf.forall (%[[I:.*]]) in (%[[N]])
// CHECK: %[[K:.*]] = arith.index_cast %[[I]] : index to i64
// CHECK: %[[SQUARE:.*]] = arith.muli %[[K]], %[[K]]
// CHECK: arith.subi %[[SQUARE]], %[[K]]
// CHECK-NOT: scf.forall (
// CHECK: return
// CHAIN0: {{^}}[]{{$}}
// CHAIN1: {{^}}[0]{{$}}
// CHAIN257: {{^}}[0, 0, 2, 6, 12, {{.*}}, 64770, 65280]{{$}}
// CHAIN1025: {{^}}[0, 0, 2, 6, 12, {{.*}}, 1045506, 1047552]{{$}}
func.func @chain(%n: index) -> tensor<?xi64> {
  %is = soac.iota %n : tensor<?xi64>
  %squares = soac.map ins(%is : tensor<?xi64>) (%i: i64) -> tensor<?xi64> {
    %y = arith.muli %i, %i : i64
    soac.yield %y : i64
  }
  %ys = soac.map ins(%squares, %is : tensor<?xi64>, tensor<?xi64>) (%s: i64, %i: i64) -> tensor<?xi64> {
    %y = arith.subi %s, %i : i64
    soac.yield %y : i64
  }
  return %ys : tensor<?xi64>
}

// The host executes sequential loops, and starts threads in each iteration.
// CHECK-LABEL: func.func @again(
// CHECK: scf.for %{{.*}} iter_args(%[[YS:.*]] = %{{.*}}) -> (tensor<?xf64>) {
// CHECK: scf.forall (%[[I:.*]]) in (%{{.*}})
// CHECK: tensor.extract %[[YS]][%[[I]]]
// CHECK: func.call @callee(%[[YS]])
// AGAIN: [6.0, 7.0]
func.func @again(%xs: tensor<?xf64>, %steps: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%ys = %xs) -> tensor<?xf64> {
    %zs = soac.map ins(%ys : tensor<?xf64>) (%y: f64) -> tensor<?xf64> {
      %w = func.call @callee(%ys) : (tensor<?xf64>) -> tensor<?xf64>
      %v = tensor.extract %w[%c0] : tensor<?xf64>
      %z = arith.addf %y, %v : f64
      soac.yield %z : f64
    }
    scf.yield %zs : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// Threads call this function: what is in it is sequential.
// CHECK-LABEL: func.func private @callee(
// CHECK-NOT: scf.forall
// CHECK: soac.map
// CHECK: return
func.func private @callee(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = arith.mulf %x, %x : f64
    soac.yield %y : f64
  }
  return %ys : tensor<?xf64>
}
