// The threads of blocks combine parts of the elements, then what they have; one block combines what the blocks have.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,canonicalize,cse)' | FileCheck %s
// RUN: %python %S/../driver/Inputs/npy.py %t.npy '<f4' '(5,)' 1 2 3 4 0.5
// RUN: ad-opt run %s --entry=sum --input=0 --target=gpu-emulate | FileCheck %s --check-prefix=SUM0
// RUN: ad-opt run %s --entry=sum --input=1 --target=gpu-emulate | FileCheck %s --check-prefix=SUM1
// RUN: ad-opt run %s --entry=sum --input=257 --target=gpu-emulate | FileCheck %s --check-prefix=SUM257
// RUN: ad-opt run %s --entry=sum --input=1025 --target=gpu-emulate | FileCheck %s --check-prefix=SUM1025
// RUN: ad-opt run %s --entry=sum --input=3000 --target=gpu-emulate | FileCheck %s --check-prefix=SUM3000
// RUN: ad-opt run %s --entry=compose --input=0 --target=gpu-emulate | FileCheck %s --check-prefix=COMPOSE0
// RUN: ad-opt run %s --entry=compose --input=1 --target=gpu-emulate | FileCheck %s --check-prefix=COMPOSE1
// RUN: ad-opt run %s --entry=compose --input=257 --target=gpu-emulate | FileCheck %s --check-prefix=COMPOSE257
// RUN: ad-opt run %s --entry=compose --input=1025 --target=gpu-emulate | FileCheck %s --check-prefix=COMPOSE1025
// RUN: ad-opt run %s --entry=compose --input=3000 --target=gpu-emulate | FileCheck %s --check-prefix=COMPOSE3000
// RUN: ad-opt run %s --entry=short --input=%t.npy --target=gpu-emulate | FileCheck %s --check-prefix=SHORT

// A thread takes every so manieth element, which memory delivers to neighbours together: four of them before it adds the
// first, as long as there are four. What the 256 threads of a block
// have is added in registers by subgroups of 32, and the eight sums, which are in an array of the block, by one thread.
// CHECK-LABEL: func.func @sum(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK-NOT: soac.
// CHECK: %[[WANTED:.*]] = arith.ceildivsi %[[N]], %c1024
// CHECK: %[[SOME:.*]] = arith.maxsi %[[WANTED]], %c1
// CHECK: %[[BLOCKS:.*]] = arith.minsi %[[SOME]], %c1024
// CHECK: %[[STEP:.*]] = arith.muli %[[BLOCKS]], %c256
// CHECK: %[[PARTS:.*]] = scf.forall (%[[B:.*]]) in (%[[BLOCKS]]) shared_outs(%[[OUT:.*]] = %{{.*}}) -> (tensor<?xi64>) {
// CHECK: %[[FIRST:.*]] = arith.muli %[[B]], %c256
// CHECK: %[[OWN:.*]] = memref.alloc() : memref<8xi64>
// CHECK: scf.forall (%[[T:.*]]) in (256) {
// CHECK: %[[START:.*]] = arith.addi %[[FIRST]], %[[T]]
// CHECK: %[[AHEAD:.*]] = arith.muli %[[BLOCKS]], %c768
// CHECK: %[[FULL:.*]] = arith.subi %[[N]], %[[AHEAD]]
// CHECK: %[[FOUR:.*]] = arith.muli %[[BLOCKS]], %c1024
// CHECK: %[[MOST:.*]]:2 = scf.for %[[I:.*]] = %[[START]] to %[[FULL]] step %[[FOUR]] iter_args(%{{.*}} = %[[START]], %[[SUM:.*]] = %c0_i64)
// CHECK-COUNT-4: arith.index_cast
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %[[FOUR]]
// CHECK: %[[ONE:.*]] = arith.addi %[[SUM]], %{{.*}} : i64
// CHECK-NEXT: %[[TWO:.*]] = arith.addi %[[ONE]], %{{.*}} : i64
// CHECK-NEXT: %[[THREE:.*]] = arith.addi %[[TWO]], %{{.*}} : i64
// CHECK-NEXT: %[[ALL:.*]] = arith.addi %[[THREE]], %{{.*}} : i64
// CHECK-NEXT: scf.yield %[[NEXT]], %[[ALL]]
// CHECK: scf.for %[[I:.*]] = %[[MOST]]#0 to %[[N]] step %[[STEP]] iter_args(%{{.*}} = %[[MOST]]#1)
// CHECK: %[[K:.*]] = arith.index_cast %[[I]]
// CHECK: %[[Y:.*]] = arith.muli %[[K]], %[[K]]
// CHECK: arith.addi %{{.*}}, %[[Y]]
// CHECK: scf.for %[[K:.*]] = %c0 to %c5 step %c1 iter_args(%[[MINE:.*]] = %{{.*}}) -> (i64) {
// CHECK: %[[POWER:.*]] = arith.shli %c1, %[[K]]
// CHECK: %[[DISTANCE:.*]] = arith.index_cast %[[POWER]] : index to i32
// CHECK: %[[BEHIND:.*]], %{{.*}} = gpu.shuffle down %[[MINE]], %[[DISTANCE]], %c32_i32 : i64
// CHECK: arith.addi %[[MINE]], %[[BEHIND]]
// CHECK: %[[LANE:.*]] = arith.remui %[[T]], %c32
// CHECK: %[[IS_FIRST:.*]] = arith.cmpi eq, %[[LANE]], %c0
// CHECK: scf.if %[[IS_FIRST]]
// CHECK: %[[SUBGROUP:.*]] = arith.divui %[[T]], %c32
// CHECK: memref.store %{{.*}}, %[[OWN]][%[[SUBGROUP]]]
// CHECK: {mapping = [#gpu.thread<linear_dim_0>]}
// CHECK: scf.forall (%{{.*}}) in (1)
// CHECK: %[[S:.*]] = memref.load %[[OWN]][%c0]
// CHECK: scf.for %[[Q:.*]] = %c1 to %c8 step %c1 iter_args(%[[SUM:.*]] = %[[S]])
// CHECK: %[[NEXT:.*]] = memref.load %[[OWN]][%[[Q]]]
// CHECK: arith.addi %[[SUM]], %[[NEXT]]
// CHECK: memref.store %{{.*}}, %[[OWN]][%c0]
// CHECK: {mapping = [#gpu.thread<linear_dim_0>]}
// CHECK: %[[TOTAL:.*]] = memref.load %[[OWN]][%c0]
// CHECK: %[[ROW:.*]] = tensor.insert %[[TOTAL]] into
// CHECK: tensor.parallel_insert_slice %[[ROW]] into %[[OUT]][%[[B]]] [1] [1]
// CHECK: {mapping = [#gpu.block<linear_dim_0>]}
// CHECK: scf.forall {{.*}} in (1)
// CHECK: scf.forall (%[[U:.*]]) in (256)
// CHECK: %[[MOST:.*]]:2 = scf.for %{{.*}} = %[[U]] to %{{.*}} step %c1024
// CHECK: scf.for %[[J:.*]] = %[[MOST]]#0 to %[[BLOCKS]] step %c256
// CHECK: tensor.extract %[[PARTS]][%[[J]]]
// SUM0: {{^}}0{{$}}
// SUM1: {{^}}0{{$}}
// SUM257: {{^}}5625216{{$}}
// SUM1025: {{^}}358438400{{$}}
// SUM3000: {{^}}8995500500{{$}}
func.func @sum(%n: index) -> i64 {
  %zero = arith.constant 0 : i64
  %is = soac.iota %n : tensor<?xi64>
  %squares = soac.map ins(%is : tensor<?xi64>) (%i: i64) -> tensor<?xi64> {
    %y = arith.muli %i, %i : i64
    soac.yield %y : i64
  }
  %s = soac.reduce ins(%squares : tensor<?xi64>) neutral(%zero : i64) (%l: i64, %r: i64) {
    %t = arith.addi %l, %r : i64
    soac.yield %t : i64
  }
  return %s : i64
}

// Functions x -> i - x are applied one after the other: their order matters. So what neighbours read is combined first:
// t and t + 1, then t and t + 2, and so on, of each of the four elements that a thread has, then these.
// CHECK-LABEL: func.func @compose(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK: scf.forall {{.*}} in (256)
// CHECK: %[[LANE:.*]] = arith.remui %{{.*}}, %c32
// CHECK: scf.for {{.*}} iter_args(%[[SLOPE:.*]] = %c1_i64, %{{.*}} = %c0_i64)
// CHECK: arith.addi %{{.*}}, %[[LANE]]
// CHECK: scf.for %{{.*}} = %c0 to %c5 step %c1 iter_args(%[[A:[a-z0-9]+]] = %{{[^,]*}}, %[[P:[a-z0-9]+]] = %{{.*}})
// CHECK: %[[C:.*]], %{{.*}} = gpu.shuffle down %[[A]]
// CHECK: %[[Q:.*]], %{{.*}} = gpu.shuffle down %[[P]]
// CHECK: arith.muli %[[A]], %[[C]]
// CHECK: %[[PRODUCT:.*]] = arith.muli %[[C]], %[[P]]
// CHECK: arith.addi %[[PRODUCT]], %[[Q]]
// CHECK-COUNT-6: gpu.shuffle down
// CHECK: arith.muli %[[SLOPE]]
// CHECK: scf.forall {{.*}} in (1)
// COMPOSE0: {{^}}1{{$}}
// COMPOSE0-NEXT: {{^}}0{{$}}
// COMPOSE1: {{^}}-1{{$}}
// COMPOSE1-NEXT: {{^}}0{{$}}
// COMPOSE257: {{^}}-1{{$}}
// COMPOSE257-NEXT: {{^}}128{{$}}
// COMPOSE1025: {{^}}-1{{$}}
// COMPOSE1025-NEXT: {{^}}512{{$}}
// COMPOSE3000: {{^}}1{{$}}
// COMPOSE3000-NEXT: {{^}}1500{{$}}
func.func @compose(%n: index) -> (i64, i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %minus = arith.constant -1 : i64
  %is = soac.iota %n : tensor<?xi64>
  %as = soac.replicate %minus, %n : i64 -> tensor<?xi64>
  %f:2 = soac.reduce ins(%as, %is : tensor<?xi64>, tensor<?xi64>) neutral(%one, %zero : i64, i64)
      (%a: i64, %p: i64, %c: i64, %q: i64) {
    %slope = arith.muli %a, %c : i64
    %t = arith.muli %c, %p : i64
    %s = arith.addi %t, %q : i64
    soac.yield %slope, %s : i64, i64
  }
  return %f#0, %f#1 : i64, i64
}

// No more than 1024 elements are for one block.
// CHECK-LABEL: func.func @short(
// CHECK: %[[OUT:.*]] = scf.forall {{.*}} in (1)
// CHECK: scf.forall (%[[T:.*]]) in (256)
// CHECK: scf.for %{{.*}} = %[[T]] to %c5 step %c256
// CHECK: {mapping = [#gpu.block<linear_dim_0>]}
// CHECK-NOT: scf.forall
// CHECK: %[[S:.*]] = tensor.extract %[[OUT]][%c0]
// CHECK: return %[[S]]
// SHORT: 10.5
func.func @short(%xs: tensor<5xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %s = soac.reduce ins(%xs : tensor<5xf32>) neutral(%zero : f32) (%l: f32, %r: f32) {
    %t = arith.addf %l, %r : f32
    soac.yield %t : f32
  }
  return %s : f32
}

// Where a loop makes each element, no thread makes a second one before all have one.
// CHECK-LABEL: func.func @long(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index, %[[M:[a-z0-9]+]]: index
// CHECK: arith.ceildivsi %[[N]], %c256
// CHECK: scf.forall
// CHECK: scf.for
// CHECK: scf.for
func.func @long(%n: index, %m: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %numbers = soac.iota %n : tensor<?xindex>
  %made = soac.map ins(%numbers : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %k = arith.index_cast %i : index to i64
    %x = arith.sitofp %k : i64 to f64
    %power = scf.for %j = %c0 to %m step %c1 iter_args(%p = %x) -> f64 {
      %q = arith.mulf %p, %x : f64
      scf.yield %q : f64
    }
    soac.yield %power : f64
  }
  %sum = soac.reduce ins(%made : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %s = arith.addf %a, %b : f64
    soac.yield %s : f64
  }
  return %sum : f64
}
