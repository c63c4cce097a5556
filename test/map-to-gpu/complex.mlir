// Complex numbers that threads add up lie in memory as their parts, each of which one atomic instruction updates (F45).
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,canonicalize,cse)' | FileCheck %s
// RUN: %python %S/../driver/Inputs/npy.py %t.zs.npy '<c16' '(5,)' 1 2 3 -1 0.5 0.5 0 2 -1 0
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<c16' '(0,)'
// RUN: %python %S/../driver/Inputs/npy.py %t.is.npy '<i8' '(5,)' 0 2 0 5 2
// RUN: %python %S/../driver/Inputs/npy.py %t.nowhere.npy '<i8' '(0,)'
// RUN: %python %S/../driver/Inputs/npy.py %t.start.npy '<c16' '(3,)' 10 1 20 0 30 -1
// RUN: %python %S/../driver/Inputs/npy.py %t.rows.npy '<c8' '(3, 2)' 1 1 2 2 3 3 4 4 5 5 6 -6
// RUN: ad-opt run %s --entry=bins --input=%t.is.npy --input=%t.zs.npy --target=gpu-emulate | FileCheck %s --check-prefix=BINS
// RUN: ad-opt run %s --entry=bins --input=%t.nowhere.npy --input=%t.none.npy --target=gpu-emulate | FileCheck %s --check-prefix=EMPTY
// RUN: ad-opt run %s --entry=squares --input=%t.zs.npy --input=%t.start.npy --target=gpu-emulate | FileCheck %s --check-prefix=SQUARES
// RUN: ad-opt run %s --entry=squares --input=%t.none.npy --input=%t.start.npy --target=gpu-emulate | FileCheck %s --check-prefix=START
// RUN: ad-opt run %s --entry=rows --input=%t.rows.npy --target=gpu-emulate | FileCheck %s --check-prefix=ROWS
// RUN: ad-opt run %s --entry=gradient --input=%t.start.npy --input=%t.is.npy | FileCheck %s --check-prefix=GRADIENT
// RUN: ad-opt run %s --entry=gradient --input=%t.start.npy --input=%t.is.npy --target=gpu-emulate | FileCheck %s --check-prefix=GRADIENT

// A histogram of zeros at first: its parts are zeros, too. Place 5 is nowhere.
// CHECK-LABEL: func.func @bins(
// CHECK: %[[PARTS:.*]] = bufferization.alloc_tensor() : tensor<3x2xf64>
// CHECK: %[[ZEROS:.*]] = linalg.fill ins(%{{.*}} : f64) outs(%[[PARTS]]
// CHECK: %[[BUFFER:.*]] = bufferization.to_buffer %[[ZEROS]] : tensor<3x2xf64> to memref<3x2xf64>
// CHECK: scf.forall
// CHECK: %[[RE:.*]] = complex.re %[[Z:.*]] :
// CHECK: %[[IM:.*]] = complex.im %[[Z]] :
// CHECK: memref.atomic_rmw addf %[[RE]], %[[BUFFER]][%[[AT:.*]], %c0]
// CHECK: memref.atomic_rmw addf %[[IM]], %[[BUFFER]][%[[AT]], %c1]
// CHECK: bufferization.to_tensor %[[BUFFER]] restrict writable
// CHECK: scf.forall
// CHECK: complex.create
// BINS: [1.5+2.5j, 0.0+0.0j, 2.0-1.0j]
// EMPTY: [0.0+0.0j, 0.0+0.0j, 0.0+0.0j]
func.func @bins(%is: tensor<?xi64>, %zs: tensor<?xcomplex<f64>>) -> tensor<3xcomplex<f64>> {
  %zero = complex.constant [0.0, 0.0] : complex<f64>
  %empty = tensor.empty() : tensor<3xcomplex<f64>>
  %zeros = linalg.fill ins(%zero : complex<f64>) outs(%empty : tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f64>>
  %h = soac.hist at(%is : tensor<?xi64>) ins(%zs : tensor<?xcomplex<f64>>) into(%zeros : tensor<3xcomplex<f64>>)
      neutral(%zero : complex<f64>) (%l: complex<f64>, %r: complex<f64>) {
    %s = complex.add %l, %r : complex<f64>
    soac.yield %s : complex<f64>
  }
  return %h : tensor<3xcomplex<f64>>
}

// The square of number i is added to element i mod 3.
// CHECK-LABEL: func.func @squares(
// CHECK: scf.forall
// CHECK: complex.re
// CHECK: memref.atomic_rmw addf
// CHECK: memref.atomic_rmw addf
// SQUARES: [3.0+5.0j, 29.0-6.0j, 30.0-0.5j]
// START: [10.0+1.0j, 20.0+0.0j, 30.0-1.0j]
func.func @squares(%zs: tensor<?xcomplex<f64>>, %start: tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f64>> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %zs, %c0 : tensor<?xcomplex<f64>>
  %r = soac.with_acc ins(%start : tensor<3xcomplex<f64>>) (%acc: !soac.acc<tensor<3xcomplex<f64>>>) -> tensor<3xcomplex<f64>> {
    %numbers = soac.iota %n : tensor<?xindex>
    %w = soac.map ins(%zs, %numbers : tensor<?xcomplex<f64>>, tensor<?xindex>) accs(%acc : !soac.acc<tensor<3xcomplex<f64>>>)
        (%z: complex<f64>, %i: index, %a: !soac.acc<tensor<3xcomplex<f64>>>) -> !soac.acc<tensor<3xcomplex<f64>>> {
      %k = arith.remui %i, %c3 : index
      %zz = complex.mul %z, %z : complex<f64>
      %b = soac.update_acc %a[%k], %zz : !soac.acc<tensor<3xcomplex<f64>>>, complex<f64>
      soac.yield %b : !soac.acc<tensor<3xcomplex<f64>>>
    }
    soac.yield %w : !soac.acc<tensor<3xcomplex<f64>>>
  }
  return %r : tensor<3xcomplex<f64>>
}

// Rows of single precision, all added twice to the first one.
// ROWS: {{\[}}[19.0+19.0j, 26.0+2.0j],
// ROWS-NEXT: [3.0+3.0j, 4.0+4.0j],
// ROWS-NEXT: [5.0+5.0j, 6.0-6.0j]]
func.func @rows(%zs: tensor<?x2xcomplex<f32>>) -> tensor<?x2xcomplex<f32>> {
  %c0 = arith.constant 0 : index
  %two = complex.constant [2.0 : f32, 0.0 : f32] : complex<f32>
  %r = soac.with_acc ins(%zs : tensor<?x2xcomplex<f32>>) (%acc: !soac.acc<tensor<?x2xcomplex<f32>>>) -> tensor<?x2xcomplex<f32>> {
    %w = soac.map ins(%zs : tensor<?x2xcomplex<f32>>) accs(%acc : !soac.acc<tensor<?x2xcomplex<f32>>>)
        (%row: tensor<2xcomplex<f32>>, %a: !soac.acc<tensor<?x2xcomplex<f32>>>) -> !soac.acc<tensor<?x2xcomplex<f32>>> {
      %twice = soac.map ins(%row : tensor<2xcomplex<f32>>) (%z: complex<f32>) -> tensor<2xcomplex<f32>> {
        %y = complex.mul %z, %two : complex<f32>
        soac.yield %y : complex<f32>
      }
      %b = soac.update_acc %a[%c0], %twice : !soac.acc<tensor<?x2xcomplex<f32>>>, tensor<2xcomplex<f32>>
      soac.yield %b : !soac.acc<tensor<?x2xcomplex<f32>>>
    }
    soac.yield %w : !soac.acc<tensor<?x2xcomplex<f32>>>
  }
  return %r : tensor<?x2xcomplex<f32>>
}

func.func @picked(%zs: tensor<3xcomplex<f64>>, %is: tensor<?xi64>) -> tensor<?xcomplex<f64>> {
  %c3 = arith.constant 3 : index
  %picked = soac.map ins(%is : tensor<?xi64>) (%place: i64) -> tensor<?xcomplex<f64>> {
    %i = arith.index_cast %place : i64 to index
    %k = arith.remui %i, %c3 : index
    %z = tensor.extract %zs[%k] : tensor<3xcomplex<f64>>
    %zz = complex.mul %z, %z : complex<f64>
    soac.yield %zz : complex<f64>
  }
  return %picked : tensor<?xcomplex<f64>>
}

// Reads of one element by several threads are updates of one cotangent: places 0, 2, 0, 2, 2 with the seed 1 in all.
// The derivative of z z is 2 z, so that the cotangents are 2 (20 + 2i), 0 and 3 (60 - 2i).
// GRADIENT: [40.0+4.0j, 0.0+0.0j, 180.0-6.0j]
func.func @gradient(%zs: tensor<3xcomplex<f64>>, %is: tensor<?xi64>) -> tensor<3xcomplex<f64>> {
  %one = complex.constant [1.0, 0.0] : complex<f64>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %is, %c0 : tensor<?xi64>
  %empty = tensor.empty(%n) : tensor<?xcomplex<f64>>
  %ones = linalg.fill ins(%one : complex<f64>) outs(%empty : tensor<?xcomplex<f64>>) -> tensor<?xcomplex<f64>>
  %ys, %zs_bar = ad.vjp @picked(%zs, %is) seed(%ones) {wrt = array<i64: 0>}
      : (tensor<3xcomplex<f64>>, tensor<?xi64>), (tensor<?xcomplex<f64>>) -> (tensor<?xcomplex<f64>>, tensor<3xcomplex<f64>>)
  return %zs_bar : tensor<3xcomplex<f64>>
}
