// Maps inside of maps have a thread for each row of all of them.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,canonicalize,cse)' | FileCheck %s
// RUN: ad-opt run %s --entry=table --input=2 --input=0 --target=gpu-emulate | FileCheck %s --check-prefix=TABLE0
// RUN: ad-opt run %s --entry=table --input=2 --input=3 --target=gpu-emulate | FileCheck %s --check-prefix=TABLE
// RUN: ad-opt run %s --entry=deep --input=2 --target=gpu-emulate | FileCheck %s --check-prefix=DEEP
// RUN: ad-opt run %s --entry=triangle --input=3 --target=gpu-emulate | FileCheck %s --check-prefix=TRIANGLE
// RUN: %python %S/../driver/Inputs/npy.py %t.start.npy '<i8' '(3,)' 1 2 3
// RUN: ad-opt run %s --entry=update --input=5 --input=9 --input=%t.start.npy --target=gpu-emulate | FileCheck %s --check-prefix=UPDATE
// RUN: rm -rf %t.cpu %t.gpu
// RUN: ad-opt run %s --entry=private --input=300 --input=250 --input=70 --output-dir=%t.cpu
// RUN: ad-opt run %s --entry=private --input=300 --input=250 --input=70 --output-dir=%t.gpu --target=gpu-emulate
// RUN: cmp %t.cpu/0.npy %t.gpu/0.npy

// What is simple in the outer body is computed by each thread.
// CHECK-LABEL: func.func @table(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index, %[[M:[a-z0-9]+]]: index
// CHECK-NOT: soac.
// CHECK: scf.forall (%[[I:.*]], %[[J:.*]]) in (%[[N]], %[[M]]) shared_outs(%[[OUT:.*]] = %{{.*}}) -> (tensor<?x?xindex>) {
// CHECK: %[[TENS:.*]] = arith.muli %[[I]], %c10
// CHECK: %[[SUM:.*]] = arith.addi %[[TENS]], %[[J]]
// CHECK: %[[SLOT:.*]] = tensor.extract_slice %[[OUT]][%[[I]], %[[J]]] [1, 1] [1, 1]
// CHECK: %[[ONE:.*]] = tensor.insert %[[SUM]] into %[[SLOT]]
// CHECK: tensor.parallel_insert_slice %[[ONE]] into %[[OUT]][%[[I]], %[[J]]] [1, 1] [1, 1]
// CHECK-NOT: scf.forall (
// CHECK: return
// TABLE0: []  # shape (2, 0)
// TABLE: {{\[}}[0, 1, 2],
// TABLE-NEXT: [10, 11, 12]]
func.func @table(%n: index, %m: index) -> tensor<?x?xindex> {
  %c10 = arith.constant 10 : index
  %is = soac.iota %n : tensor<?xindex>
  %js = soac.iota %m : tensor<?xindex>
  %yss = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?x?xindex> {
    %t = arith.muli %i, %c10 : index
    %ys = soac.map ins(%js : tensor<?xindex>) (%j: index) -> tensor<?xindex> {
      %y = arith.addi %t, %j : index
      soac.yield %y : index
    }
    soac.yield %ys : tensor<?xindex>
  }
  return %yss : tensor<?x?xindex>
}

// One image of three channels: they are few, but each has many rows.
// CHECK-LABEL: func.func @image(
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (3, %{{.*}}) shared_outs
// CHECK-NOT: soac.map
// CHECK: return
func.func @image(%n: index) -> tensor<1x3x?xindex> {
  %images = soac.iota : tensor<1xindex>
  %channels = soac.iota : tensor<3xindex>
  %places = soac.iota %n : tensor<?xindex>
  %r = soac.map ins(%images : tensor<1xindex>) (%i: index) -> tensor<1x3x?xindex> {
    %image = soac.map ins(%channels : tensor<3xindex>) (%c: index) -> tensor<3x?xindex> {
      %channel = soac.map ins(%places : tensor<?xindex>) (%p: index) -> tensor<?xindex> {
        %x = arith.addi %c, %p : index
        soac.yield %x : index
      }
      soac.yield %channel : tensor<?xindex>
    }
    soac.yield %image : tensor<3x?xindex>
  }
  return %r : tensor<1x3x?xindex>
}

// Results in another order, a map in front of the inner one that is run in its threads, and a few numbers that one thread
// computes.
// CHECK-LABEL: func.func @deep(
// CHECK: scf.forall (%[[I:.*]], %[[J:.*]]) in (%{{.*}}, 9) shared_outs({{.*}}) -> (tensor<?x9x2xindex>, tensor<?x9xindex>) {
// CHECK: arith.muli %[[J]], %[[J]]
// CHECK: soac.map ins(%{{.*}} : tensor<2xindex>)
// CHECK-NOT: scf.forall (
// CHECK: return
// DEEP: {{\[\[}}[0, 1],
// DEEP: [0, 2]]]
// DEEP-NEXT: {{\[}}[0, 1, 4, {{.*}}64],
// DEEP-NEXT: [1, 2, 5, {{.*}}65]]
func.func @deep(%n: index) -> (tensor<?x9x2xindex>, tensor<?x9xindex>) {
  %is = soac.iota %n : tensor<?xindex>
  %js = soac.iota : tensor<9xindex>
  %ks = soac.iota : tensor<2xindex>
  %c1 = arith.constant 1 : index
  %yss, %zss = soac.map ins(%is : tensor<?xindex>) (%i: index) -> (tensor<?x9x2xindex>, tensor<?x9xindex>) {
    %squares = soac.map ins(%js : tensor<9xindex>) (%j: index) -> tensor<9xindex> {
      %s = arith.muli %j, %j : index
      soac.yield %s : index
    }
    %ys, %zs = soac.map ins(%squares : tensor<9xindex>) (%s: index) -> (tensor<9xindex>, tensor<9x2xindex>) {
      %y = arith.addi %s, %i : index
      %r = soac.map ins(%ks : tensor<2xindex>) (%k: index) -> tensor<2xindex> {
        %u = arith.addi %i, %c1 : index
        %v = arith.muli %k, %u : index
        soac.yield %v : index
      }
      soac.yield %y, %r : index, tensor<2xindex>
    }
    soac.yield %zs, %ys : tensor<9x2xindex>, tensor<9xindex>
  }
  return %yss, %zss : tensor<?x9x2xindex>, tensor<?x9xindex>
}

// Rows of different lengths are not a nest: one thread sums each.
// CHECK-LABEL: func.func @triangle(
// CHECK: scf.forall (%[[I:.*]]) in
// CHECK: soac.reduce
// CHECK: return
// TRIANGLE: [0, 1, 3]
func.func @triangle(%n: index) -> tensor<?xindex> {
  %zero = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %is = soac.iota %n : tensor<?xindex>
  %ys = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xindex> {
    %m = arith.addi %i, %c1 : index
    %js = soac.iota %m : tensor<?xindex>
    %s = soac.reduce ins(%js : tensor<?xindex>) neutral(%zero : index) (%l: index, %r: index) {
      %t = arith.addi %l, %r : index
      soac.yield %t : index
    }
    soac.yield %s : index
  }
  return %ys : tensor<?xindex>
}

// The threads of a nest update a buffer (F45): each place gets a third of 45 ones.
// CHECK-LABEL: func.func @update(
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (%{{.*}}, %{{.*}}) {
// CHECK: memref.atomic_rmw addi
// CHECK-NOT: scf.forall (
// CHECK: return
// UPDATE: [16, 17, 18]
func.func @update(%n: index, %m: index, %start: tensor<3xi64>) -> tensor<3xi64> {
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i64
  %is = soac.iota %n : tensor<?xindex>
  %js = soac.iota %m : tensor<?xindex>
  %r = soac.with_acc ins(%start : tensor<3xi64>) (%acc: !soac.acc<tensor<3xi64>>) -> tensor<3xi64> {
    %w = soac.map ins(%is : tensor<?xindex>) accs(%acc : !soac.acc<tensor<3xi64>>)
        (%i: index, %a: !soac.acc<tensor<3xi64>>) -> !soac.acc<tensor<3xi64>> {
      %v = soac.map ins(%js : tensor<?xindex>) accs(%a : !soac.acc<tensor<3xi64>>)
          (%j: index, %p: !soac.acc<tensor<3xi64>>) -> !soac.acc<tensor<3xi64>> {
        %s = arith.addi %i, %j : index
        %k = arith.remui %s, %c3 : index
        %q = soac.update_acc %p[%k], %one : !soac.acc<tensor<3xi64>>, i64
        soac.yield %q : !soac.acc<tensor<3xi64>>
      }
      soac.yield %v : !soac.acc<tensor<3xi64>>
    }
    soac.yield %w : !soac.acc<tensor<3xi64>>
  }
  return %r : tensor<3xi64>
}

// More threads than have a part of the buffer for their own arrays: those that share a part run one after the other.
// CHECK-LABEL: func.func @private(
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in
// CHECK: soac.scan
func.func @private(%n: index, %m: index, %k: index) -> tensor<?x?xindex> {
  %zero = arith.constant 0 : index
  %is = soac.iota %n : tensor<?xindex>
  %js = soac.iota %m : tensor<?xindex>
  %ks = soac.iota %k : tensor<?xindex>
  %yss = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?x?xindex> {
    %ys = soac.map ins(%js : tensor<?xindex>) (%j: index) -> tensor<?xindex> {
      %terms = soac.map ins(%ks : tensor<?xindex>) (%h: index) -> tensor<?xindex> {
        %p = arith.muli %h, %i : index
        %t = arith.addi %p, %j : index
        soac.yield %t : index
      }
      %sums = soac.scan ins(%terms : tensor<?xindex>) neutral(%zero : index) (%l: index, %r: index) {
        %t = arith.addi %l, %r : index
        soac.yield %t : index
      }
      %at = arith.remui %j, %k : index
      %y = tensor.extract %sums[%at] : tensor<?xindex>
      soac.yield %y : index
    }
    soac.yield %ys : tensor<?xindex>
  }
  return %yss : tensor<?x?xindex>
}
