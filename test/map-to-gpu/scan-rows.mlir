// Scans in maps: a block for each of a few long rows, a thread for each of other rows.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,canonicalize,cse)' | FileCheck %s
// RUN: ad-opt run %s --entry=sums --input=3 --input=0 --target=gpu-emulate | FileCheck %s --check-prefix=SUMS0
// RUN: ad-opt run %s --entry=sums --input=0 --input=3 --target=gpu-emulate | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %s --entry=sums --input=3 --input=5 --target=gpu-emulate | FileCheck %s --check-prefix=SUMS5
// DEFINE: %{call} =
// DEFINE: %{both} = rm -rf %t.cpu %t.gpu && ad-opt run %s %{call} --output-dir=%t.cpu && \
// DEFINE:           ad-opt run %s %{call} --output-dir=%t.gpu --target=gpu-emulate && cmp %t.cpu/0.npy %t.gpu/0.npy
// REDEFINE: %{call} = --entry=sums --input=3 --input=1024
// RUN: %{both}
// REDEFINE: %{call} = --entry=sums --input=2 --input=3001
// RUN: %{both}
// REDEFINE: %{call} = --entry=sums --input=32768 --input=2
// RUN: %{both}
// REDEFINE: %{call} = --entry=recurrences --input=3 --input=3001
// RUN: %{both}
// REDEFINE: %{call} = --entry=recurrences --input=3 --input=7
// RUN: %{both}
// REDEFINE: %{call} = --entry=backwards --input=3 --input=3001
// RUN: %{both}
// REDEFINE: %{call} = --entry=scaled --input=3 --input=2050
// RUN: %{both}
// REDEFINE: %{call} = --entry=scaled --input=300 --input=5
// RUN: %{both}

// CHECK-LABEL: func.func @sums(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index, %[[M:[a-z0-9]+]]: index
// CHECK: %[[FEW:.*]] = arith.cmpi slt, %[[N]], %c32768
// CHECK: %[[LONG:.*]] = arith.cmpi sge, %[[M]], %c1024
// CHECK: arith.andi %[[FEW]], %[[LONG]]
// CHECK: scf.forall (%[[I:.*]]) in (%[[N]]) shared_outs(%[[OUT:.*]] = %{{.*}}) -> (tensor<?x?xi64>) {
// CHECK: %[[ROW:.*]] = tensor.extract_slice %[[OUT]][%[[I]], 0]
// CHECK: %[[SUMS:.*]] = memref.alloc() : memref<8xi64>
// Each subgroup adds up a stretch, in which neighbouring threads have neighbouring elements.
// CHECK: scf.forall (%[[T:.*]]) in (256)
// CHECK: %[[NUMBER:.*]] = arith.divui %[[T]], %c32
// CHECK: %[[LANE:.*]] = arith.remui %[[T]], %c32
// CHECK: %[[TOTAL:.*]] = scf.for
// CHECK: scf.for %{{.*}} = %c0 to %c5 step %c1 iter_args(%{{.*}} = %[[TOTAL]])
// CHECK: gpu.shuffle down
// CHECK: %[[IS_FIRST:.*]] = arith.cmpi eq, %[[LANE]], %c0
// CHECK: scf.if %[[IS_FIRST]]
// CHECK: memref.store %{{.*}}, %[[SUMS]][%[[NUMBER]]]
// Stretches start with what is before them.
// CHECK: scf.forall (%[[U:.*]]) in (256) shared_outs(%[[SAME:.*]] = %[[ROW]])
// CHECK: %[[START:.*]] = scf.for
// CHECK: memref.load %[[SUMS]]
// CHECK: %[[PART:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %[[START]]
// CHECK: scf.for %[[K:.*]] = %c0 to %c5 step %c1
// CHECK: %[[DISTANCE:.*]] = arith.shli %c1, %[[K]]
// CHECK: %[[BEFORE:.*]], %{{.*}} = gpu.shuffle up %[[MINE:[a-z0-9]+]],
// CHECK: %[[IS_THERE:.*]] = arith.cmpi sge, %{{.*}}, %[[DISTANCE]]
// CHECK: %[[BOTH:.*]] = arith.addi %[[BEFORE]], %[[MINE]]
// CHECK: arith.select %[[IS_THERE]], %[[BOTH]], %[[MINE]]
// CHECK: tensor.parallel_insert_slice %[[PART]]#1 into %[[SAME]]
// CHECK: } {mapping = [#gpu.thread<linear_dim_0>]}
// CHECK: } {mapping = [#gpu.block<linear_dim_0>]}
// CHECK: } else {
// CHECK: scf.forall (%{{.*}}) in (%[[N]])
// CHECK: soac.scan
// CHECK: return
// SUMS0: []
// NONE: []
// SUMS5: {{\[}}[0, 1, 3, 6, 10],
// SUMS5-NEXT: [1, 3, 6, 10, 15],
// SUMS5-NEXT: [2, 5, 9, 14, 20]]
func.func @sums(%n: index, %m: index) -> tensor<?x?xi64> {
  %zero = arith.constant 0 : i64
  %is = soac.iota %n : tensor<?xi64>
  %js = soac.iota %m : tensor<?xi64>
  %yss = soac.map ins(%is : tensor<?xi64>) (%i: i64) -> tensor<?x?xi64> {
    %xs = soac.map ins(%js : tensor<?xi64>) (%j: i64) -> tensor<?xi64> {
      %x = arith.addi %i, %j : i64
      soac.yield %x : i64
    }
    %ys = soac.scan ins(%xs : tensor<?xi64>) neutral(%zero : i64) (%l: i64, %r: i64) {
      %s = arith.addi %l, %r : i64
      soac.yield %s : i64
    }
    soac.yield %ys : tensor<?xi64>
  }
  return %yss : tensor<?x?xi64>
}

// y = x - y for each x: pairs, whose order matters, and of which one component is read.
// CHECK-LABEL: func.func @recurrences(
// CHECK: scf.forall {{.*}} -> (tensor<?x?xi64>)
// CHECK-COUNT-8: gpu.shuffle down
// CHECK: scf.forall (%{{.*}}) in (256) {{.*}} -> (tensor<?xi64>)
// CHECK-COUNT-8: gpu.shuffle up
func.func @recurrences(%n: index, %m: index) -> tensor<?x?xi64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %minus = arith.constant -1 : i64
  %is = soac.iota %n : tensor<?xi64>
  %js = soac.iota %m : tensor<?xi64>
  %as = soac.replicate %minus, %m : i64 -> tensor<?xi64>
  %yss = soac.map ins(%is : tensor<?xi64>) (%i: i64) -> tensor<?x?xi64> {
    %xs = soac.map ins(%js : tensor<?xi64>) (%j: i64) -> tensor<?xi64> {
      %x = arith.muli %i, %j : i64
      soac.yield %x : i64
    }
    %ys:2 = soac.scan ins(%as, %xs : tensor<?xi64>, tensor<?xi64>) neutral(%one, %zero : i64, i64)
        (%a: i64, %p: i64, %c: i64, %q: i64) {
      %slope = arith.muli %a, %c : i64
      %t = arith.muli %c, %p : i64
      %s = arith.addi %t, %q : i64
      soac.yield %slope, %s : i64, i64
    }
    soac.yield %ys#1 : tensor<?xi64>
  }
  return %yss : tensor<?x?xi64>
}

// From the end, without the element itself. The right one of two elements is the later one in the array.
func.func @backwards(%n: index, %m: index) -> tensor<?x?xi64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %minus = arith.constant -1 : i64
  %is = soac.iota %n : tensor<?xi64>
  %js = soac.iota %m : tensor<?xi64>
  %as = soac.replicate %minus, %m : i64 -> tensor<?xi64>
  %yss = soac.map ins(%is : tensor<?xi64>) (%i: i64) -> tensor<?x?xi64> {
    %xs = soac.map ins(%js : tensor<?xi64>) (%j: i64) -> tensor<?xi64> {
      %x = arith.muli %i, %j : i64
      soac.yield %x : i64
    }
    %ys:2 = soac.scan ins(%as, %xs : tensor<?xi64>, tensor<?xi64>) neutral(%one, %zero : i64, i64)
        (%a: i64, %p: i64, %c: i64, %q: i64) attributes {exclusive, reverse} {
      %slope = arith.muli %a, %c : i64
      %t = arith.muli %c, %p : i64
      %s = arith.addi %t, %q : i64
      soac.yield %slope, %s : i64, i64
    }
    soac.yield %ys#1 : tensor<?xi64>
  }
  return %yss : tensor<?x?xi64>
}

// A scan and a sum between maps: four kernels, each of which chooses.
// CHECK-LABEL: func.func @scaled(
// CHECK: soac.scan
func.func @scaled(%n: index, %m: index) -> tensor<?x?xindex> {
  %zero = arith.constant 0 : index
  %is = soac.iota %n : tensor<?xindex>
  %js = soac.iota %m : tensor<?xindex>
  %yss = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?x?xindex> {
    %xs = soac.map ins(%js : tensor<?xindex>) (%j: index) -> tensor<?xindex> {
      %x = arith.addi %i, %j : index
      soac.yield %x : index
    }
    %ys = soac.scan ins(%xs : tensor<?xindex>) neutral(%zero : index) (%l: index, %r: index) {
      %s = arith.maxui %l, %r : index
      soac.yield %s : index
    }
    %sum = soac.reduce ins(%ys : tensor<?xindex>) neutral(%zero : index) (%l: index, %r: index) {
      %s = arith.addi %l, %r : index
      soac.yield %s : index
    }
    %zs = soac.map ins(%ys : tensor<?xindex>) (%y: index) -> tensor<?xindex> {
      %z = arith.muli %y, %sum : index
      soac.yield %z : index
    }
    soac.yield %zs : tensor<?xindex>
  }
  return %yss : tensor<?x?xindex>
}
