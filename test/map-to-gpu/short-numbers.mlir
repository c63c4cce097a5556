// Memory updates numbers of 32 and 64 bits. Shorter ones, and indices, lie in what is updated as these (F45).
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,canonicalize,cse)' | FileCheck %s
// RUN: %python %S/../driver/Inputs/npy.py %t.is.npy '<i8' '(6,)' 0 2 0 5 2 2
// RUN: %python %S/../driver/Inputs/npy.py %t.xs.npy '<f2' '(6,)' 1.5 2 -0.25 9 1024 0.25
// RUN: %python %S/../driver/Inputs/npy.py %t.ks.npy '<i1' '(6,)' 100 -1 100 9 3 -128
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<i8' '(0,)'
// RUN: %python %S/../driver/Inputs/npy.py %t.no_xs.npy '<f2' '(0,)'
// RUN: %python %S/../bench/Inputs/random_npy.py %t.many.npy '<i8' '(5000,)' 0 40 1
// RUN: %python %S/../bench/Inputs/random_npy.py %t.bytes.npy '<i1' '(5000,)' -128 127 2
// DEFINE: %{halves} = ad-opt run %s --entry=halves --input=%t.is.npy --input=%t.xs.npy
// RUN: %{halves} | FileCheck %s --check-prefix=HALVES
// RUN: %{halves} --target=gpu-emulate | FileCheck %s --check-prefix=HALVES
// RUN: ad-opt run %s --entry=halves --input=%t.none.npy --input=%t.no_xs.npy --target=gpu-emulate | FileCheck %s --check-prefix=START
// DEFINE: %{bytes} = ad-opt run %s --entry=bytes --input=%t.is.npy --input=%t.ks.npy
// RUN: %{bytes} | FileCheck %s --check-prefix=BYTES
// RUN: %{bytes} --target=gpu-emulate | FileCheck %s --check-prefix=BYTES
// DEFINE: %{indices} = ad-opt run %s --entry=indices --input=%t.is.npy
// RUN: %{indices} | FileCheck %s --check-prefix=INDICES
// RUN: %{indices} --target=gpu-emulate | FileCheck %s --check-prefix=INDICES
// DEFINE: %{slopes} = ad-opt run %s --entry=slopes --input=%t.xs.npy --input=%t.is.npy
// RUN: %{slopes} | FileCheck %s --check-prefix=SLOPES
// RUN: %{slopes} --target=gpu-emulate | FileCheck %s --check-prefix=SLOPES
// So many that blocks have bins of their own: all four operators, in the same order of threads or another.
// DEFINE: %{many} = ad-opt run %s --entry=bytes --input=%t.many.npy --input=%t.bytes.npy
// RUN: %{many} > %t.cpu && %{many} --target=gpu-emulate --emulate-seed=3 > %t.gpu && cmp %t.cpu %t.gpu

// In half precision 1024 + 2 + 0.25 is 1026: with each sum rounded it is, too, in this order. The number 20 with its parts
// and what is at place 5, which is nowhere, stay.
// CHECK-LABEL: func.func @halves(
// CHECK: %[[BUFFER:.*]] = bufferization.to_buffer %{{.*}} : tensor<3xf32> to memref<3xf32>
// CHECK: %[[OWN:.*]] = memref.alloc() : memref<4096xf32>
// CHECK: %[[SHORT:.*]] = arith.extf %{{.*}} : f16 to f32
// CHECK: memref.atomic_rmw addf %[[SHORT]], %[[OWN]]
// CHECK: %[[WIDE:.*]] = memref.load %[[OWN]]
// CHECK: memref.atomic_rmw addf %[[WIDE]], %[[BUFFER]]
// CHECK: bufferization.to_tensor %[[BUFFER]] restrict writable
// CHECK: arith.truncf %{{.*}} : f32 to f16
// HALVES: [1.25, 20.0, 1026.0]
// HALVES: [1.25+2.0j, 0.0+0.0j, 1026.0+3.0j]
// START: [0.0, 20.0, 0.0]
// START: [0.0+0.0j, 0.0+0.0j, 0.0+0.0j]
func.func @halves(%is: tensor<?xi64>, %xs: tensor<?xf16>) -> (tensor<3xf16>, tensor<3xcomplex<f32>>) {
  %zero = arith.constant 0.0 : f16
  %start = arith.constant dense<[0.0, 20.0, 0.0]> : tensor<3xf16>
  %h = soac.hist at(%is : tensor<?xi64>) ins(%xs : tensor<?xf16>) into(%start : tensor<3xf16>) neutral(%zero : f16) (%l: f16, %r: f16) {
    %s = arith.addf %l, %r : f16
    soac.yield %s : f16
  }
  %none = complex.constant [0.0 : f16, 0.0 : f16] : complex<f16>
  %zs = soac.map ins(%xs : tensor<?xf16>) (%x: f16) -> tensor<?xcomplex<f16>> {
    %one = arith.constant 1.0 : f16
    %z = complex.create %x, %one : complex<f16>
    soac.yield %z : complex<f16>
  }
  %empty = tensor.empty() : tensor<3xcomplex<f16>>
  %places = linalg.fill ins(%none : complex<f16>) outs(%empty : tensor<3xcomplex<f16>>) -> tensor<3xcomplex<f16>>
  %twice = soac.hist at(%is : tensor<?xi64>) ins(%zs : tensor<?xcomplex<f16>>) into(%places : tensor<3xcomplex<f16>>)
      neutral(%none : complex<f16>) (%l: complex<f16>, %r: complex<f16>) {
    %s = complex.add %l, %r : complex<f16>
    soac.yield %s : complex<f16>
  }
  %wide = soac.map ins(%twice : tensor<3xcomplex<f16>>) (%z: complex<f16>) -> tensor<3xcomplex<f32>> {
    %re = complex.re %z : complex<f16>
    %im = complex.im %z : complex<f16>
    %a = arith.extf %re : f16 to f32
    %b = arith.extf %im : f16 to f32
    %w = complex.create %a, %b : complex<f32>
    soac.yield %w : complex<f32>
  }
  return %h, %wide : tensor<3xf16>, tensor<3xcomplex<f32>>
}

// Modulo 256: 100 + 100 is -56, -1 + 3 - 128 is -126, and the product of 100 and 100 is 16. Unsigned, the greatest of -1,
// 3 and -128 is -1.
// BYTES: [-56, 0, -126
// BYTES: [16, 1, -128
// BYTES: [100, -128, 3
// BYTES: [100, 0, -1
func.func @bytes(%is: tensor<?xi64>, %ks: tensor<?xi8>) -> (tensor<40xi8>, tensor<40xi8>, tensor<40xi8>, tensor<40xi8>) {
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %least = arith.constant -128 : i8
  %zeros = tensor.splat %zero : tensor<40xi8>
  %ones = tensor.splat %one : tensor<40xi8>
  %leasts = tensor.splat %least : tensor<40xi8>
  %sums = soac.hist at(%is : tensor<?xi64>) ins(%ks : tensor<?xi8>) into(%zeros : tensor<40xi8>) neutral(%zero : i8) (%l: i8, %r: i8) {
    %s = arith.addi %l, %r : i8
    soac.yield %s : i8
  }
  %products = soac.hist at(%is : tensor<?xi64>) ins(%ks : tensor<?xi8>) into(%ones : tensor<40xi8>) neutral(%one : i8) (%l: i8, %r: i8) {
    %s = arith.muli %l, %r : i8
    soac.yield %s : i8
  }
  %greatest = soac.hist at(%is : tensor<?xi64>) ins(%ks : tensor<?xi8>) into(%leasts : tensor<40xi8>) neutral(%least : i8) (%l: i8, %r: i8) {
    %s = arith.maxsi %l, %r : i8
    soac.yield %s : i8
  }
  %unsigned = soac.hist at(%is : tensor<?xi64>) ins(%ks : tensor<?xi8>) into(%zeros : tensor<40xi8>) neutral(%zero : i8) (%l: i8, %r: i8) {
    %s = arith.maxui %l, %r : i8
    soac.yield %s : i8
  }
  return %sums, %products, %greatest, %unsigned : tensor<40xi8>, tensor<40xi8>, tensor<40xi8>, tensor<40xi8>
}

// How often a place is named, as indices, and whether that is odd.
// CHECK-LABEL: func.func @indices(
// CHECK: memref.atomic_rmw addi %{{.*}} : (i64, memref<3xi64>) -> i64
// CHECK: memref.atomic_rmw addi %{{.*}} : (i32, memref<3xi32>) -> i32
// INDICES: [2, 0, 3]
// INDICES: [false, false, true]
func.func @indices(%is: tensor<?xi64>) -> (tensor<3xindex>, tensor<3xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %no = arith.constant false
  %yes = arith.constant true
  %n = tensor.dim %is, %c0 : tensor<?xi64>
  %ones = tensor.splat %c1[%n] : tensor<?xindex>
  %zeros = tensor.splat %c0 : tensor<3xindex>
  %counts = soac.hist at(%is : tensor<?xi64>) ins(%ones : tensor<?xindex>) into(%zeros : tensor<3xindex>) neutral(%c0 : index) (%l: index, %r: index) {
    %s = arith.addi %l, %r : index
    soac.yield %s : index
  }
  %bits = tensor.splat %yes[%n] : tensor<?xi1>
  %even = tensor.splat %no : tensor<3xi1>
  %odd = soac.hist at(%is : tensor<?xi64>) ins(%bits : tensor<?xi1>) into(%even : tensor<3xi1>) neutral(%no : i1) (%l: i1, %r: i1) {
    %s = arith.addi %l, %r : i1
    soac.yield %s : i1
  }
  return %counts, %odd : tensor<3xindex>, tensor<3xi1>
}

func.func @picked(%xs: tensor<6xbf16>, %is: tensor<?xi64>) -> tensor<?xbf16> {
  %c6 = arith.constant 6 : index
  %ys = soac.map ins(%is : tensor<?xi64>) (%place: i64) -> tensor<?xbf16> {
    %i = arith.index_cast %place : i64 to index
    %k = arith.remui %i, %c6 : index
    %x = tensor.extract %xs[%k] : tensor<6xbf16>
    %y = arith.mulf %x, %x : bf16
    soac.yield %y : bf16
  }
  return %ys : tensor<?xbf16>
}

// Several threads read one element: their updates of its cotangent. Twice 1.5 twice, -0.25 three times, and 0.25 once.
// SLOPES: [6.0, 0.0, -1.5, 0.0, 0.0, 0.5]
func.func @slopes(%xs: tensor<6xf16>, %is: tensor<?xi64>) -> tensor<6xf32> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : bf16
  %n = tensor.dim %is, %c0 : tensor<?xi64>
  %wide = arith.extf %xs : tensor<6xf16> to tensor<6xf32>
  %short = arith.truncf %wide : tensor<6xf32> to tensor<6xbf16>
  %seed = tensor.splat %one[%n] : tensor<?xbf16>
  %ys, %bar = ad.vjp @picked(%short, %is) seed(%seed) {wrt = array<i64: 0>}
      : (tensor<6xbf16>, tensor<?xi64>), (tensor<?xbf16>) -> (tensor<?xbf16>, tensor<6xbf16>)
  %result = arith.extf %bar : tensor<6xbf16> to tensor<6xf32>
  return %result : tensor<6xf32>
}
