// Arrays of few numbers are reduced as tuples of them, by blocks.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-unroll-short,ad-map-to-gpu,canonicalize,cse)' | FileCheck %s
// RUN: ad-opt run %s --entry=product --input=0 --target=gpu-emulate | FileCheck %s --check-prefix=PRODUCT0
// RUN: ad-opt run %s --entry=product --input=1 --target=gpu-emulate | FileCheck %s --check-prefix=PRODUCT1
// RUN: ad-opt run %s --entry=product --input=3001 --target=gpu-emulate | FileCheck %s --check-prefix=PRODUCT
// RUN: ad-opt run %s --entry=sums --input=3000 --target=gpu-emulate | FileCheck %s --check-prefix=SUMS
// RUN: %python %S/../driver/Inputs/npy.py %t.rows.npy '<i8' '(3, 3)' 1 2 0 0 2 1 2 0 1
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<i8' '(0, 3)'
// RUN: %python %S/../driver/Inputs/npy.py %t.start.npy '<i8' '(3,)' 0 1 2
// RUN: ad-opt run %s --entry=permutations --input=%t.rows.npy --input=%t.start.npy --target=gpu-emulate | FileCheck %s --check-prefix=PERMUTATIONS
// RUN: ad-opt run %s --entry=permutations --input=%t.none.npy --input=%t.start.npy --target=gpu-emulate | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %s --entry=first --input=3000 --target=gpu-emulate | FileCheck %s --check-prefix=FIRST
// RUN: ad-opt run %s --entry=rows --input=3 --input=300 --target=gpu-emulate | FileCheck %s --check-prefix=ROWS

// Matrices [[1, i], [0, 1]]: a block has four numbers of each of its eight subgroups.
// CHECK-LABEL: func.func @product(
// CHECK: scf.forall (%{{.*}}) in (%{{.*}}) {{.*}} -> (tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>)
// CHECK-COUNT-4: memref.alloc() : memref<8xi64>
// CHECK: scf.forall (%{{.*}}) in (256)
// CHECK: %[[L:.*]] = tensor.from_elements %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x2xi64>
// CHECK: %[[R:.*]] = tensor.from_elements %c1_i64, %{{.*}}, %c0_i64, %c1_i64 : tensor<2x2xi64>
// CHECK: %[[P:.*]] = linalg.matmul ins(%[[L]], %[[R]]
// CHECK-COUNT-4: tensor.extract %[[P]]
// CHECK: gpu.shuffle
// PRODUCT0: {{\[}}[1, 0],
// PRODUCT0-NEXT: [0, 1]]
// PRODUCT1: {{\[}}[1, 0],
// PRODUCT1-NEXT: [0, 1]]
// PRODUCT: {{\[}}[1, 4501500],
// PRODUCT-NEXT: [0, 1]]
func.func @product(%n: index) -> tensor<2x2xi64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %unit = arith.constant dense<[[1, 0], [0, 1]]> : tensor<2x2xi64>
  %is = soac.iota %n : tensor<?xi64>
  %ms = soac.map ins(%is : tensor<?xi64>) (%i: i64) -> tensor<?x2x2xi64> {
    %m = tensor.from_elements %one, %i, %zero, %one : tensor<2x2xi64>
    soac.yield %m : tensor<2x2xi64>
  }
  %p = soac.reduce ins(%ms : tensor<?x2x2xi64>) neutral(%unit : tensor<2x2xi64>) (%l: tensor<2x2xi64>, %r: tensor<2x2xi64>) {
    %empty = tensor.empty() : tensor<2x2xi64>
    %zeros = linalg.fill ins(%zero : i64) outs(%empty : tensor<2x2xi64>) -> tensor<2x2xi64>
    %q = linalg.matmul ins(%l, %r : tensor<2x2xi64>, tensor<2x2xi64>) outs(%zeros : tensor<2x2xi64>) -> tensor<2x2xi64>
    soac.yield %q : tensor<2x2xi64>
  }
  return %p : tensor<2x2xi64>
}

// An operator that works element by element does not make arrays, and is known to commute.
// CHECK-LABEL: func.func @sums(
// CHECK: scf.forall
// CHECK: scf.forall (%[[T:.*]]) in (256)
// CHECK-NOT: tensor.from_elements
// CHECK: %[[I:.*]] = arith.addi %{{.*}}, %[[T]]
// CHECK-NEXT: arith.muli
// CHECK-NEXT: arith.subi
// CHECK-NEXT: arith.muli
// CHECK-NEXT: scf.for %{{.*}} = %[[I]] to
// CHECK-NOT: tensor.from_elements
// CHECK: scf.forall
// CHECK: tensor.from_elements %{{.*}}, %{{.*}} : tensor<2xi64>
// CHECK-NEXT: return
// SUMS: [4498500, 8997000]
func.func @sums(%n: index) -> tensor<2xi64> {
  %zeros = arith.constant dense<0> : tensor<2xi64>
  %is = soac.iota %n : tensor<?xi64>
  %xss = soac.map ins(%is : tensor<?xi64>) (%i: i64) -> tensor<?x2xi64> {
    %twice = arith.addi %i, %i : i64
    %xs = tensor.from_elements %i, %twice : tensor<2xi64>
    soac.yield %xs : tensor<2xi64>
  }
  %sums = soac.reduce ins(%xss : tensor<?x2xi64>) neutral(%zeros : tensor<2xi64>) (%l: tensor<2xi64>, %r: tensor<2xi64>) {
    %s = arith.addi %l, %r : tensor<2xi64>
    soac.yield %s : tensor<2xi64>
  }
  return %sums : tensor<2xi64>
}

// Elements may be read anywhere.
// CHECK-LABEL: func.func @permutations(
// CHECK: scf.forall (%{{.*}}) in (256)
// PERMUTATIONS: [2, 1, 0]
// NONE: [0, 1, 2]
func.func @permutations(%xss: tensor<?x3xi64>, %start: tensor<3xi64>) -> tensor<3xi64> {
  %r = soac.reduce ins(%xss : tensor<?x3xi64>) neutral(%start : tensor<3xi64>) (%l: tensor<3xi64>, %r: tensor<3xi64>) {
    %s = soac.map ins(%r : tensor<3xi64>) (%k: i64) -> tensor<3xi64> {
      %i = arith.index_cast %k : i64 to index
      %x = tensor.extract %l[%i] : tensor<3xi64>
      soac.yield %x : i64
    }
    soac.yield %s : tensor<3xi64>
  }
  return %r : tensor<3xi64>
}

// Numbers and arrays together: the greatest number, and the pair at its first place.
// CHECK-LABEL: func.func @first(
// CHECK-COUNT-3: memref.alloc() : memref<8xi64>
// CHECK: scf.forall (%{{.*}}) in (256)
// FIRST: {{^}}999{{$}}
// FIRST-NEXT: [999, 1]
func.func @first(%n: index) -> (i64, tensor<2xi64>) {
  %least = arith.constant -1 : i64
  %k = arith.constant 1000 : i64
  %one = arith.constant 1 : i64
  %none = arith.constant dense<-1> : tensor<2xi64>
  %is = soac.iota %n : tensor<?xi64>
  %xs, %pairs = soac.map ins(%is : tensor<?xi64>) (%i: i64) -> (tensor<?xi64>, tensor<?x2xi64>) {
    %x = arith.remui %i, %k : i64
    %round = arith.divui %i, %k : i64
    %next = arith.addi %round, %one : i64
    %pair = tensor.from_elements %i, %next : tensor<2xi64>
    soac.yield %x, %pair : i64, tensor<2xi64>
  }
  %top, %place = soac.reduce ins(%xs, %pairs : tensor<?xi64>, tensor<?x2xi64>) neutral(%least, %none : i64, tensor<2xi64>)
      (%l: i64, %ls: tensor<2xi64>, %r: i64, %rs: tensor<2xi64>) {
    %wins = arith.cmpi sgt, %r, %l : i64
    %x = arith.select %wins, %r, %l : i64
    %pair = scf.if %wins -> tensor<2xi64> {
      scf.yield %rs : tensor<2xi64>
    } else {
      scf.yield %ls : tensor<2xi64>
    }
    soac.yield %x, %pair : i64, tensor<2xi64>
  }
  return %top, %place : i64, tensor<2xi64>
}

// A few long rows have a block each.
// CHECK-LABEL: func.func @rows(
// CHECK: scf.if
// CHECK: scf.forall (%{{.*}}) in (%{{.*}})
// CHECK: scf.forall (%{{.*}}) in (256)
// CHECK: } {mapping = [#gpu.block<linear_dim_0>]}
// CHECK: } else {
// CHECK: scf.forall
// ROWS: [44850, 45150, 45450]
func.func @rows(%n: index, %m: index) -> tensor<?xi64> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %start = arith.constant dense<[1, 0]> : tensor<2xi64>
  %is = soac.iota %n : tensor<?xi64>
  %js = soac.iota %m : tensor<?xi64>
  %ys = soac.map ins(%is : tensor<?xi64>) (%i: i64) -> tensor<?xi64> {
    %fs = soac.map ins(%js : tensor<?xi64>) (%j: i64) -> tensor<?x2xi64> {
      %b = arith.addi %i, %j : i64
      %f = tensor.from_elements %one, %b : tensor<2xi64>
      soac.yield %f : tensor<2xi64>
    }
    // Functions x -> a x + b, one after the other.
    %all = soac.reduce ins(%fs : tensor<?x2xi64>) neutral(%start : tensor<2xi64>) (%f: tensor<2xi64>, %g: tensor<2xi64>) {
      %c0 = arith.constant 0 : index
      %a = tensor.extract %f[%c0] : tensor<2xi64>
      %b = tensor.extract %f[%c1] : tensor<2xi64>
      %c = tensor.extract %g[%c0] : tensor<2xi64>
      %d = tensor.extract %g[%c1] : tensor<2xi64>
      %p = arith.muli %a, %c : i64
      %q = arith.muli %c, %b : i64
      %r = arith.addi %q, %d : i64
      %h = tensor.from_elements %p, %r : tensor<2xi64>
      soac.yield %h : tensor<2xi64>
    }
    %y = tensor.extract %all[%c1] : tensor<2xi64>
    soac.yield %y : i64
  }
  return %ys : tensor<?xi64>
}
