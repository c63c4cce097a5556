// Histograms and scatters have a thread for each value.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,canonicalize,cse)' | FileCheck %s
// RUN: %python %S/../driver/Inputs/npy.py %t.at.npy '<i8' '(6,)' 0 2 0 -1 3 2
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<i8' '(0,)'
// RUN: %python %S/../driver/Inputs/npy.py %t.f4.npy '<f4' '(6,)' 1 2 3 4 5 6
// RUN: %python %S/../driver/Inputs/npy.py %t.f4-none.npy '<f4' '(0,)'
// RUN: %python %S/../driver/Inputs/npy.py %t.f4-dest.npy '<f4' '(3,)' 10 20 30
// RUN: %python %S/../driver/Inputs/npy.py %t.f8.npy '<f8' '(6,)' 1 2 3 4 5 6
// RUN: %python %S/../driver/Inputs/npy.py %t.f8-none.npy '<f8' '(0,)'
// RUN: %python %S/../driver/Inputs/npy.py %t.f8-dest.npy '<f8' '(3,)' 10 20 30
// RUN: %python %S/../driver/Inputs/npy.py %t.i8-dest.npy '<i8' '(3,)' 1 3 5
// RUN: ad-opt run %s --entry=sums --input=%t.at.npy --input=%t.f4.npy --input=%t.f4-dest.npy --target=gpu-emulate | FileCheck %s --check-prefix=SUMS
// RUN: ad-opt run %s --entry=sums --input=%t.none.npy --input=%t.f4-none.npy --input=%t.f4-dest.npy --target=gpu-emulate | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %s --entry=scatter --input=%t.at.npy --input=%t.f8.npy --input=%t.f8-dest.npy --target=gpu-emulate | FileCheck %s --check-prefix=SCATTER
// RUN: ad-opt run %s --entry=scatter --input=%t.none.npy --input=%t.f8-none.npy --input=%t.f8-dest.npy --target=gpu-emulate | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %s --entry=clear --input=%t.at.npy --input=%t.f8-dest.npy --target=gpu-emulate | FileCheck %s --check-prefix=CLEAR
// RUN: ad-opt run %s --entry=each --input=%t.f8.npy --input=%t.f8-dest.npy --target=gpu-emulate | FileCheck %s --check-prefix=EACH
// RUN: ad-opt run %s --entry=numbers --input=%t.at.npy --input=%t.i8-dest.npy --target=gpu-emulate | FileCheck %s --check-prefix=IOTA
// RUN: ad-opt run %s --entry=products --input=0 --input=%t.i8-dest.npy --target=gpu-emulate | FileCheck %s --check-prefix=PRODUCTS0
// RUN: ad-opt run %s --entry=products --input=1 --input=%t.i8-dest.npy --target=gpu-emulate | FileCheck %s --check-prefix=PRODUCTS1
// RUN: ad-opt run %s --entry=products --input=6 --input=%t.i8-dest.npy --target=gpu-emulate | FileCheck %s --check-prefix=PRODUCTS6
// RUN: ad-opt run %s --entry=products --input=1025 --input=%t.i8-dest.npy --target=gpu-emulate | FileCheck %s --check-prefix=PRODUCTS1025
// RUN: ad-opt run %s --entry=greatest --input=0 --target=gpu-emulate | FileCheck %s --check-prefix=GREATEST0
// RUN: ad-opt run %s --entry=greatest --input=1 --target=gpu-emulate | FileCheck %s --check-prefix=GREATEST1
// RUN: ad-opt run %s --entry=greatest --input=257 --target=gpu-emulate | FileCheck %s --check-prefix=GREATEST257
// RUN: ad-opt run %s --entry=greatest --input=1025 --target=gpu-emulate | FileCheck %s --check-prefix=GREATEST1025
// RUN: ad-opt run %s --entry=greatest --input=100000 --target=gpu-emulate --repeat=1 2>&1 >%t.100000 | FileCheck %s --check-prefix=LAUNCHES
// RUN: FileCheck %s --check-prefix=GREATEST1025 < %t.100000
// RUN: ad-opt run %s --entry=scatter_many --input=0 --input=%t.i8-dest.npy --target=gpu-emulate | FileCheck %s --check-prefix=SCATTER-MANY0
// RUN: ad-opt run %s --entry=scatter_many --input=1 --input=%t.i8-dest.npy --target=gpu-emulate | FileCheck %s --check-prefix=SCATTER-MANY1
// RUN: ad-opt run %s --entry=scatter_many --input=257 --input=%t.i8-dest.npy --target=gpu-emulate | FileCheck %s --check-prefix=SCATTER-MANY257
// RUN: ad-opt run %s --entry=scatter_many --input=1025 --input=%t.i8-dest.npy --target=gpu-emulate | FileCheck %s --check-prefix=SCATTER-MANY1025

// An update of a bin is atomic. Nothing is read for values without a bin.
// CHECK-LABEL: func.func @sums(
// CHECK-SAME: %[[AT:[a-z0-9]+]]: tensor<?xindex> {ad.unchanged}, %[[VS:[a-z0-9]+]]: tensor<?xf32> {ad.unchanged}, %[[DEST:[a-z0-9]+]]: tensor<?xf32>
// CHECK-NOT: soac.
// CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[DEST]])
// CHECK: %[[BUFFER:.*]] = bufferization.to_buffer %[[COPY]]
// CHECK: %[[BINS:.*]] = tensor.dim %[[DEST]]
// CHECK: } else {
// CHECK: scf.forall (%[[I:.*]]) in
// CHECK: %[[K:.*]] = tensor.extract %[[AT]][%[[I]]]
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[K]], %[[BINS]]
// CHECK: scf.if %[[INSIDE]] {
// CHECK-NEXT: %[[V:.*]] = tensor.extract %[[VS]][%[[I]]]
// CHECK-NEXT: memref.atomic_rmw addf %[[V]], %[[BUFFER]][%[[K]]]
// CHECK: %[[RESULT:.*]] = bufferization.to_tensor %[[BUFFER]] restrict writable
// CHECK: return %[[RESULT]]
// SUMS: [14.0, 20.0, 38.0]
// NONE: [10.0, 20.0, 30.0]
func.func @sums(%at: tensor<?xindex>, %vs: tensor<?xf32>, %dest: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %h = soac.hist at(%at : tensor<?xindex>) ins(%vs : tensor<?xf32>) into(%dest : tensor<?xf32>) neutral(%zero : f32) (%l: f32, %r: f32) {
    %s = arith.addf %l, %r : f32
    soac.yield %s : f32
  }
  return %h : tensor<?xf32>
}

// Every fourth value is out of range.
// CHECK-LABEL: func.func @products(
// CHECK-NOT: soac.
// CHECK: scf.forall
// CHECK: memref.atomic_rmw muli %c-1_i64,
// PRODUCTS0: [1, 3, 5]
// PRODUCTS1: [-1, 3, 5]
// PRODUCTS6: [1, 3, -5]
// PRODUCTS1025: [-1, 3, 5]
func.func @products(%n: index, %dest: tensor<3xi64>) -> tensor<3xi64> {
  %one = arith.constant 1 : i64
  %minus = arith.constant -1 : i64
  %c4 = arith.constant 4 : index
  %is = soac.iota %n : tensor<?xindex>
  %at = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xindex> {
    %k = arith.remui %i, %c4 : index
    soac.yield %k : index
  }
  %factors = soac.replicate %minus, %n : i64 -> tensor<?xi64>
  %h = soac.hist at(%at : tensor<?xindex>) ins(%factors : tensor<?xi64>) into(%dest : tensor<3xi64>) neutral(%one : i64) (%l: i64, %r: i64) {
    %s = arith.muli %l, %r : i64
    soac.yield %s : i64
  }
  return %h : tensor<3xi64>
}

// Memory has no operator for the first greatest value and its number: threads have bins of their own, which are combined in
// order, by a block for each bin or, where there are few, a thread. So it is in two launches, also with values for 781 threads.
// CHECK-LABEL: func.func @greatest(
// CHECK-NOT: memref.atomic_rmw
// CHECK: %[[ALL:.*]]:2 = scf.forall (%[[T:.*]]) in (%[[COUNT:.*]]) shared_outs(%[[VALUES:.*]] = %{{.*}}, %[[PLACES:.*]] = %{{.*}}) -> (tensor<?x2xi64>, tensor<?x2xi64>) {
// CHECK: %[[OWN:.*]]:2 = soac.hist
// CHECK: tensor.parallel_insert_slice %[[OWN]]#0 into %[[VALUES]][%[[T]], 0] [1, 2] [1, 1]
// CHECK: tensor.parallel_insert_slice %[[OWN]]#1 into %[[PLACES]][%[[T]], 0] [1, 2] [1, 1]
// CHECK: %[[MANY:.*]] = arith.cmpi sge, %[[COUNT]], %c64
// CHECK: scf.if %[[MANY]]
// CHECK: scf.forall (%[[BIN:.*]]) in (2)
// CHECK: scf.forall {{.*}} in (256)
// CHECK: tensor.extract %[[ALL]]#0[%{{.*}}, %[[BIN]]]
// CHECK: } {mapping = [#gpu.block<linear_dim_0>]}
// CHECK: } else {
// CHECK: scf.forall (%[[BIN:.*]]) in (2)
// CHECK: soac.iota %[[COUNT]]
// CHECK: soac.reduce
// CHECK-NOT: memref.atomic_rmw
// CHECK: return
// GREATEST0: [-1, -1]
// GREATEST0-NEXT: [-1, -1]
// GREATEST1: [0, -1]
// GREATEST1-NEXT: [0, -1]
// GREATEST257: [4, 4]
// GREATEST257-NEXT: [4, 9]
// GREATEST1025: [4, 4]
// GREATEST1025-NEXT: [4, 9]
// LAUNCHES: "launches":2,
func.func @greatest(%n: index) -> (tensor<2xi64>, tensor<2xi64>) {
  %least = arith.constant -1 : i64
  %c5 = arith.constant 5 : i64
  %c2 = arith.constant 2 : index
  %is = soac.iota %n : tensor<?xindex>
  %none = tensor.splat %least : tensor<2xi64>
  %at, %vs, %ks = soac.map ins(%is : tensor<?xindex>) (%i: index) -> (tensor<?xindex>, tensor<?xi64>, tensor<?xi64>) {
    %bin = arith.remui %i, %c2 : index
    %k = arith.index_cast %i : index to i64
    %v = arith.remui %k, %c5 : i64
    soac.yield %bin, %v, %k : index, i64, i64
  }
  %h:2 = soac.hist at(%at : tensor<?xindex>) ins(%vs, %ks : tensor<?xi64>, tensor<?xi64>) into(%none, %none : tensor<2xi64>, tensor<2xi64>) neutral(%least, %least : i64, i64)
      (%v: i64, %i: i64, %w: i64, %j: i64) {
    %keeps = arith.cmpi sge, %v, %w : i64
    %value = arith.select %keeps, %v, %w : i64
    %place = arith.select %keeps, %i, %j : i64
    soac.yield %value, %place : i64, i64
  }
  return %h#0, %h#1 : tensor<2xi64>, tensor<2xi64>
}

// Three kernels: the last value for each place is found first, and written then.
// CHECK-LABEL: func.func @scatter(
// CHECK-NOT: soac.
// CHECK: %[[BUFFER:.*]] = bufferization.to_buffer %{{.*}} : tensor<?xf64> to memref<?xf64>
// CHECK: %[[NUMBERS:.*]] = bufferization.alloc_tensor({{.*}}) : tensor<?xi64>
// CHECK: %[[LAST:.*]] = bufferization.to_buffer %[[NUMBERS]]
// CHECK: scf.forall
// CHECK: memref.atomic_rmw assign %c-1_i64, %[[LAST]][
// CHECK: scf.forall (%[[I:.*]]) in
// CHECK: %[[NUMBER:.*]] = arith.index_cast %[[I]] : index to i64
// CHECK: memref.atomic_rmw maxs %[[NUMBER]], %[[LAST]][
// CHECK: scf.forall (%[[J:.*]]) in
// CHECK: %[[WINNER:.*]] = tensor.extract %[[NUMBERS]][
// CHECK: %[[OWN:.*]] = arith.index_cast %[[J]] : index to i64
// CHECK: %[[WINS:.*]] = arith.cmpi eq, %[[WINNER]], %[[OWN]]
// CHECK: scf.if %[[WINS]] {
// CHECK-NEXT: memref.store %{{.*}}, %[[BUFFER]][
// CHECK: bufferization.to_tensor %[[BUFFER]] restrict writable
// SCATTER: [3.0, 20.0, 6.0]
func.func @scatter(%at: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<?xf64>) -> tensor<?xf64> {
  %r = soac.scatter at(%at : tensor<?xindex>) ins(%vs : tensor<?xf64>) into(%dest : tensor<?xf64>)
  return %r : tensor<?xf64>
}

// One kernel where all values are one number, of 64 bits: it does not matter who writes last.
// CHECK-LABEL: func.func @clear(
// CHECK: scf.forall
// CHECK: memref.atomic_rmw assign
// CHECK-NOT: scf.forall
// CHECK: return
// CLEAR: [0.0, 20.0, 0.0]
func.func @clear(%at: tensor<?xindex>, %dest: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %at, %c0 : tensor<?xindex>
  %vs = soac.replicate %zero, %n : f64 -> tensor<?xf64>
  %r = soac.scatter at(%at : tensor<?xindex>) ins(%vs : tensor<?xf64>) into(%dest : tensor<?xf64>)
  return %r : tensor<?xf64>
}

// And where each place gets one value at most.
// CHECK-LABEL: func.func @each(
// CHECK: scf.forall
// CHECK: memref.store
// CHECK-NOT: scf.forall
// CHECK: return
// EACH: [1.0, 2.0, 3.0]
func.func @each(%vs: tensor<?xf64>, %dest: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %vs, %c0 : tensor<?xf64>
  %at = soac.iota %n : tensor<?xindex>
  %r = soac.scatter at(%at : tensor<?xindex>) ins(%vs : tensor<?xf64>) into(%dest : tensor<?xf64>)
  return %r : tensor<?xf64>
}

// Two kernels for the numbers of values, of which the last one is the greatest.
// CHECK-LABEL: func.func @numbers(
// CHECK: scf.forall
// CHECK: memref.atomic_rmw assign
// CHECK: scf.forall
// CHECK: memref.atomic_rmw maxs
// CHECK-NOT: scf.forall
// CHECK: return
// IOTA: [2, 3, 5]
func.func @numbers(%at: tensor<?xindex>, %dest: tensor<3xi64>) -> tensor<3xi64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %at, %c0 : tensor<?xindex>
  %vs = soac.iota %n : tensor<?xi64>
  %r = soac.scatter at(%at : tensor<?xindex>) ins(%vs : tensor<?xi64>) into(%dest : tensor<3xi64>)
  return %r : tensor<3xi64>
}

// Values for the same places in several blocks.
// CHECK-LABEL: func.func @scatter_many(
// SCATTER-MANY0: [1, 3, 5]
// SCATTER-MANY1: [0, 3, 5]
// SCATTER-MANY257: [256, 253, 254]
// SCATTER-MANY1025: [1024, 1021, 1022]
func.func @scatter_many(%n: index, %dest: tensor<3xi64>) -> tensor<3xi64> {
  %c4 = arith.constant 4 : index
  %is = soac.iota %n : tensor<?xindex>
  %at, %vs = soac.map ins(%is : tensor<?xindex>) (%i: index) -> (tensor<?xindex>, tensor<?xi64>) {
    %k = arith.remui %i, %c4 : index
    %v = arith.index_cast %i : index to i64
    soac.yield %k, %v : index, i64
  }
  %r = soac.scatter at(%at : tensor<?xindex>) ins(%vs : tensor<?xi64>) into(%dest : tensor<3xi64>)
  return %r : tensor<3xi64>
}
