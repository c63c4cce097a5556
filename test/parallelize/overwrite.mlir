// Chunks of a map are written over an input that nobody else reads, as on one thread; the numbers stay the same.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-parallelize{threads=3},canonicalize,cse)' | FileCheck %s
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-parallelize{threads=3},ad-lower-to-buffers)' | FileCheck %s --check-prefix=BUFFERS
// RUN: rm -rf %t.1 %t.3
// RUN: ad-opt run %s --entry=all --input=300001 --output-dir=%t.1
// RUN: ad-opt run %s --entry=all --input=300001 --output-dir=%t.3 --threads=3
// RUN: diff -r %t.1 %t.3

// The first map stores its results because a reduction and a map read them; the other map takes their place.
// CHECK-LABEL: func.func @stored(
// CHECK: %[[STORED:.*]]:2 = scf.forall {{.*}} shared_outs(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK: scf.forall {{.*}} shared_outs(%[[OUT:.*]] = %[[STORED]]#0)
// CHECK: %[[X:.*]] = tensor.extract_slice %[[OUT]][%[[AT:.*]]] [%[[SIZE:.*]]] [1]
// CHECK: %[[Y:.*]] = soac.map ins(%[[X]]
// CHECK: tensor.parallel_insert_slice %[[Y]] into %[[OUT]][%[[AT]]] [%[[SIZE]]] [1]
// BUFFERS-LABEL: func.func @stored(
// BUFFERS: %[[N:.*]] = memref.dim
// BUFFERS: memref.alloc(%[[N]])
// BUFFERS-NOT: memref.alloc(%[[N]])
// BUFFERS-NOT: memref.copy
// BUFFERS: return
func.func @stored(%xs: tensor<?xi64>) -> tensor<?xi64> {
  %zero = arith.constant 0 : i64
  %ys = soac.map ins(%xs : tensor<?xi64>) (%x: i64) -> tensor<?xi64> {
    %y = arith.muli %x, %x : i64
    %z = arith.remui %y, %x : i64
    %w = arith.divui %y, %x : i64
    %v = arith.addi %z, %w : i64
    soac.yield %v : i64
  }
  %sum = soac.reduce ins(%ys : tensor<?xi64>) neutral(%zero : i64) (%l: i64, %r: i64) {
    %s = arith.addi %l, %r : i64
    soac.yield %s : i64
  }
  %shares = soac.map ins(%ys : tensor<?xi64>) (%y: i64) -> tensor<?xi64> {
    %share = arith.subi %sum, %y : i64
    soac.yield %share : i64
  }
  return %shares : tensor<?xi64>
}

// What is read later, and what belongs to the caller, stays as it is.
// CHECK-LABEL: func.func @kept(
// CHECK: %[[YS:.*]] = scf.if %{{.*}} -> (tensor<?xi64>)
// CHECK: tensor.extract_slice %[[YS]][
// BUFFERS-LABEL: func.func @kept(
// BUFFERS-NOT: memref.copy
// BUFFERS: return
func.func @kept(%xs: tensor<?xi64>) -> (tensor<?xi64>, tensor<?xi64>) {
  %zero = arith.constant 0 : i64
  %ys = soac.scan ins(%xs : tensor<?xi64>) neutral(%zero : i64) (%l: i64, %r: i64) {
    %s = arith.addi %l, %r : i64
    soac.yield %s : i64
  }
  %zs = soac.map ins(%ys : tensor<?xi64>) (%y: i64) -> tensor<?xi64> {
    %z = arith.muli %y, %y : i64
    soac.yield %z : i64
  }
  return %ys, %zs : tensor<?xi64>, tensor<?xi64>
}

// Two scans in opposite directions, one of which is stored, and a branch that computes the same in another way: there is
// one array, whichever runs, and whether on one thread or several.
// BUFFERS-LABEL: func.func @either(
// BUFFERS: %[[N:.*]] = memref.dim
// BUFFERS: memref.alloc(%[[N]])
// BUFFERS-NOT: memref.alloc(%[[N]])
// BUFFERS-NOT: memref.copy
// BUFFERS: return
func.func @either(%xs: tensor<?xi64>, %simple: i1) -> (index, tensor<?xi64>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %xs, %c0 : tensor<?xi64>
  %zero = arith.constant 0 : i64
  %result = scf.if %simple -> (tensor<?xi64>) {
    %ys = soac.map ins(%xs : tensor<?xi64>) (%x: i64) -> tensor<?xi64> {
      %y = arith.muli %x, %x : i64
      soac.yield %y : i64
    }
    scf.yield %ys : tensor<?xi64>
  } else {
    %before = soac.scan ins(%xs : tensor<?xi64>) neutral(%zero : i64) (%l: i64, %r: i64) attributes {exclusive} {
      %s = arith.addi %l, %r : i64
      soac.yield %s : i64
    }
    %behind = soac.scan ins(%xs : tensor<?xi64>) neutral(%zero : i64) (%l: i64, %r: i64) attributes {exclusive, reverse} {
      %s = arith.addi %l, %r : i64
      soac.yield %s : i64
    }
    %ys = soac.map ins(%before, %behind : tensor<?xi64>, tensor<?xi64>) (%x: i64, %y: i64) -> tensor<?xi64> {
      %z = arith.muli %x, %y : i64
      soac.yield %z : i64
    }
    scf.yield %ys : tensor<?xi64>
  }
  return %n, %result : index, tensor<?xi64>
}

// What a loop carries becomes what a map makes of it, in place in every iteration.
// BUFFERS-LABEL: func.func @carried(
// BUFFERS-SAME: %[[N:[a-z0-9]+]]: index
// BUFFERS: memref.alloc(%[[N]])
// BUFFERS-NOT: memref.alloc
// BUFFERS-NOT: memref.copy
// BUFFERS: return
func.func @carried(%n: index) -> tensor<?xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %three = arith.constant 3 : i64
  %is = soac.iota %n : tensor<?xi64>
  %last = scf.for %i = %c0 to %c3 step %c1 iter_args(%xs = %is) -> (tensor<?xi64>) {
    %ys = soac.map ins(%xs : tensor<?xi64>) (%x: i64) -> tensor<?xi64> {
      %y = arith.muli %x, %three : i64
      %z = arith.addi %y, %x : i64
      soac.yield %z : i64
    }
    scf.yield %ys : tensor<?xi64>
  }
  return %last : tensor<?xi64>
}

// An elementwise operation.
// BUFFERS-LABEL: func.func @elementwise(
// BUFFERS: %[[N:.*]] = memref.dim
// BUFFERS: memref.alloc(%[[N]])
// BUFFERS-NOT: memref.alloc
// BUFFERS-NOT: memref.copy
// BUFFERS: return
func.func @elementwise(%xs: tensor<?xi64>, %ys: tensor<?xi64>) -> tensor<?xi64> {
  %sums = soac.map ins(%xs, %ys : tensor<?xi64>, tensor<?xi64>) (%x: i64, %y: i64) -> tensor<?xi64> {
    %sum = arith.addi %x, %y : i64
    soac.yield %sum : i64
  }
  %products = arith.muli %sums, %ys : tensor<?xi64>
  return %products : tensor<?xi64>
}

func.func @all(%n: index) -> (tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>) {
  %one = arith.constant 1 : i64
  %yes = arith.constant true
  %no = arith.constant false
  %is = soac.iota %n : tensor<?xi64>
  %xs = soac.map ins(%is : tensor<?xi64>) (%i: i64) -> tensor<?xi64> {
    %x = arith.addi %i, %one : i64
    soac.yield %x : i64
  }
  %a = call @stored(%xs) : (tensor<?xi64>) -> tensor<?xi64>
  %b:2 = call @kept(%xs) : (tensor<?xi64>) -> (tensor<?xi64>, tensor<?xi64>)
  %c:2 = call @either(%xs, %yes) : (tensor<?xi64>, i1) -> (index, tensor<?xi64>)
  %d:2 = call @either(%xs, %no) : (tensor<?xi64>, i1) -> (index, tensor<?xi64>)
  %e = call @carried(%n) : (index) -> tensor<?xi64>
  %f = call @elementwise(%xs, %xs) : (tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64>
  return %a, %b#0, %b#1, %c#1, %d#1, %e, %f : tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>
}
