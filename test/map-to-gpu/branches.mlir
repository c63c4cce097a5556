// Maps in branches that only update what is outside have threads for each of their iterations, which decide for
// themselves whether they are in the branch; they update accumulators by atomic additions (F45).
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,canonicalize,cse,canonicalize)' | FileCheck %s
// DEFINE: %{emulate} = ad-opt run %s --target=gpu-emulate
// RUN: %{emulate} --entry=chosen --input=8 --input=3 | FileCheck %s --check-prefix=CHOSEN
// RUN: %{emulate} --entry=chosen --input=8 --input=0 | FileCheck %s --check-prefix=EMPTY
// RUN: %{emulate} --entry=chosen --input=1 --input=3 | FileCheck %s --check-prefix=NONE
// RUN: %{emulate} --entry=chosen --input=40000 --input=3 | FileCheck %s --check-prefix=WIDE
// RUN: %{emulate} --entry=either --input=6 --input=4 --input=10 | FileCheck %s --check-prefix=EITHER
// RUN: %{emulate} --entry=either --input=6 --input=4 --input=100 | FileCheck %s --check-prefix=ELSE
// RUN: %{emulate} --entry=kept --input=5 | FileCheck %s --check-prefix=KEPT
// RUN: ad-opt run %s --entry=kept --input=5 | FileCheck %s --check-prefix=KEPT

// The row of %centres is read behind the condition, where its number is in range. There are no versions: only numbers
// are stored, so that this is better for any number of rows.
// CHECK-LABEL: func.func @chosen(
// CHECK: %[[SUMS:.*]] = bufferization.to_buffer %{{.*}} : tensor<3x?xf64>
// CHECK: %[[COUNTS:.*]] = bufferization.to_buffer %{{.*}} : tensor<3xi64>
// CHECK-NOT: scf.if
// CHECK: %[[FOUND:.*]] = scf.forall (%{{.*}}) in (%{{.*}}) shared_outs
// CHECK: soac.reduce
// The rest of the branch, once for each row.
// CHECK: scf.forall (%[[ROW:.*]]) in (%{{.*}}) {
// CHECK: %[[FOUND1:.*]] = tensor.extract %[[FOUND]][%[[ROW]]]
// CHECK: %[[AT1:.*]] = arith.subi %[[FOUND1]], %{{.*}}
// CHECK: scf.if
// CHECK: memref.atomic_rmw addi %{{.*}}, %[[COUNTS]][%[[AT1]]]
// CHECK-NEXT: }
// CHECK: scf.forall (%[[I:.*]], %[[J:.*]]) in (%{{.*}}, %{{.*}}) {
// CHECK: %[[FOUND2:.*]] = tensor.extract %[[FOUND]][%[[I]]]
// CHECK: %[[AT2:.*]] = arith.subi %[[FOUND2]], %{{.*}}
// CHECK: scf.if
// CHECK: %[[CENTRE:.*]] = tensor.extract_slice %{{.*}}[%[[AT2]], 0]
// CHECK: tensor.extract %[[CENTRE]][%[[J]]]
// CHECK: memref.atomic_rmw addf %{{.*}}, %[[SUMS]][%[[AT2]], %[[J]]]
// CHECK-NOT: soac.map
// CHECK: return
// CHOSEN: [0.0, 6.0, 12.0],
// CHOSEN-NEXT: [80.0, 88.0, 96.0],
// CHOSEN-NEXT: [200.0, 210.0, 220.0]]
// CHOSEN-NEXT: [2, 2, 2]
// EMPTY: [] # shape (3, 0)
// EMPTY-NEXT: [2, 2, 2]
// NONE: [0.0, 0.0, 0.0],
// NONE-NEXT: [0.0, 0.0, 0.0],
// NONE-NEXT: [0.0, 0.0, 0.0]]
// NONE-NEXT: [0, 0, 0]
// WIDE: [10000, 10000, 10000]
func.func @chosen(%n: index, %m: index) -> (tensor<3x?xf64>, tensor<3xi64>) {
  %zero = arith.constant 0.0 : f64
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  %zeros = tensor.splat %zero[%m] : tensor<3x?xf64>
  %nones = tensor.splat %none : tensor<3xi64>
  %is = soac.iota %n : tensor<?xindex>
  %js = soac.iota %m : tensor<?xindex>
  %ks = soac.iota : tensor<3xindex>
  %fours = soac.iota : tensor<40xindex>
  %centres = soac.map ins(%ks : tensor<3xindex>) (%k: index) -> tensor<3x?xf64> {
    %row = soac.map ins(%js : tensor<?xindex>) (%j: index) -> tensor<?xf64> {
      %tens = arith.muli %k, %c10 : index
      %number = arith.addi %tens, %j : index
      %x = func.call @float(%number) : (index) -> f64
      soac.yield %x : f64
    }
    soac.yield %row : tensor<?xf64>
  }
  %sums, %counts = soac.with_acc ins(%zeros, %nones : tensor<3x?xf64>, tensor<3xi64>)
      (%a: !soac.acc<tensor<3x?xf64>>, %b: !soac.acc<tensor<3xi64>>) -> (tensor<3x?xf64>, tensor<3xi64>) {
    %c, %d = soac.map ins(%is : tensor<?xindex>) accs(%a, %b : !soac.acc<tensor<3x?xf64>>, !soac.acc<tensor<3xi64>>)
        (%i: index, %a0: !soac.acc<tensor<3x?xf64>>, %b0: !soac.acc<tensor<3xi64>>)
        -> (!soac.acc<tensor<3x?xf64>>, !soac.acc<tensor<3xi64>>) {
      // -1, 0, 1, 2, -1, ..
      %rest = arith.remui %i, %c4 : index
      %matches = soac.map ins(%fours : tensor<40xindex>) (%k: index) -> tensor<40xindex> {
        %own = arith.remui %k, %c4 : index
        %is_match = arith.cmpi eq, %own, %rest : index
        %match = arith.select %is_match, %own, %c0 : index
        soac.yield %match : index
      }
      %found = soac.reduce ins(%matches : tensor<40xindex>) neutral(%c0 : index) (%l: index, %r: index) {
        %greater = arith.maxsi %l, %r : index
        soac.yield %greater : index
      }
      %at = arith.subi %found, %c1 : index
      %is_valid = arith.cmpi sge, %at, %c0 : index
      %a3, %b3 = scf.if %is_valid -> (!soac.acc<tensor<3x?xf64>>, !soac.acc<tensor<3xi64>>) {
        %centre = tensor.extract_slice %centres[%at, 0] [1, %m] [1, 1] : tensor<3x?xf64> to tensor<?xf64>
        %number = arith.index_cast %i : index to i64
        %factor = arith.sitofp %number : i64 to f64
        %values = soac.map ins(%centre : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
          %value = arith.mulf %x, %factor : f64
          soac.yield %value : f64
        }
        %a1 = soac.update_acc %a0[%at], %values : !soac.acc<tensor<3x?xf64>>, tensor<?xf64>
        %b1 = soac.update_acc %b0[%at], %one : !soac.acc<tensor<3xi64>>, i64
        scf.yield %a1, %b1 : !soac.acc<tensor<3x?xf64>>, !soac.acc<tensor<3xi64>>
      } else {
        scf.yield %a0, %b0 : !soac.acc<tensor<3x?xf64>>, !soac.acc<tensor<3xi64>>
      }
      soac.yield %a3, %b3 : !soac.acc<tensor<3x?xf64>>, !soac.acc<tensor<3xi64>>
    }
    soac.yield %c, %d : !soac.acc<tensor<3x?xf64>>, !soac.acc<tensor<3xi64>>
  }
  return %sums, %counts : tensor<3x?xf64>, tensor<3xi64>
}

// Both branches, and a branch in a branch. The sum that the inner map needs is made once for each row: it is a result of
// the branch, and is stored.
// CHECK-LABEL: func.func @either(
// Few long rows in parts, rows by blocks, rows by threads.
// CHECK-COUNT-2: mapping = [#gpu.block
// CHECK: } else {
// CHECK: mapping = [#gpu.block<linear_dim_0>]
// CHECK: } else {
// CHECK: scf.yield %{{.*}} : tensor<?xi64>
// CHECK-NEXT: }
// CHECK: %[[SUM:.*]] = scf.forall (%{{.*}}) in (%{{.*}}) shared_outs
// CHECK: scf.if %{{.*}} -> (i64)
// CHECK: soac.reduce
// What is in the second branch.
// CHECK: scf.forall (%{{.*}}, %[[J:.*]]) in (%{{.*}}, %{{.*}}) {
// CHECK: scf.if
// CHECK: memref.atomic_rmw addf %{{.*}}, %{{.*}}[%[[J]]] : (f32
// CHECK: scf.forall (%[[I:.*]], %[[J:.*]]) in (%{{.*}}, %{{.*}}) {
// CHECK: tensor.extract %[[SUM]][%[[I]]]
// CHECK: scf.if
// CHECK: scf.if
// CHECK: memref.atomic_rmw addi %{{.*}}, %{{.*}}[%[[J]]] : (i64
// CHECK-NOT: scf.forall
// CHECK: return
// EITHER: [-1, -1, 14, 18, 22, 26]
// EITHER-NEXT: [36, 38, 40, 42]
// EITHER-NEXT: [1.0, 1.0, 1.0, 1.0]
// ELSE: [-1, -1, -1, -1, -1, -1]
// ELSE-NEXT: [0, 0, 0, 0]
// ELSE-NEXT: [15.0, 15.0, 15.0, 15.0]
func.func @either(%n: index, %m: index, %limit: i64) -> (tensor<?xi64>, tensor<?xi64>, tensor<?xf32>) {
  %minus_one = arith.constant -1 : i64
  %none = arith.constant 0 : i64
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %nones = tensor.splat %none[%m] : tensor<?xi64>
  %zeros = tensor.splat %zero[%m] : tensor<?xf32>
  %is = soac.iota %n : tensor<?xindex>
  %js = soac.iota %m : tensor<?xi64>
  %as, %bs, %totals = soac.with_acc ins(%nones, %zeros : tensor<?xi64>, tensor<?xf32>)
      (%a: !soac.acc<tensor<?xi64>>, %b: !soac.acc<tensor<?xf32>>) -> (tensor<?xi64>, tensor<?xf32>, tensor<?xi64>) {
    %ts, %c, %d = soac.map ins(%is : tensor<?xindex>) accs(%a, %b : !soac.acc<tensor<?xi64>>, !soac.acc<tensor<?xf32>>)
        (%i: index, %a0: !soac.acc<tensor<?xi64>>, %b0: !soac.acc<tensor<?xf32>>)
        -> (tensor<?xi64>, !soac.acc<tensor<?xi64>>, !soac.acc<tensor<?xf32>>) {
      %row = arith.index_cast %i : index to i64
      %products = soac.map ins(%js : tensor<?xi64>) (%j: i64) -> tensor<?xi64> {
        %product = arith.muli %row, %j : i64
        soac.yield %product : i64
      }
      %all = soac.reduce ins(%products : tensor<?xi64>) neutral(%none : i64) (%l: i64, %r: i64) {
        %s = arith.addi %l, %r : i64
        soac.yield %s : i64
      }
      %is_large = arith.cmpi sgt, %all, %limit : i64
      %t, %a4, %b4 = scf.if %is_large -> (i64, !soac.acc<tensor<?xi64>>, !soac.acc<tensor<?xf32>>) {
        %sums = soac.map ins(%js : tensor<?xi64>) (%j: i64) -> tensor<?xi64> {
          %sum = arith.addi %row, %j : i64
          soac.yield %sum : i64
        }
        %total = soac.reduce ins(%sums : tensor<?xi64>) neutral(%none : i64) (%l: i64, %r: i64) {
          %s = arith.addi %l, %r : i64
          soac.yield %s : i64
        }
        %rest = arith.remui %i, %c2 : index
        %is_even = arith.cmpi eq, %rest, %c0 : index
        %a3 = scf.if %is_even -> !soac.acc<tensor<?xi64>> {
          %values = soac.map ins(%js : tensor<?xi64>) (%j: i64) -> tensor<?xi64> {
            %value = arith.addi %total, %j : i64
            soac.yield %value : i64
          }
          %a1 = soac.update_acc %a0[], %values : !soac.acc<tensor<?xi64>>, tensor<?xi64>
          scf.yield %a1 : !soac.acc<tensor<?xi64>>
        } else {
          scf.yield %a0 : !soac.acc<tensor<?xi64>>
        }
        scf.yield %total, %a3, %b0 : i64, !soac.acc<tensor<?xi64>>, !soac.acc<tensor<?xf32>>
      } else {
        %float = arith.sitofp %row : i64 to f32
        %values = soac.map ins(%js : tensor<?xi64>) (%j: i64) -> tensor<?xf32> {
          soac.yield %float : f32
        }
        %b1 = soac.update_acc %b0[], %values : !soac.acc<tensor<?xf32>>, tensor<?xf32>
        scf.yield %minus_one, %a0, %b1 : i64, !soac.acc<tensor<?xi64>>, !soac.acc<tensor<?xf32>>
      }
      soac.yield %t, %a4, %b4 : i64, !soac.acc<tensor<?xi64>>, !soac.acc<tensor<?xf32>>
    }
    soac.yield %c, %d, %ts : !soac.acc<tensor<?xi64>>, !soac.acc<tensor<?xf32>>, tensor<?xi64>
  }
  return %totals, %as, %bs : tensor<?xi64>, tensor<?xi64>, tensor<?xf32>
}

// Maps stay where the number of their iterations is known in the branch only, where they need an array that the branch
// makes, and where they have few iterations.
// CHECK-LABEL: func.func @kept(
// CHECK: } {mapping = [#gpu.block<linear_dim_0>]}
// CHECK-NEXT: } else {
// CHECK: scf.forall (%[[I:[a-z0-9]+]]) in (%{{.*}}) {
// CHECK: scf.if
// CHECK-COUNT-3: memref.atomic_rmw
// CHECK-NOT: scf.forall
// CHECK: return
// KEPT: [663, 618, 576, 537, 201, 168, 138, 111, 87, 66, 48, 32, 19, 9, 3, 0]
func.func @kept(%n: index) -> tensor<16xi64> {
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %hundred = arith.constant 100 : i64
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c15 = arith.constant 15 : index
  %nones = tensor.splat %none : tensor<16xi64>
  %is = soac.iota %n : tensor<?xindex>
  %js = soac.iota : tensor<16xindex>
  %numbers = soac.iota : tensor<16xi64>
  %few = soac.iota : tensor<4xindex>
  %sums = soac.with_acc ins(%nones : tensor<16xi64>) (%a: !soac.acc<tensor<16xi64>>) -> tensor<16xi64> {
    %b = soac.map ins(%is : tensor<?xindex>) accs(%a : !soac.acc<tensor<16xi64>>) (%i: index, %a0: !soac.acc<tensor<16xi64>>)
        -> !soac.acc<tensor<16xi64>> {
      %is_large = arith.cmpi ugt, %i, %c1 : index
      %a7 = scf.if %is_large -> !soac.acc<tensor<16xi64>> {
        %size = arith.addi %i, %c9 : index
        %own = soac.iota %size : tensor<?xindex>
        %a2 = soac.map ins(%own : tensor<?xindex>) accs(%a0 : !soac.acc<tensor<16xi64>>)
            (%j: index, %a1: !soac.acc<tensor<16xi64>>) -> !soac.acc<tensor<16xi64>> {
          %next = soac.update_acc %a1[%j], %one : !soac.acc<tensor<16xi64>>, i64
          soac.yield %next : !soac.acc<tensor<16xi64>>
        }
        %prefixes = soac.scan ins(%numbers : tensor<16xi64>) neutral(%none : i64) (%l: i64, %r: i64) {
          %s = arith.addi %l, %r : i64
          soac.yield %s : i64
        }
        %a4 = soac.map ins(%js : tensor<16xindex>) accs(%a2 : !soac.acc<tensor<16xi64>>)
            (%j: index, %a3: !soac.acc<tensor<16xi64>>) -> !soac.acc<tensor<16xi64>> {
          %other = arith.subi %c15, %j : index
          %prefix = tensor.extract %prefixes[%other] : tensor<16xi64>
          %next = soac.update_acc %a3[%j], %prefix : !soac.acc<tensor<16xi64>>, i64
          soac.yield %next : !soac.acc<tensor<16xi64>>
        }
        %a6 = soac.map ins(%few : tensor<4xindex>) accs(%a4 : !soac.acc<tensor<16xi64>>)
            (%j: index, %a5: !soac.acc<tensor<16xi64>>) -> !soac.acc<tensor<16xi64>> {
          %next = soac.update_acc %a5[%j], %hundred : !soac.acc<tensor<16xi64>>, i64
          soac.yield %next : !soac.acc<tensor<16xi64>>
        }
        scf.yield %a6 : !soac.acc<tensor<16xi64>>
      } else {
        scf.yield %a0 : !soac.acc<tensor<16xi64>>
      }
      soac.yield %a7 : !soac.acc<tensor<16xi64>>
    }
    soac.yield %b : !soac.acc<tensor<16xi64>>
  }
  return %sums : tensor<16xi64>
}

func.func private @float(%i: index) -> f64 {
  %integer = arith.index_cast %i : index to i64
  %float = arith.sitofp %integer : i64 to f64
  return %float : f64
}
