// Combinators that read the same arrays run together: arrays are passed over once.
// RUN: ad-opt %s --ad-fuse --canonicalize --cse | FileCheck %s
// RUN: ad-opt %s --ad-bufferize | FileCheck %s --check-prefix=LOOPS
// RUN: ad-opt run %s --entry=values | FileCheck %s --check-prefix=VALUES
// RUN: %python %S/../driver/Inputs/npy.py %t.i.npy '<i8' '(4,)' 0 1 5 0
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(4,)' 2 3 4 5
// RUN: ad-opt run %s --entry=histograms --input=%t.i.npy --input=%t.x.npy --input=2 --input=6 | FileCheck %s --check-prefix=HISTOGRAMS

// Two sums of results of one map: one reduction of pairs, in whose loop the map runs.
// CHECK-LABEL: func.func @two_sums
// CHECK: %[[TERMS:.*]]:2 = soac.map
// CHECK: %[[SUMS:.*]]:2 = soac.reduce ins(%[[TERMS]]#0, %[[TERMS]]#1
// CHECK-NOT: soac.reduce
// CHECK: return %[[SUMS]]#0, %[[SUMS]]#1
// LOOPS-LABEL: func.func @two_sums
// LOOPS-NOT: memref.alloc
// LOOPS-COUNT-1: scf.for
// LOOPS-NOT: scf.for
// LOOPS: return
func.func @two_sums(%xs: tensor<?xf64>) -> (f64, f64) {
  %zero = arith.constant 0.0 : f64
  %ts:2 = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> (tensor<?xf64>, tensor<?xf64>) {
    %a = arith.mulf %x, %x : f64
    %b = arith.mulf %a, %x : f64
    soac.yield %a, %b : f64, f64
  }
  %s = soac.reduce ins(%ts#0 : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.addf %l, %r : f64
    soac.yield %t : f64
  }
  %u = soac.reduce ins(%ts#1 : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.addf %l, %r : f64
    soac.yield %t : f64
  }
  return %s, %u : f64, f64
}

// Two maps over one array, both of whose results are wanted.
// CHECK-LABEL: func.func @two_maps
// CHECK: %[[BOTH:.*]]:2 = soac.map ins(%{{.*}} : tensor<?xf64>)
// CHECK-NOT: soac.map
// CHECK: return %[[BOTH]]#0, %[[BOTH]]#1
func.func @two_maps(%xs: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = math.sin %x : f64
    soac.yield %y : f64
  }
  %zs = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = math.cos %x : f64
    soac.yield %y : f64
  }
  return %ys, %zs : tensor<?xf64>, tensor<?xf64>
}

// The second reduction needs the first: they cannot run together.
// CHECK-LABEL: func.func @depends
// CHECK-COUNT-2: soac.reduce
func.func @depends(%xs: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %s = soac.reduce ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.addf %l, %r : f64
    soac.yield %t : f64
  }
  %u = soac.reduce ins(%xs : tensor<?xf64>) neutral(%s : f64) (%l: f64, %r: f64) {
    %t = arith.maximumf %l, %r : f64
    soac.yield %t : f64
  }
  return %u : f64
}

// A map that a reduction reads runs in its loop. Merged with the other map it would
// have to be stored.
// CHECK-LABEL: func.func @keeps_its_reader
// CHECK-COUNT-2: soac.map
func.func @keeps_its_reader(%xs: tensor<?xf64>) -> (f64, tensor<?xf64>) {
  %zero = arith.constant 0.0 : f64
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = math.sin %x : f64
    soac.yield %y : f64
  }
  %zs = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = math.cos %x : f64
    soac.yield %y : f64
  }
  %s = soac.reduce ins(%ys : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.addf %l, %r : f64
    soac.yield %t : f64
  }
  return %s, %zs : f64, tensor<?xf64>
}

// Two histograms with the same indices and bins are one, in whose loop the map runs. One with
// other bins stays by itself, and so does one whose destination is read behind.
// CHECK-LABEL: func.func @histograms
// CHECK: %[[H:.*]]:2 = soac.hist at(%{{.*}}) ins(%{{.*}}, %{{.*}} :
// CHECK: %[[OTHER:.*]] = soac.hist
// CHECK: %[[KEPT:.*]] = soac.hist
// CHECK-NOT: soac.hist
// CHECK: return %[[H]]#0, %[[H]]#1, %[[OTHER]], %[[KEPT]]
// The generated array is the fourth loop.
// LOOPS-LABEL: func.func @histograms
// LOOPS-COUNT-4: scf.for
// LOOPS-NOT: scf.for
// LOOPS: return
// HISTOGRAMS: [29.0, 9.0]
// HISTOGRAMS-NEXT: [10.0, 3.0]
// HISTOGRAMS-NEXT: [7.0, 3.0, 0.0, 0.0, 0.0, 4.0]
// HISTOGRAMS-NEXT: [10.0, 3.0]
// HISTOGRAMS-NEXT: [1.0, 1.0]
func.func @histograms(%is: tensor<?xindex>, %xs: tensor<?xf64>, %n: index, %m: index)
    -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %zeros = tensor.splat %zero[%n] : tensor<?xf64>
  %ones = tensor.splat %one[%n] : tensor<?xf64>
  %more = tensor.splat %zero[%m] : tensor<?xf64>
  %kept = tensor.generate %n {
  ^bb0(%i: index):
    tensor.yield %one : f64
  } : tensor<?xf64>
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = arith.mulf %x, %x : f64
    soac.yield %y : f64
  }
  %sums = soac.hist at(%is : tensor<?xindex>) ins(%ys : tensor<?xf64>)
      into(%zeros : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.addf %l, %r : f64
    soac.yield %t : f64
  }
  %products = soac.hist at(%is : tensor<?xindex>) ins(%xs : tensor<?xf64>)
      into(%ones : tensor<?xf64>) neutral(%one : f64) (%l: f64, %r: f64) {
    %t = arith.mulf %l, %r : f64
    soac.yield %t : f64
  }
  %other = soac.hist at(%is : tensor<?xindex>) ins(%xs : tensor<?xf64>)
      into(%more : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.addf %l, %r : f64
    soac.yield %t : f64
  }
  %last = soac.hist at(%is : tensor<?xindex>) ins(%xs : tensor<?xf64>)
      into(%kept : tensor<?xf64>) neutral(%one : f64) (%l: f64, %r: f64) {
    %t = arith.mulf %l, %r : f64
    soac.yield %t : f64
  }
  return %sums, %products, %other, %last, %kept
      : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

// VALUES: 13.0
// VALUES: 35.0
func.func @values() -> (f64, f64) {
  %xs = arith.constant dense<[2.0, 3.0]> : tensor<2xf64>
  %x = tensor.cast %xs : tensor<2xf64> to tensor<?xf64>
  %r:2 = call @two_sums(%x) : (tensor<?xf64>) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
