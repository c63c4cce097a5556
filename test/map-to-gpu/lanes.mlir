// Rows of some length are reduced by eight neighbouring threads each, where there are many of them or they are too short for
// a block: what a subgroup reads at a time lies side by side in four rows.
// RUN: ad-opt %s --ad-map-to-gpu | FileCheck %s
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-make-kernels,ad-lower-to-kernel-buffers)' | FileCheck %s --check-prefix=BUFFERS
// RUN: ad-opt run %s --entry=run --input=5 --input=40 --target=gpu-emulate | FileCheck %s --check-prefix=VALUES
// RUN: ad-opt run %s --entry=run --input=5 --input=40 --target=gpu-emulate --emulate-seed=7 | FileCheck %s --check-prefix=VALUES
// RUN: ad-opt run %s --entry=run --input=5 --input=40 | FileCheck %s --check-prefix=VALUES
// RUN: ad-opt run %s --entry=run --input=0 --input=40 --target=gpu-emulate | FileCheck %s --check-prefix=EMPTY
// RUN: ad-opt run %s --entry=sums --input=3 --input=2 --input=40 --target=gpu-emulate | FileCheck %s --check-prefix=SUMS
// RUN: ad-opt run %s --entry=sums --input=3 --input=2 --input=40 | FileCheck %s --check-prefix=SUMS
// RUN: ad-opt run %s --entry=run --input=5 --input=40 --target=gpu-emulate --emulate-report=%t.json
// RUN: FileCheck %s --check-prefix=READS --input-file=%t.json

// Row i is i, i + 1, ..., i + 39: the sum of its squares, half of its sum and its maximum.
// VALUES: [20540.0, 22140.0, 23820.0, 25580.0, 27420.0]
// VALUES: [390.0, 410.0, 430.0, 450.0, 470.0]
// VALUES: [39.0, 40.0, 41.0, 42.0, 43.0]
// EMPTY-COUNT-3: []
// Five rows are two subgroups, of which the second has threads whose row is not there: these read the last one, and write
// nothing.
// The elements of the rows are asked for by 5 steps of both subgroups for each of two loops. One thread for each row would ask 40
// times in each.
// READS: "run_kernel_5.run_kernel_5": {
// READS: "requests": 26,

// CHECK-LABEL: func.func @rows(
// CHECK: %[[THREADS:.*]] = arith.muli %{{.*}}, %c32
// CHECK: scf.forall (%[[T:.*]]) in (%[[THREADS]])
// CHECK:   %[[ROW:.*]] = arith.divui %[[T]], %c8
// CHECK:   %[[LANE:.*]] = arith.remui %[[T]], %c8
// CHECK:   scf.for %{{.*}} = %[[LANE]] to %{{.*}} step
// CHECK:   gpu.shuffle xor
// CHECK:   %[[SIZE:.*]] = arith.select %[[WRITES:.*]], %c1{{.*}}, %c0
// CHECK:   %[[SLOT:.*]] = tensor.extract_slice %{{.*}}[%[[I:.*]]] [%[[SIZE]]] [1]
// CHECK:   %[[FILLED:.*]] = scf.if %[[WRITES]]
// CHECK:     tensor.insert %{{.*}} into %[[SLOT]]
// CHECK:   tensor.parallel_insert_slice %[[FILLED]] into %{{.*}}[%[[I]]] [%[[SIZE]]] [1]
func.func @rows(%xs: tensor<?x?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %least = arith.constant 0xFFF0000000000000 : f64
  %a, %b, %c = soac.map ins(%xs : tensor<?x?xf64>) (%x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
    %squares = soac.map ins(%x : tensor<?xf64>) (%e: f64) -> tensor<?xf64> {
      %s = arith.mulf %e, %e : f64
      soac.yield %s : f64
    }
    %sum = soac.reduce ins(%squares : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
      %s = arith.addf %l, %r : f64
      soac.yield %s : f64
    }
    %all = soac.reduce ins(%x : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
      %s = arith.addf %l, %r : f64
      soac.yield %s : f64
    }
    %most = soac.reduce ins(%x : tensor<?xf64>) neutral(%least : f64) (%l: f64, %r: f64) {
      %m = arith.maximumf %l, %r : f64
      soac.yield %m : f64
    }
    %mean = arith.mulf %all, %half : f64
    soac.yield %sum, %mean, %most : f64, f64, f64
  }
  return %a, %b, %c : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

// Columns are not: neighbouring threads read neighbours of a row, each for its column.
// CHECK-LABEL: func.func @columns(
// CHECK-NOT: gpu.shuffle xor
// CHECK: return
func.func @columns(%xs: tensor<?x?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %xs, %c0 : tensor<?x?xf64>
  %m = tensor.dim %xs, %c1 : tensor<?x?xf64>
  %is = soac.iota %n : tensor<?xindex>
  %js = soac.iota %m : tensor<?xindex>
  %sums = soac.map ins(%js : tensor<?xindex>) (%j: index) -> tensor<?xf64> {
    %column = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
      %e = tensor.extract %xs[%i, %j] : tensor<?x?xf64>
      soac.yield %e : f64
    }
    %sum = soac.reduce ins(%column : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
      %s = arith.addf %l, %r : f64
      soac.yield %s : f64
    }
    soac.yield %sum : f64
  }
  return %sums : tensor<?xf64>
}

// Nor are rows whose operator is to be applied in order.
// CHECK-LABEL: func.func @in_order(
// CHECK-NOT: gpu.shuffle xor
// CHECK: return
func.func @in_order(%xs: tensor<?x?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %ys = soac.map ins(%xs : tensor<?x?xf64>) (%x: tensor<?xf64>) -> tensor<?xf64> {
    %last = soac.reduce ins(%x : tensor<?xf64>) neutral(%one : f64) (%l: f64, %r: f64) {
      %is_one = arith.cmpf oeq, %r, %one : f64
      %s = arith.select %is_one, %l, %r : f64
      soac.yield %s : f64
    }
    soac.yield %last : f64
  }
  return %ys : tensor<?xf64>
}

// The sums are written to the row that they are inserted into by whichever kernel is chosen: nothing is copied.
// BUFFERS-LABEL: func.func @into_rows(
// BUFFERS: scf.for
// BUFFERS-NOT: memref.copy
// BUFFERS: %[[ROW:.*]] = memref.subview
// BUFFERS: scf.if
// BUFFERS: scf.forall
// BUFFERS: gpu.shuffle
// BUFFERS: memref.subview %[[ROW]]
// BUFFERS: scf.if
// BUFFERS: scf.forall
// BUFFERS: gpu.shuffle xor
// BUFFERS: memref.subview %[[ROW]]
// BUFFERS: scf.forall
// BUFFERS: memref.subview %[[ROW]]
// BUFFERS-NOT: memref.copy
// BUFFERS-LABEL: func.func @run(
// SUMS: {{\[\[}}780.0, 820.0],
// SUMS-NEXT: [820.0, 860.0],
// SUMS-NEXT: [860.0, 900.0{{\]\]}}
func.func @into_rows(%xs: tensor<?x?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %k = tensor.dim %xs, %c0 : tensor<?x?x?xf64>
  %n = tensor.dim %xs, %c1 : tensor<?x?x?xf64>
  %m = tensor.dim %xs, %c2 : tensor<?x?x?xf64>
  %all = tensor.empty(%k, %n) : tensor<?x?xf64>
  %r = scf.for %t = %c0 to %k step %c1 iter_args(%a = %all) -> tensor<?x?xf64> {
    %x = tensor.extract_slice %xs[%t, 0, 0] [1, %n, %m] [1, 1, 1] : tensor<?x?x?xf64> to tensor<?x?xf64>
    %sums = soac.map ins(%x : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?xf64> {
      %sum = soac.reduce ins(%row : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
        %s = arith.addf %l, %r : f64
        soac.yield %s : f64
      }
      soac.yield %sum : f64
    }
    %size = tensor.dim %a, %c1 : tensor<?x?xf64>
    %b = tensor.insert_slice %sums into %a[%t, 0] [1, %size] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
    scf.yield %b : tensor<?x?xf64>
  }
  return %r : tensor<?x?xf64>
}

// CHECK-LABEL: func.func @run(
func.func @run(%n: index, %m: index) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %xs = tensor.generate %n, %m {
  ^bb0(%i: index, %j: index):
    %k = arith.addi %i, %j : index
    %k64 = arith.index_cast %k : index to i64
    %x = arith.sitofp %k64 : i64 to f64
    tensor.yield %x : f64
  } : tensor<?x?xf64>
  %a, %b, %c = func.call @rows(%xs) : (tensor<?x?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %a, %b, %c : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

func.func @sums(%k: index, %n: index, %m: index) -> tensor<?x?xf64> {
  %xs = tensor.generate %k, %n, %m {
  ^bb0(%t: index, %i: index, %j: index):
    %ti = arith.addi %t, %i : index
    %all = arith.addi %ti, %j : index
    %integer = arith.index_cast %all : index to i64
    %x = arith.sitofp %integer : i64 to f64
    tensor.yield %x : f64
  } : tensor<?x?x?xf64>
  %r = func.call @into_rows(%xs) : (tensor<?x?x?xf64>) -> tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}
