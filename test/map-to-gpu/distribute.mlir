// Maps that are not wide are distributed over what is parallel in their bodies.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,canonicalize,cse)' | FileCheck %s
// RUN: rm -rf %t.cpu %t.gpu && mkdir -p %t.cpu %t.gpu
// RUN: ad-opt run %s --entry=sums --input=3 --input=0 --target=gpu-emulate | FileCheck %s --check-prefix=SUMS0
// RUN: ad-opt run %s --entry=sums --input=3 --input=300 --target=gpu-emulate | FileCheck %s --check-prefix=SUMS
// RUN: ad-opt run %s --entry=sums --input=3 --input=127 --target=gpu-emulate | FileCheck %s --check-prefix=SHORT
// RUN: ad-opt run %s --entry=sums --input=32768 --input=2 --target=gpu-emulate | FileCheck %s --check-prefix=MANY
// RUN: ad-opt run %s --entry=normal --input=3 --input=300 --output-dir=%t.cpu/long
// RUN: ad-opt run %s --entry=normal --input=3 --input=300 --output-dir=%t.gpu/long --target=gpu-emulate
// RUN: cmp %t.cpu/long/0.npy %t.gpu/long/0.npy
// RUN: cmp %t.cpu/long/1.npy %t.gpu/long/1.npy
// RUN: ad-opt run %s --entry=normal --input=3 --input=5 --output-dir=%t.cpu/short
// RUN: ad-opt run %s --entry=normal --input=3 --input=5 --output-dir=%t.gpu/short --target=gpu-emulate
// RUN: cmp %t.cpu/short/0.npy %t.gpu/short/0.npy
// RUN: cmp %t.cpu/short/1.npy %t.gpu/short/1.npy
// RUN: ad-opt run %s --entry=read --input=7 --target=gpu-emulate | FileCheck %s --check-prefix=READ
// RUN: ad-opt run %s --entry=rows --input=300 --target=gpu-emulate | FileCheck %s --check-prefix=ROWS

// Long rows have a block each if they are not many; each thread of it sums a part, from the array that the map would make.
// Where they are few, several blocks have parts of each (long-rows.mlir).
// CHECK-LABEL: func.func @sums(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index, %[[M:[a-z0-9]+]]: index
// CHECK: %[[FEW:.*]] = arith.cmpi slt, %[[N]], %c32768
// CHECK: %[[SOME:.*]] = arith.cmpi sge, %[[N]], %c4096
// CHECK: %[[LEAST:.*]] = arith.select %[[SOME]], %c128, %c64
// CHECK: %[[LONG:.*]] = arith.cmpi sge, %[[M]], %[[LEAST]]
// CHECK: %[[BOTH:.*]] = arith.andi %[[FEW]], %[[LONG]]
// CHECK: scf.if %[[BOTH]]
// CHECK-COUNT-2: mapping = [#gpu.block
// CHECK: } else {
// CHECK: scf.forall (%[[I:.*]]) in (%[[N]])
// CHECK: scf.forall (%[[T:.*]]) in (256)
// CHECK: %[[MOST:.*]]:2 = scf.for %{{.*}} = %[[T]] to %{{.*}} step %c1024
// CHECK: scf.for %[[J:.*]] = %[[MOST]]#0 to %[[M]] step %c256
// CHECK: arith.muli %[[I]], %[[J]]
// CHECK: } {mapping = [#gpu.thread<linear_dim_0>]}
// CHECK: } {mapping = [#gpu.block<linear_dim_0>]}
// Otherwise each has a thread.
// CHECK: scf.forall (%{{.*}}) in (%[[N]])
// CHECK: soac.reduce
// CHECK-NOT: mapping
// CHECK: return
// SUMS0: [1, 1, 1]
// SUMS: [1, 44851, 89701]
// SHORT: [1, 8002, 16003]
// MANY: [1, 2, 3, 4, 5, {{.*}}, 32767, 32768]
func.func @sums(%n: index, %m: index) -> tensor<?xindex> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %is = soac.iota %n : tensor<?xindex>
  %js = soac.iota %m : tensor<?xindex>
  %ys = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xindex> {
    %xs = soac.map ins(%js : tensor<?xindex>) (%j: index) -> tensor<?xindex> {
      %x = arith.muli %i, %j : index
      soac.yield %x : index
    }
    %s = soac.reduce ins(%xs : tensor<?xindex>) neutral(%zero : index) (%l: index, %r: index) {
      %t = arith.addi %l, %r : index
      soac.yield %t : index
    }
    %y = arith.addi %s, %one : index
    soac.yield %y : index
  }
  return %ys : tensor<?xindex>
}

// The greatest element of each row and a sum, which are numbers, are made by one kernel, the rows by another one of n * m
// threads, however many rows there are: two numbers for each are less than what a thread for each would ask for in vain.
// CHECK-LABEL: func.func @normal(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index, %[[M:[a-z0-9]+]]: index
// CHECK: %[[BOTH:.*]]:2 = scf.if
// CHECK-COUNT-4: mapping = [#gpu.block
// CHECK: } else {
// CHECK: scf.forall (%{{.*}}) in (%[[N]])
// CHECK: arith.maxsi
// CHECK: arith.addi
// CHECK: mapping = [#gpu.block<linear_dim_0>]
// CHECK: } else {
// CHECK: scf.forall (%{{.*}}) in (%[[N]])
// CHECK: }
// CHECK-NOT: scf.if
// CHECK: scf.forall (%[[I:.*]], %[[J:.*]]) in (%[[N]], %[[M]])
// CHECK-DAG: tensor.extract %{{.*}}#0[%[[I]]]
// CHECK-DAG: tensor.extract %{{.*}}#1[%[[I]]]
// CHECK: return
func.func @normal(%n: index, %m: index) -> (tensor<?x?xi64>, tensor<?xi64>) {
  %zero = arith.constant 0 : i64
  %least = arith.constant -1000 : i64
  %c7 = arith.constant 7 : i64
  %c11 = arith.constant 11 : i64
  %is = soac.iota %n : tensor<?xi64>
  %js = soac.iota %m : tensor<?xi64>
  %yss, %zs = soac.map ins(%is : tensor<?xi64>) (%i: i64) -> (tensor<?x?xi64>, tensor<?xi64>) {
    %xs = soac.map ins(%js : tensor<?xi64>) (%j: i64) -> tensor<?xi64> {
      %p = arith.muli %j, %c7 : i64
      %q = arith.addi %p, %i : i64
      %x = arith.remui %q, %c11 : i64
      soac.yield %x : i64
    }
    %greatest = soac.reduce ins(%xs : tensor<?xi64>) neutral(%least : i64) (%l: i64, %r: i64) {
      %t = arith.maxsi %l, %r : i64
      soac.yield %t : i64
    }
    %below = soac.map ins(%xs : tensor<?xi64>) (%x: i64) -> tensor<?xi64> {
      %d = arith.subi %x, %greatest : i64
      soac.yield %d : i64
    }
    %sum = soac.reduce ins(%below : tensor<?xi64>) neutral(%zero : i64) (%l: i64, %r: i64) {
      %t = arith.addi %l, %r : i64
      soac.yield %t : i64
    }
    %ys = soac.map ins(%below : tensor<?xi64>) (%d: i64) -> tensor<?xi64> {
      %y = arith.muli %d, %sum : i64
      soac.yield %y : i64
    }
    %z = arith.addi %sum, %greatest : i64
    soac.yield %ys, %z : tensor<?xi64>, i64
  }
  return %yss, %zs : tensor<?x?xi64>, tensor<?xi64>
}

// An array that is read at any place is made in front. 7 * 300 rows are few, so that there are no versions.
// CHECK-LABEL: func.func @read(
// CHECK-NOT: scf.if
// CHECK: %[[SQUARES:.*]] = scf.forall (%{{.*}}, %{{.*}}) in (7, %[[N:.*]]) shared_outs
// CHECK: arith.muli
// CHECK: scf.forall (%[[I:.*]], %[[J:.*]]) in (7, %[[N]])
// CHECK: tensor.extract
// CHECK: return
// READ: {{\[}}[36, 25, 16, 9, 4, 1, 0],
func.func @read(%n: index) -> tensor<7x?xindex> {
  %one = arith.constant 1 : index
  %is = soac.iota : tensor<7xindex>
  %js = soac.iota %n : tensor<?xindex>
  %last = arith.subi %n, %one : index
  %yss = soac.map ins(%is : tensor<7xindex>) (%i: index) -> tensor<7x?xindex> {
    %xs = soac.map ins(%js : tensor<?xindex>) (%j: index) -> tensor<?xindex> {
      %s = arith.addi %i, %j : index
      %x = arith.muli %s, %s : index
      soac.yield %x : index
    }
    %ys = soac.map ins(%js : tensor<?xindex>) (%j: index) -> tensor<?xindex> {
      %k = arith.subi %last, %j : index
      %x = tensor.extract %xs[%k] : tensor<?xindex>
      soac.yield %x : index
    }
    soac.yield %ys : tensor<?xindex>
  }
  return %yss : tensor<7x?xindex>
}

// A row that is handed on is copied by threads, not by a block.
// CHECK-LABEL: func.func @rows(
// CHECK: return
// ROWS: [44850, 44850]
// ROWS-NEXT: {{\[}}[0, 1, 2, {{.*}}, 299],
// ROWS-NEXT: [0, 1, 2, {{.*}}, 299]]
func.func @rows(%n: index) -> (tensor<2xindex>, tensor<2x?xindex>) {
  %zero = arith.constant 0 : index
  %is = soac.iota %n : tensor<?xindex>
  %xss = soac.replicate %is : tensor<?xindex> -> tensor<2x?xindex>
  %ss, %rows = soac.map ins(%xss : tensor<2x?xindex>) (%xs: tensor<?xindex>) -> (tensor<2xindex>, tensor<2x?xindex>) {
    %s = soac.reduce ins(%xs : tensor<?xindex>) neutral(%zero : index) (%l: index, %r: index) {
      %t = arith.addi %l, %r : index
      soac.yield %t : index
    }
    soac.yield %s, %xs : index, tensor<?xindex>
  }
  return %ss, %rows : tensor<2xindex>, tensor<2x?xindex>
}
