// Histograms of extrema with their places have updates that memory has, first of the values, then of the places.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,canonicalize,cse)' | FileCheck %s
// DEFINE: %{run} =
// DEFINE: %{same} = ad-opt run %s %{run} > %t.cpu && ad-opt run %s %{run} --target=gpu-emulate > %t.gpu && diff %t.cpu %t.gpu
// DEFINE: %{npy} = %python %S/../driver/Inputs/npy.py
// RUN: %{npy} %t.at.npy '<i8' '(12,)' 0 0 1 1 2 2 3 3 4 -1 7 0
// RUN: %{npy} %t.vs.npy '<f8' '(12,)' 2.0 5.0 -0.0 0.0 nan 1.0 1.0 nan 3.0 9.0 9.0 5.0
// RUN: %{npy} %t.hs.npy '<f8' '(6,)' 1.0 -inf -inf 4.0 3.0 0.5
// RUN: %{npy} %t.ks.npy '<i8' '(6,)' -1 -1 -1 -2 -3 -4
// REDEFINE: %{run} = --entry=largest --input=%t.at.npy --input=%t.vs.npy --input=%t.hs.npy --input=%t.ks.npy
// RUN: %{same}
// RUN: ad-opt run %s %{run} --target=gpu-emulate | FileCheck %s --check-prefix=LARGEST
// The first of equal ones, also of zeros and of NaNs; what the bin had before all others; places out of range nowhere.
// LARGEST: [5.0, 0.0, nan, nan, 3.0, 0.5]
// LARGEST-NEXT: [1, 2, 4, 7, -3, -4]
// RUN: %{npy} %t.none.npy '<i8' '(0,)'
// RUN: %{npy} %t.empty.npy '<f8' '(0,)'
// REDEFINE: %{run} = --entry=largest --input=%t.none.npy --input=%t.empty.npy --input=%t.hs.npy --input=%t.ks.npy
// RUN: %{same}
// Values that a map makes, and enough of them for bins in shared memory.
// REDEFINE: %{run} = --entry=least --input=5000 --input=13
// RUN: %{same}
// REDEFINE: %{run} = --entry=least --input=1 --input=1
// RUN: %{same}

// CHECK-LABEL: func.func @largest(
// CHECK: memref.atomic_rmw maximumf
// CHECK: %[[BEST:.*]] = bufferization.to_tensor
// CHECK: %[[PLACES:.*]] = bufferization.to_buffer %{{.*}} : tensor<?xi64> to memref<?xi64>
// CHECK: scf.forall
// CHECK: scf.if
// CHECK: memref.atomic_rmw mins %{{.*}}, %[[PLACES]][
// CHECK: scf.forall {{.*}} shared_outs
// CHECK: arith.select
// CHECK: return
func.func @largest(%at: tensor<?xi64>, %vs: tensor<?xf64>, %hs: tensor<?xf64>, %ks: tensor<?xindex>) -> (tensor<?xf64>, tensor<?xindex>) {
  %c0 = arith.constant 0 : index
  %least = arith.constant 0xFFF0000000000000 : f64
  %none = arith.constant -1 : index
  %n = tensor.dim %vs, %c0 : tensor<?xf64>
  %is = soac.iota %n : tensor<?xindex>
  %h:2 = soac.hist at(%at : tensor<?xi64>) ins(%vs, %is : tensor<?xf64>, tensor<?xindex>) into(%hs, %ks : tensor<?xf64>, tensor<?xindex>)
      neutral(%least, %none : f64, index) (%v: f64, %i: index, %w: f64, %j: index) {
    %w_nan = arith.cmpf uno, %w, %w : f64
    %v_number = arith.cmpf ord, %v, %v : f64
    %only_nan = arith.andi %w_nan, %v_number : i1
    %larger = arith.cmpf ogt, %w, %v : f64
    %wins = arith.ori %larger, %only_nan : i1
    %value = arith.maximumf %v, %w : f64
    %place = arith.select %wins, %j, %i : index
    soac.yield %value, %place : f64, index
  }
  return %h#0, %h#1 : tensor<?xf64>, tensor<?xindex>
}

// CHECK-LABEL: func.func @least(
// CHECK: memref.atomic_rmw minnumf
// CHECK: memref.atomic_rmw mins
func.func @least(%n: index, %m: index) -> (tensor<?xi64>, tensor<?xf64>) {
  %inf = arith.constant 0x7FF0000000000000 : f64
  %none = arith.constant -1 : i64
  %c101 = arith.constant 101 : index
  %c7919 = arith.constant 7919 : index
  %is = soac.iota %n : tensor<?xindex>
  %numbers = soac.iota %n : tensor<?xi64>
  %at, %vs = soac.map ins(%is : tensor<?xindex>) (%i: index) -> (tensor<?xindex>, tensor<?xf64>) {
    %bin = arith.remui %i, %m : index
    %product = arith.muli %i, %c7919 : index
    %rest = arith.remui %product, %c101 : index
    %integer = arith.index_cast %rest : index to i64
    %v = arith.sitofp %integer : i64 to f64
    soac.yield %bin, %v : index, f64
  }
  %hs = soac.replicate %inf, %m : f64 -> tensor<?xf64>
  %ks = soac.replicate %none, %m : i64 -> tensor<?xi64>
  %h:2 = soac.hist at(%at : tensor<?xindex>) ins(%numbers, %vs : tensor<?xi64>, tensor<?xf64>) into(%ks, %hs : tensor<?xi64>, tensor<?xf64>)
      neutral(%none, %inf : i64, f64) (%i: i64, %v: f64, %j: i64, %w: f64) {
    %v_nan = arith.cmpf uno, %v, %v : f64
    %w_number = arith.cmpf ord, %w, %w : f64
    %only_number = arith.andi %v_nan, %w_number : i1
    %smaller = arith.cmpf olt, %w, %v : f64
    %wins = arith.ori %smaller, %only_number : i1
    %value = arith.minnumf %v, %w : f64
    %place = arith.select %wins, %j, %i : i64
    soac.yield %place, %value : i64, f64
  }
  return %h#0, %h#1 : tensor<?xi64>, tensor<?xf64>
}
