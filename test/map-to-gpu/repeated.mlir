// What a map makes of few numbers is made again by each kernel that reads it, where that moves less.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,canonicalize,cse)' | FileCheck %s
// DEFINE: %{call} =
// DEFINE: %{both} = rm -rf %t.cpu %t.gpu && ad-opt run %s %{call} --output-dir=%t.cpu && \
// DEFINE:           ad-opt run %s %{call} --output-dir=%t.gpu --target=gpu-emulate && cmp %t.cpu/0.npy %t.gpu/0.npy
// REDEFINE: %{call} = --entry=shares --input=0
// RUN: %{both}
// REDEFINE: %{call} = --entry=shares --input=3001
// RUN: %{both}

// Two kernels for the sum, one for the map.
// RUN: ad-opt run %s --entry=shares --input=100000 --target=gpu-emulate --emulate-races=false --emulate-report=%t.json --output-dir=%t.out
// RUN: FileCheck %s --check-prefix=MOVED --input-file=%t.json --implicit-check-not=kernel_2
// MOVED: "shares_kernel_1.shares_kernel_1": {

// CHECK-LABEL: func.func @softmax(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>
// CHECK: scf.forall
// CHECK: tensor.extract %[[XS]]
// CHECK-NEXT: math.exp
// CHECK: scf.forall {{.*}} in (1)
// CHECK: scf.forall (%[[I:.*]]) in
// CHECK: %[[X:.*]] = tensor.extract %[[XS]][%[[I]]]
// CHECK-NEXT: %[[E:.*]] = math.exp %[[X]]
// CHECK-NEXT: arith.divf %[[E]]
// CHECK-NOT: math.exp
// CHECK: return
func.func @softmax(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %es = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %e = math.exp %x : f64
    soac.yield %e : f64
  }
  %sum = soac.reduce ins(%es : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  %ys = soac.map ins(%es : tensor<?xf64>) (%e: f64) -> tensor<?xf64> {
    %y = arith.divf %e, %sum : f64
    soac.yield %y : f64
  }
  return %ys : tensor<?xf64>
}

// Two functions take longer than memory does.
// CHECK-LABEL: func.func @costly(
// CHECK: scf.forall
// CHECK: math.exp
// CHECK: math.sin
// CHECK: tensor.parallel_insert_slice
// CHECK-NOT: math.
// CHECK: return
func.func @costly(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %es = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %e = math.exp %x : f64
    %s = math.sin %e : f64
    soac.yield %s : f64
  }
  %sum = soac.reduce ins(%es : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  %ys = soac.map ins(%es : tensor<?xf64>) (%e: f64) -> tensor<?xf64> {
    %y = arith.divf %e, %sum : f64
    soac.yield %y : f64
  }
  return %ys : tensor<?xf64>
}

// More is read than is made, and read often: it is stored.
// CHECK-LABEL: func.func @wide(
// CHECK: %[[SUMS:.*]] = scf.forall {{.*}} -> (tensor<?xi64>)
// CHECK: arith.addi
// CHECK: scf.forall
// CHECK: tensor.extract %[[SUMS]]
func.func @wide(%as: tensor<?xi64>, %bs: tensor<?xi64>, %cs: tensor<?xi64>) -> (i64, i64, i64, i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %xs = soac.map ins(%as, %bs, %cs : tensor<?xi64>, tensor<?xi64>, tensor<?xi64>) (%a: i64, %b: i64, %c: i64) -> tensor<?xi64> {
    %ab = arith.addi %a, %b : i64
    %x = arith.addi %ab, %c : i64
    soac.yield %x : i64
  }
  %p = soac.reduce ins(%xs : tensor<?xi64>) neutral(%zero : i64) (%l: i64, %r: i64) {
    %s = arith.addi %l, %r : i64
    soac.yield %s : i64
  }
  %q = soac.reduce ins(%xs : tensor<?xi64>) neutral(%one : i64) (%l: i64, %r: i64) {
    %s = arith.muli %l, %r : i64
    soac.yield %s : i64
  }
  %u = soac.reduce ins(%xs : tensor<?xi64>) neutral(%zero : i64) (%l: i64, %r: i64) {
    %s = arith.maxsi %l, %r : i64
    soac.yield %s : i64
  }
  %v = soac.reduce ins(%xs : tensor<?xi64>) neutral(%zero : i64) (%l: i64, %r: i64) {
    %s = arith.ori %l, %r : i64
    soac.yield %s : i64
  }
  return %p, %q, %u, %v : i64, i64, i64, i64
}

// In integers, so that any order gives the same.
func.func @shares(%n: index) -> tensor<?xi64> {
  %zero = arith.constant 0 : i64
  %three = arith.constant 3 : i64
  %is = soac.iota %n : tensor<?xi64>
  %xs = soac.map ins(%is : tensor<?xi64>) (%i: i64) -> tensor<?xi64> {
    %x = arith.xori %i, %three : i64
    soac.yield %x : i64
  }
  %sum = soac.reduce ins(%xs : tensor<?xi64>) neutral(%zero : i64) (%l: i64, %r: i64) {
    %s = arith.addi %l, %r : i64
    soac.yield %s : i64
  }
  %ys = soac.map ins(%xs : tensor<?xi64>) (%x: i64) -> tensor<?xi64> {
    %y = arith.subi %sum, %x : i64
    soac.yield %y : i64
  }
  return %ys : tensor<?xi64>
}
