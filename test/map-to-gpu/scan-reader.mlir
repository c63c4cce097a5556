// A map that reads a scan is computed in the kernel that makes the scan, which stores nothing else if that is all that reads it.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,canonicalize,cse)' | FileCheck %s
// DEFINE: %{call} =
// DEFINE: %{both} = rm -rf %t.cpu %t.gpu && ad-opt run %s %{call} --output-dir=%t.cpu && \
// DEFINE:           ad-opt run %s %{call} --output-dir=%t.gpu --target=gpu-emulate && cmp %t.cpu/0.npy %t.gpu/0.npy
// REDEFINE: %{call} = --entry=weighted --input=0
// RUN: %{both}
// REDEFINE: %{call} = --entry=weighted --input=1
// RUN: %{both}
// REDEFINE: %{call} = --entry=weighted --input=129
// RUN: %{both}
// REDEFINE: %{call} = --entry=weighted --input=3001
// RUN: %{both}
// REDEFINE: %{call} = --entry=looked_up --input=1
// RUN: %{both}
// REDEFINE: %{call} = --entry=looked_up --input=3001
// RUN: %{both}
// REDEFINE: %{call} = --entry=both --input=3001
// RUN: %{both}
// REDEFINE: %{call} = --entry=short
// RUN: %{both}

// Two maps, one of which reads the other.
// CHECK-LABEL: func.func @weighted(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK: %[[BEFORE:.*]] = scf.forall {{.*}} in (1)
// CHECK: scf.forall {{.*}} -> (tensor<?xi64>) {
// CHECK: tensor.extract %[[BEFORE]]
// CHECK-COUNT-4: gpu.shuffle up
// CHECK: scf.if
// CHECK: %[[SQUARE:.*]] = arith.muli %[[Y:.*]], %[[Y]] : i64
// CHECK: %[[Z:.*]] = arith.addi %[[SQUARE]], %{{.*}} : i64
// CHECK: tensor.insert %[[Z]] into
// CHECK: tensor.parallel_insert_slice
// CHECK-NOT: scf.forall {{.*}}in
// CHECK: return
func.func @weighted(%n: index) -> tensor<?xi64> {
  %zero = arith.constant 0 : i64
  %is = soac.iota %n : tensor<?xi64>
  %ys = soac.scan ins(%is : tensor<?xi64>) neutral(%zero : i64) (%l: i64, %r: i64) attributes {reverse, exclusive} {
    %s = arith.addi %l, %r : i64
    soac.yield %s : i64
  }
  %squares = soac.map ins(%ys : tensor<?xi64>) (%y: i64) -> tensor<?xi64> {
    %square = arith.muli %y, %y : i64
    soac.yield %square : i64
  }
  %zs = soac.map ins(%squares, %is : tensor<?xi64>, tensor<?xi64>) (%y: i64, %i: i64) -> tensor<?xi64> {
    %z = arith.addi %y, %i : i64
    soac.yield %z : i64
  }
  return %zs : tensor<?xi64>
}

// What is scanned says where the map reads: behind the end of the array there is nothing to look up.
func.func @looked_up(%n: index) -> tensor<?xi64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %is = soac.iota %n : tensor<?xindex>
  %table = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xi64> {
    %k = arith.index_cast %i : index to i64
    %x = arith.muli %k, %k : i64
    soac.yield %x : i64
  }
  %ones = soac.replicate %one, %n : index -> tensor<?xindex>
  %ys = soac.scan ins(%ones : tensor<?xindex>) neutral(%zero : index) (%l: index, %r: index) {
    %s = arith.addi %l, %r : index
    soac.yield %s : index
  }
  %zs = soac.map ins(%ys : tensor<?xindex>) (%y: index) -> tensor<?xi64> {
    %i = arith.subi %y, %one : index
    %z = tensor.extract %table[%i] : tensor<?xi64>
    soac.yield %z : i64
  }
  return %zs : tensor<?xi64>
}

// A scan that something else reads later, too, is stored as well.
// CHECK-LABEL: func.func @both(
// CHECK: scf.forall {{.*}} in (1)
// CHECK: #gpu.block
// CHECK: %[[BOTH:.*]]:2 = scf.forall {{.*}} -> (tensor<?xi64>, tensor<?xi64>) {
// CHECK: gpu.shuffle idx
// CHECK: %[[SQUARE:.*]] = arith.muli %[[Y:.*]], %[[Y]] : i64
// CHECK: tensor.insert %[[Y]] into
// CHECK: tensor.insert %[[SQUARE]] into
// CHECK-NOT: scf.forall {{.*}}in
// CHECK: return %[[BOTH]]#1, %[[BOTH]]#0
func.func @both(%n: index) -> (tensor<?xi64>, tensor<?xi64>) {
  %zero = arith.constant 0 : i64
  %is = soac.iota %n : tensor<?xi64>
  %ys = soac.scan ins(%is : tensor<?xi64>) neutral(%zero : i64) (%l: i64, %r: i64) {
    %s = arith.addi %l, %r : i64
    soac.yield %s : i64
  }
  %zs = soac.map ins(%ys : tensor<?xi64>) (%y: i64) -> tensor<?xi64> {
    %square = arith.muli %y, %y : i64
    soac.yield %square : i64
  }
  return %zs, %ys : tensor<?xi64>, tensor<?xi64>
}

// A scan in front of a loop is not made again for each iteration.
// CHECK-LABEL: func.func @in_loop(
// CHECK: gpu.shuffle up
// CHECK: scf.for {{.*}} -> (tensor<1xi64>) {
// CHECK-NOT: gpu.shuffle
// CHECK: return
func.func @in_loop(%n: index, %steps: index) -> i64 {
  %zero = arith.constant 0 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %is = soac.iota %n : tensor<?xi64>
  %ys = soac.scan ins(%is : tensor<?xi64>) neutral(%zero : i64) (%l: i64, %r: i64) {
    %s = arith.addi %l, %r : i64
    soac.yield %s : i64
  }
  %all = scf.for %k = %c0 to %steps step %c1 iter_args(%carried = %zero) -> i64 {
    %zs = soac.map ins(%ys : tensor<?xi64>) (%y: i64) -> tensor<?xi64> {
      %z = arith.xori %y, %carried : i64
      soac.yield %z : i64
    }
    %z = tensor.extract %zs[%c1] : tensor<?xi64>
    scf.yield %z : i64
  }
  return %all : i64
}

// Short scans are for one block, and the map has threads of its own.
// CHECK-LABEL: func.func @short(
// CHECK: scf.forall {{.*}} in (1) {{.*}} -> (tensor<300xi64>)
// CHECK: scf.forall {{.*}} in (300)
func.func @short() -> tensor<300xi64> {
  %zero = arith.constant 0 : i64
  %is = soac.iota : tensor<300xi64>
  %ys = soac.scan ins(%is : tensor<300xi64>) neutral(%zero : i64) (%l: i64, %r: i64) {
    %s = arith.addi %l, %r : i64
    soac.yield %s : i64
  }
  %zs = soac.map ins(%ys : tensor<300xi64>) (%y: i64) -> tensor<300xi64> {
    %square = arith.muli %y, %y : i64
    soac.yield %square : i64
  }
  return %zs : tensor<300xi64>
}

// A size that is zero behind a cast: no stretch, no thread.
// RUN: ad-opt run %s --target=gpu-emulate --entry=nothing --input=3 | FileCheck %s --check-prefix=NOTHING
// NOTHING: []
func.func @nothing(%x: f64) -> tensor<?xf64> {
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
  %zs = soac.map ins(%ys : tensor<?xf64>) (%y: f64) -> tensor<?xf64> {
    %z = math.sin %y : f64
    soac.yield %z : f64
  }
  return %zs : tensor<?xf64>
}
