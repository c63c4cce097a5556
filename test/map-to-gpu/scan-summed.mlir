// A reduction that is all that reads a scan is computed in the kernel that makes the scan, which stores what each subgroup
// has for its stretch, and nothing else.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,canonicalize,cse)' | FileCheck %s
// DEFINE: %{call} =
// DEFINE: %{same} = cmp %t.cpu/0.npy %t.gpu/0.npy
// DEFINE: %{both} = rm -rf %t.cpu %t.gpu && ad-opt run %s %{call} --output-dir=%t.cpu && \
// DEFINE:           ad-opt run %s %{call} --output-dir=%t.gpu --target=gpu-emulate && %{same}
// REDEFINE: %{call} = --entry=weighted --input=0
// RUN: %{both}
// REDEFINE: %{call} = --entry=weighted --input=1
// RUN: %{both}
// REDEFINE: %{call} = --entry=weighted --input=128
// RUN: %{both}
// REDEFINE: %{call} = --entry=weighted --input=3001
// RUN: %{both}
// REDEFINE: %{call} = --entry=looked_up --input=1
// RUN: %{both}
// REDEFINE: %{call} = --entry=looked_up --input=3001
// RUN: %{both}
// REDEFINE: %{same} = cmp %t.cpu/0.npy %t.gpu/0.npy && cmp %t.cpu/1.npy %t.gpu/1.npy
// REDEFINE: %{call} = --entry=composed --input=0
// RUN: %{both}
// REDEFINE: %{call} = --entry=composed --input=1
// RUN: %{both}
// REDEFINE: %{call} = --entry=composed --input=33
// RUN: %{both}
// REDEFINE: %{call} = --entry=composed --input=3001
// RUN: %{both}
// REDEFINE: %{call} = --entry=composed_backwards --input=0
// RUN: %{both}
// REDEFINE: %{call} = --entry=composed_backwards --input=1
// RUN: %{both}
// REDEFINE: %{call} = --entry=composed_backwards --input=129
// RUN: %{both}
// REDEFINE: %{call} = --entry=composed_backwards --input=3001
// RUN: %{both}
// REDEFINE: %{call} = --entry=first_largest --input=1
// RUN: %{both}
// REDEFINE: %{call} = --entry=first_largest --input=3001
// RUN: %{both}
// REDEFINE: %{call} = --entry=both --input=3001
// RUN: %{both}
// REDEFINE: %{same} = cmp %t.cpu/0.npy %t.gpu/0.npy
// REDEFINE: %{call} = --entry=too_early --input=3001
// RUN: %{both}
// What the kernel moves: 100000 indices are computed, and 391 sums are stored.
// RUN: ad-opt run %s --entry=weighted --input=100000 --target=gpu-emulate --emulate-races=false --emulate-report=%t.json --output-dir=%t.out
// RUN: FileCheck %s --check-prefix=MOVED --input-file=%t.json
// MOVED: "weighted_kernel_1.weighted_kernel_1": {
// MOVED: "moved_bytes": 25024,

// Each lane adds its own elements up, then all lanes of the subgroup do.
// CHECK-LABEL: func.func @weighted(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK: %[[COUNT:.*]] = arith.maxsi
// CHECK: %[[BEFORE:.*]] = scf.forall {{.*}} in (1)
// CHECK: #gpu.block
// CHECK: %[[SUMS:.*]] = scf.forall {{.*}} shared_outs(%[[OUT:.*]] = %{{.*}}) -> (tensor<?xi64>) {
// CHECK: %[[START:.*]] = tensor.extract %[[BEFORE]]
// CHECK: %[[OWN:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %[[START]], %[[SUM:.*]] = %c0_i64) -> (i64, i64) {
// CHECK-COUNT-4: gpu.shuffle up
// CHECK: %[[TERMS:.*]]:4 = scf.if
// CHECK: %[[SQUARE:.*]] = arith.muli %[[Y:.*]], %[[Y]] : i64
// CHECK: arith.muli %[[SQUARE]], %{{.*}} : i64
// CHECK: } else {
// CHECK: scf.if
// CHECK: scf.yield %c0_i64 : i64
// CHECK: %[[SUM1:.*]] = arith.addi %[[SUM]], %[[TERMS]]#0
// CHECK: %[[SUM2:.*]] = arith.addi %[[SUM1]], %[[TERMS]]#1
// CHECK: %[[SUM3:.*]] = arith.addi %[[SUM2]], %[[TERMS]]#2
// CHECK: %[[SUM4:.*]] = arith.addi %[[SUM3]], %[[TERMS]]#3
// CHECK: scf.yield %{{.*}}, %[[SUM4]] : i64, i64
// CHECK: %[[ALL:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[OWN]]#1) -> (i64) {
// CHECK: gpu.shuffle down
// CHECK: tensor.insert %[[ALL]] into
// CHECK: tensor.parallel_insert_slice
// CHECK: scf.forall {{.*}} in (1)
// CHECK: tensor.extract %[[SUMS]]
// CHECK-NOT: scf.forall {{.*}}tensor<?xi64>
// CHECK: return
func.func @weighted(%n: index) -> i64 {
  %zero = arith.constant 0 : i64
  %is = soac.iota %n : tensor<?xi64>
  %ys = soac.scan ins(%is : tensor<?xi64>) neutral(%zero : i64) (%l: i64, %r: i64) {
    %s = arith.addi %l, %r : i64
    soac.yield %s : i64
  }
  %squares = soac.map ins(%ys : tensor<?xi64>) (%y: i64) -> tensor<?xi64> {
    %square = arith.muli %y, %y : i64
    soac.yield %square : i64
  }
  %terms = soac.map ins(%squares, %is : tensor<?xi64>, tensor<?xi64>) (%y: i64, %i: i64) -> tensor<?xi64> {
    %z = arith.muli %y, %i : i64
    soac.yield %z : i64
  }
  %sum = soac.reduce ins(%terms : tensor<?xi64>) neutral(%zero : i64) (%l: i64, %r: i64) {
    %s = arith.addi %l, %r : i64
    soac.yield %s : i64
  }
  return %sum : i64
}

// What is scanned says where the terms are: behind the end of the array there is nothing to look up.
func.func @looked_up(%n: index) -> i64 {
  %zero = arith.constant 0 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : index
  %is = soac.iota %n : tensor<?xindex>
  %table = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xi64> {
    %k = arith.index_cast %i : index to i64
    %x = arith.muli %k, %k : i64
    soac.yield %x : i64
  }
  %ones = soac.replicate %one, %n : index -> tensor<?xindex>
  %ys = soac.scan ins(%ones : tensor<?xindex>) neutral(%zero : index) (%l: index, %r: index) attributes {exclusive} {
    %s = arith.addi %l, %r : index
    soac.yield %s : index
  }
  %zs = soac.map ins(%ys : tensor<?xindex>) (%y: index) -> tensor<?xi64> {
    %z = tensor.extract %table[%y] : tensor<?xi64>
    soac.yield %z : i64
  }
  %sum = soac.reduce ins(%zs : tensor<?xi64>) neutral(%none : i64) (%l: i64, %r: i64) {
    %s = arith.addi %l, %r : i64
    soac.yield %s : i64
  }
  return %sum : i64
}

// Neither operator commutes: the scan composes linear functions, and the reduction those with coefficients from the scan. All
// lanes combine each of their elements before the next one.
// CHECK-LABEL: func.func @composed(
// CHECK: #gpu.block
// CHECK: scf.forall {{.*}} -> (tensor<?xi64>, tensor<?xi64>) {
// CHECK: gpu.shuffle up
// CHECK: gpu.shuffle idx
// CHECK: %[[TERMS:.*]]:8 = scf.if
// CHECK: %[[ALL:.*]]:8 = scf.for {{.*}} iter_args(%{{.*}} = %[[TERMS]]#0, %{{.*}} = %[[TERMS]]#1,
// CHECK-COUNT-8: gpu.shuffle down
// CHECK: scf.yield
// CHECK: arith.muli %{{.*}}, %[[ALL]]#0
// CHECK-NOT: gpu.shuffle
// CHECK: scf.forall.in_parallel
// CHECK: scf.forall {{.*}} in (1)
// CHECK-NOT: scf.forall {{.*}}tensor<?xi64>
// CHECK: return
func.func @composed(%n: index) -> (i64, i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %is = soac.iota %n : tensor<?xi64>
  %as, %bs = soac.scan ins(%is, %is : tensor<?xi64>, tensor<?xi64>) neutral(%one, %zero : i64, i64)
      (%a1: i64, %b1: i64, %a2: i64, %b2: i64) {
    %a = arith.muli %a1, %a2 : i64
    %ba = arith.muli %b1, %a2 : i64
    %b = arith.addi %ba, %b2 : i64
    soac.yield %a, %b : i64, i64
  }
  %cs = soac.map ins(%as, %bs : tensor<?xi64>, tensor<?xi64>) (%a: i64, %b: i64) -> tensor<?xi64> {
    %sum = arith.addi %a, %b : i64
    %odd = arith.ori %sum, %one : i64
    soac.yield %odd : i64
  }
  %c, %d = soac.reduce ins(%cs, %bs : tensor<?xi64>, tensor<?xi64>) neutral(%one, %zero : i64, i64)
      (%a1: i64, %b1: i64, %a2: i64, %b2: i64) {
    %a = arith.muli %a1, %a2 : i64
    %ba = arith.muli %b1, %a2 : i64
    %b = arith.addi %ba, %b2 : i64
    soac.yield %a, %b : i64, i64
  }
  return %c, %d : i64, i64
}

// The same from the last element to the first; the reduction still goes from the first one on.
// CHECK-LABEL: func.func @composed_backwards(
// CHECK: #gpu.block
// CHECK: %[[SUMS:.*]]:2 = scf.forall (%[[T:.*]]) in
// CHECK: %[[NUMBER:.*]] = arith.divui %[[T]], %c32
// CHECK: gpu.shuffle up
// CHECK: gpu.shuffle down
// CHECK: %[[LAST:.*]] = arith.subi %[[COUNT:.*]], %c1
// CHECK: %[[PLACE:.*]] = arith.subi %[[LAST]], %[[NUMBER]]
// CHECK: tensor.parallel_insert_slice %{{.*}} into %{{.*}}[%[[PLACE]]]
// CHECK: scf.forall {{.*}} in (1)
// CHECK: tensor.extract %[[SUMS]]#0
func.func @composed_backwards(%n: index) -> (i64, i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %is = soac.iota %n : tensor<?xi64>
  %ys = soac.scan ins(%is : tensor<?xi64>) neutral(%zero : i64) (%l: i64, %r: i64) attributes {reverse, exclusive} {
    %s = arith.addi %l, %r : i64
    soac.yield %s : i64
  }
  %cs = soac.map ins(%ys : tensor<?xi64>) (%y: i64) -> tensor<?xi64> {
    %odd = arith.ori %y, %one : i64
    soac.yield %odd : i64
  }
  %c, %d = soac.reduce ins(%cs, %is : tensor<?xi64>, tensor<?xi64>) neutral(%one, %zero : i64, i64)
      (%a1: i64, %b1: i64, %a2: i64, %b2: i64) {
    %a = arith.muli %a1, %a2 : i64
    %ba = arith.muli %b1, %a2 : i64
    %b = arith.addi %ba, %b2 : i64
    soac.yield %a, %b : i64, i64
  }
  return %c, %d : i64, i64
}

// Where the scan is largest, for the first time: the operator is made to commute.
// CHECK-LABEL: func.func @first_largest(
// CHECK: #gpu.block
// CHECK: scf.forall {{.*}} -> (tensor<?xf64>, tensor<?xindex>) {
// CHECK: gpu.shuffle up
// CHECK: gpu.shuffle down
// CHECK: scf.forall {{.*}} in (1)
// CHECK-NOT: scf.forall {{.*}}tensor<?xf64>
// CHECK: return
func.func @first_largest(%n: index) -> (f64, index) {
  %zero = arith.constant 0.0 : f64
  %least = arith.constant 0xFFF0000000000000 : f64
  %none = arith.constant -1 : index
  %seven = arith.constant 7 : index
  %three = arith.constant 3.0 : f64
  %is = soac.iota %n : tensor<?xindex>
  %xs = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %rest = arith.remui %i, %seven : index
    %k = arith.index_cast %rest : index to i64
    %x = arith.sitofp %k : i64 to f64
    %y = arith.subf %x, %three : f64
    soac.yield %y : f64
  }
  %ys = soac.scan ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  %y, %at = soac.reduce ins(%ys, %is : tensor<?xf64>, tensor<?xindex>) neutral(%least, %none : f64, index)
      (%l: f64, %li: index, %r: f64, %ri: index) {
    %wins = arith.cmpf ogt, %r, %l : f64
    %m = arith.select %wins, %r, %l : f64
    %i = arith.select %wins, %ri, %li : index
    soac.yield %m, %i : f64, index
  }
  return %y, %at : f64, index
}

// A scan that something else reads, too, is stored as well.
// CHECK-LABEL: func.func @both(
// CHECK: #gpu.block
// CHECK: %[[YS:.*]]:2 = scf.forall {{.*}} -> (tensor<?xi64>, tensor<?xi64>) {
// CHECK: gpu.shuffle idx
// CHECK: tensor.insert
// CHECK: gpu.shuffle down
// CHECK: scf.forall {{.*}} in (1)
// CHECK: tensor.extract %[[YS]]#1
// CHECK: #gpu.block
// CHECK: return %[[YS]]#0
func.func @both(%n: index) -> (tensor<?xi64>, i64) {
  %zero = arith.constant 0 : i64
  %is = soac.iota %n : tensor<?xi64>
  %ys = soac.scan ins(%is : tensor<?xi64>) neutral(%zero : i64) (%l: i64, %r: i64) {
    %s = arith.addi %l, %r : i64
    soac.yield %s : i64
  }
  %sum = soac.reduce ins(%ys : tensor<?xi64>) neutral(%zero : i64) (%l: i64, %r: i64) {
    %s = arith.addi %l, %r : i64
    soac.yield %s : i64
  }
  return %ys, %sum : tensor<?xi64>, i64
}

// Nothing is stored before it is needed: a map reads the scan first.
// CHECK-LABEL: func.func @too_early(
// CHECK: #gpu.block
// CHECK: %[[YS:.*]] = scf.forall {{.*}} -> (tensor<?xi64>) {
// CHECK: gpu.shuffle idx
// CHECK-NOT: gpu.shuffle down
// CHECK: %[[ZS:.*]] = scf.forall (%[[I:.*]]) in
// CHECK: tensor.extract %[[YS]][
// CHECK: scf.forall
// CHECK: tensor.extract %[[YS]]
// CHECK: tensor.extract %[[ZS]]
func.func @too_early(%n: index) -> i64 {
  %zero = arith.constant 0 : i64
  %none = arith.constant 0 : index
  %one = arith.constant 1 : index
  %is = soac.iota %n : tensor<?xi64>
  %ys = soac.scan ins(%is : tensor<?xi64>) neutral(%zero : i64) (%l: i64, %r: i64) {
    %s = arith.addi %l, %r : i64
    soac.yield %s : i64
  }
  %places = soac.iota %n : tensor<?xindex>
  %zs = soac.map ins(%places : tensor<?xindex>) (%i: index) -> tensor<?xi64> {
    %half = arith.shrui %i, %one : index
    %z = tensor.extract %ys[%half] : tensor<?xi64>
    soac.yield %z : i64
  }
  %first = tensor.extract %zs[%none] : tensor<?xi64>
  %terms = soac.map ins(%ys, %zs : tensor<?xi64>, tensor<?xi64>) (%y: i64, %z: i64) -> tensor<?xi64> {
    %product = arith.muli %y, %z : i64
    %term = arith.addi %product, %first : i64
    soac.yield %term : i64
  }
  %sum = soac.reduce ins(%terms : tensor<?xi64>) neutral(%zero : i64) (%l: i64, %r: i64) {
    %s = arith.addi %l, %r : i64
    soac.yield %s : i64
  }
  return %sum : i64
}

// A size that is zero behind a cast: no stretch, and the neutral element.
// RUN: ad-opt run %s --target=gpu-emulate --entry=nothing --input=3 | FileCheck %s --check-prefix=NOTHING
// NOTHING: 0.0
func.func @nothing(%x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %none = soac.iota : tensor<0xindex>
  %is = tensor.cast %none : tensor<0xindex> to tensor<?xindex>
  %xs = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    soac.yield %x : f64
  }
  %ys = soac.scan ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  %sum = soac.reduce ins(%ys : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return %sum : f64
}
