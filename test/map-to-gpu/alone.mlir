// What cannot be distributed is executed by one thread.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,canonicalize,cse)' | FileCheck %s
// RUN: %python %S/../driver/Inputs/npy.py %t.rows.npy '<f4' '(3, 2)' 1 2 3 4 5 6
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<f4' '(0, 2)'
// RUN: %python %S/../driver/Inputs/npy.py %t.start.npy '<f4' '(2,)' 10 20
// RUN: %python %S/../driver/Inputs/npy.py %t.integers.npy '<i8' '(2, 3)' 1 2 3 4 5 6
// RUN: %python %S/../driver/Inputs/npy.py %t.i8-start.npy '<i8' '(3,)' 1 3 5
// RUN: %python %S/../driver/Inputs/npy.py %t.f8.npy '<f8' '(3,)' 10 20 30
// RUN: ad-opt run %s --entry=rows --input=%t.rows.npy --input=%t.start.npy --target=gpu-emulate | FileCheck %s --check-prefix=ROWS
// RUN: ad-opt run %s --entry=rows --input=%t.none.npy --input=%t.start.npy --target=gpu-emulate | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %s --entry=dynamic --input=%t.integers.npy --input=%t.i8-start.npy --target=gpu-emulate | FileCheck %s --check-prefix=DYNAMIC
// RUN: ad-opt run %s --entry=loop --input=%t.f8.npy --input=3 --target=gpu-emulate | FileCheck %s --check-prefix=LOOP3
// RUN: ad-opt run %s --entry=loop --input=%t.f8.npy --input=0 --target=gpu-emulate | FileCheck %s --check-prefix=LOOP0

// A reduction of arrays.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[XSS:[a-z0-9]+]]: tensor<?x2xf32>
// CHECK: %[[R:.*]] = scf.forall (%{{.*}}) in (1) shared_outs(%[[OUT:.*]] = %{{.*}}) -> (tensor<2xf32>) {
// CHECK: %[[SUM:.*]] = soac.reduce ins(%[[XSS]]
// CHECK: tensor.parallel_insert_slice %[[SUM]] into %[[OUT]][0] [2] [1]
// CHECK: } {mapping = [#gpu.block<linear_dim_0>]}
// CHECK: return %[[R]]
// ROWS: [19.0, 32.0]
// NONE: [10.0, 20.0]
func.func @rows(%xss: tensor<?x2xf32>, %start: tensor<2xf32>) -> tensor<2xf32> {
  %sum = soac.reduce ins(%xss : tensor<?x2xf32>) neutral(%start : tensor<2xf32>) (%l: tensor<2xf32>, %r: tensor<2xf32>) {
    %s = arith.addf %l, %r : tensor<2xf32>
    soac.yield %s : tensor<2xf32>
  }
  return %sum : tensor<2xf32>
}

// The result is as long as the neutral element.
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME: tensor<?x?xi64> {ad.unchanged}, %[[START:[a-z0-9]+]]: tensor<?xi64>
// CHECK: %[[N:.*]] = tensor.dim %[[START]], %c0
// CHECK: tensor.empty(%[[N]])
// CHECK: scf.forall (%{{.*}}) in (1)
// CHECK: soac.reduce
// DYNAMIC: [6, 10, 14]
func.func @dynamic(%xss: tensor<?x?xi64>, %start: tensor<?xi64>) -> tensor<?xi64> {
  %sum = soac.reduce ins(%xss : tensor<?x?xi64>) neutral(%start : tensor<?xi64>) (%l: tensor<?xi64>, %r: tensor<?xi64>) {
    %s = arith.addi %l, %r : tensor<?xi64>
    soac.yield %s : tensor<?xi64>
  }
  return %sum : tensor<?xi64>
}

// A loop that makes an array, with nothing parallel inside.
// CHECK-LABEL: func.func @loop(
// CHECK: scf.forall (%{{.*}}) in (1)
// CHECK: scf.for
// CHECK: tensor.insert
// CHECK: tensor.parallel_insert_slice
// CHECK: } {mapping = [#gpu.block<linear_dim_0>]}
// LOOP3: [80.0, 20.0, 30.0]
// LOOP0: [10.0, 20.0, 30.0]
func.func @loop(%xs: tensor<3xf64>, %n: index) -> tensor<3xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%ys = %xs) -> tensor<3xf64> {
    %y = tensor.extract %ys[%c0] : tensor<3xf64>
    %z = arith.addf %y, %y : f64
    %zs = tensor.insert %z into %ys[%c0] : tensor<3xf64>
    scf.yield %zs : tensor<3xf64>
  }
  return %r : tensor<3xf64>
}
