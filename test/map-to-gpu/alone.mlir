// What cannot be distributed is executed by one thread.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,canonicalize,cse)' | FileCheck %s
// RUN: %python %S/../driver/Inputs/npy.py %t.rows.npy '<i8' '(3, 3)' 1 2 0 0 2 1 2 0 1
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<i8' '(0, 3)'
// RUN: %python %S/../driver/Inputs/npy.py %t.start.npy '<i8' '(3,)' 0 1 2
// RUN: ad-opt run %s --entry=dynamic --input=%t.none.npy --input=%t.start.npy --target=gpu-emulate | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %s --entry=dynamic --input=%t.rows.npy --input=%t.start.npy --target=gpu-emulate | FileCheck %s --check-prefix=DYNAMIC
// RUN: %python %S/../driver/Inputs/npy.py %t.f8.npy '<f8' '(3,)' 10 20 30
// RUN: ad-opt run %s --entry=loop --input=%t.f8.npy --input=3 --target=gpu-emulate | FileCheck %s --check-prefix=LOOP3
// RUN: ad-opt run %s --entry=loop --input=%t.f8.npy --input=0 --target=gpu-emulate | FileCheck %s --check-prefix=LOOP0

// A reduction of a few arrays whose elements depend on several elements of others: permutations, one after the other.
// The result is as long as the neutral element.
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME: tensor<?x?xi64> {ad.unchanged}, %[[START:[a-z0-9]+]]: tensor<?xi64>
// CHECK: %[[MANY:.*]] = arith.cmpi sge, %{{.*}}, %c4096
// CHECK: scf.if %[[MANY]]
// CHECK: } else {
// CHECK: %[[N:.*]] = tensor.dim %[[START]], %c0
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[N]])
// CHECK: scf.forall (%{{.*}}) in (1) shared_outs(%[[OUT:.*]] = %[[EMPTY]])
// CHECK: %[[ALL:.*]] = soac.reduce ins(
// CHECK: tensor.parallel_insert_slice %[[ALL]] into %[[OUT]][0] [%{{.*}}] [1]
// DYNAMIC: [2, 1, 0]
// NONE: [0, 1, 2]
func.func @dynamic(%xss: tensor<?x?xi64>, %start: tensor<?xi64>) -> tensor<?xi64> {
  %r = soac.reduce ins(%xss : tensor<?x?xi64>) neutral(%start : tensor<?xi64>) (%l: tensor<?xi64>, %r: tensor<?xi64>) {
    %s = soac.map ins(%r : tensor<?xi64>) (%k: i64) -> tensor<?xi64> {
      %i = arith.index_cast %k : i64 to index
      %x = tensor.extract %l[%i] : tensor<?xi64>
      soac.yield %x : i64
    }
    soac.yield %s : tensor<?xi64>
  }
  return %r : tensor<?xi64>
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

// A loop writes what it keeps to where it is wanted; loops in a loop are one kernel.
// CHECK-LABEL: func.func @kept(
// CHECK: %[[place:.*]] = tensor.empty(%{{.*}}) : tensor<?xf64>
// CHECK: scf.forall {{.*}} shared_outs({{.*}}%[[own:.*]] = %[[place]])
// CHECK-NOT: scf.forall
// CHECK: %[[rows:.*]] = tensor.extract_slice %[[own]][0]
// CHECK: scf.for {{.*}} iter_args({{.*}} = %[[rows]])
// CHECK: scf.for
// CHECK: return
func.func @kept(%x: f64, %n: index) -> (f64, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %empty = tensor.empty(%n) : tensor<?xf64>
  %end, %all = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x, %kept = %empty)
      -> (f64, tensor<?xf64>) {
    %more = tensor.insert %y into %kept[%i] : tensor<?xf64>
    %next = scf.for %k = %c0 to %c3 step %c1 iter_args(%z = %y) -> (f64) {
      %s = math.sin %z : f64
      scf.yield %s : f64
    }
    scf.yield %next, %more : f64, tensor<?xf64>
  }
  return %end, %all : f64, tensor<?xf64>
}

// Products of matrices are kernels of their own, also where a loop has nothing else that is parallel.
// CHECK-LABEL: func.func @products(
// CHECK-NOT: scf.forall
// CHECK: scf.for
// CHECK: linalg.matmul
// CHECK-NOT: scf.forall
// CHECK: return
func.func @products(%A: tensor<?x?xf64>, %X: tensor<?x?x?xf64>) -> tensor<?x?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %X, %c0 : tensor<?x?x?xf64>
  %m = tensor.dim %X, %c1 : tensor<?x?x?xf64>
  %k = tensor.dim %X, %c2 : tensor<?x?x?xf64>
  %all = tensor.empty(%n, %m, %k) : tensor<?x?x?xf64>
  %r = scf.for %t = %c0 to %n step %c1 iter_args(%y = %all) -> (tensor<?x?x?xf64>) {
    %x = tensor.extract_slice %X[%t, 0, 0] [1, %m, %k] [1, 1, 1]
        : tensor<?x?x?xf64> to tensor<?x?xf64>
    %e = tensor.empty(%m, %k) : tensor<?x?xf64>
    %z = linalg.fill ins(%zero : f64) outs(%e : tensor<?x?xf64>) -> tensor<?x?xf64>
    %w = linalg.matmul ins(%A, %x : tensor<?x?xf64>, tensor<?x?xf64>)
        outs(%z : tensor<?x?xf64>) -> tensor<?x?xf64>
    %next = tensor.insert_slice %w into %y[%t, 0, 0] [1, %m, %k] [1, 1, 1]
        : tensor<?x?xf64> into tensor<?x?x?xf64>
    scf.yield %next : tensor<?x?x?xf64>
  }
  return %r : tensor<?x?x?xf64>
}

// Those of few elements are not: one thread makes them all.
// CHECK-LABEL: func.func @few(
// CHECK: scf.forall
// CHECK-NEXT: {{.*}}scf.for
// CHECK: linalg.matmul
// CHECK: scf.forall.in_parallel
func.func @few(%A: tensor<3x3xf64>, %x: tensor<3x3xf64>, %n: index) -> tensor<3x3xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %t = %c0 to %n step %c1 iter_args(%y = %x) -> (tensor<3x3xf64>) {
    %w = linalg.matmul ins(%A, %y : tensor<3x3xf64>, tensor<3x3xf64>)
        outs(%x : tensor<3x3xf64>) -> tensor<3x3xf64>
    scf.yield %w : tensor<3x3xf64>
  }
  return %r : tensor<3x3xf64>
}

// A vector beside an array, as an array of one vector.
// RUN: ad-opt run %s --entry=vector --input=5 --target=gpu-emulate | FileCheck %s --check-prefix=VECTOR
// RUN: ad-opt run %s --entry=vector --input=5 | FileCheck %s --check-prefix=VECTOR
// CHECK-LABEL: func.func @vector(
// CHECK: scf.forall {{.*}} -> (tensor<3xf64>, tensor<1xvector<2xf64>>)
// VECTOR: [3.0, 4.0, 2.0]
// VECTOR-NEXT: 64.0
func.func @vector(%n: index) -> (tensor<3xf64>, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %none = arith.constant 0.0 : f64
  %start = arith.constant dense<1.0> : vector<2xf64>
  %empty = tensor.empty() : tensor<3xf64>
  %array = linalg.fill ins(%none : f64) outs(%empty : tensor<3xf64>) -> tensor<3xf64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %array, %v = %start) -> (tensor<3xf64>, vector<2xf64>) {
    %k = arith.remui %i, %c3 : index
    %integer = arith.index_cast %i : index to i64
    %x = arith.sitofp %integer : i64 to f64
    %old = tensor.extract %a[%k] : tensor<3xf64>
    %sum = arith.addf %old, %x : f64
    %same = arith.subf %sum, %old : f64
    %b = tensor.insert %same into %a[%k] : tensor<3xf64>
    %twice = arith.addf %v, %v : vector<2xf64>
    scf.yield %b, %twice : tensor<3xf64>, vector<2xf64>
  }
  %s = vector.reduction <add>, %r#1 : vector<2xf64> into f64
  return %r#0, %s : tensor<3xf64>, f64
}
