// Loops of the host whose iterations need nothing of each other but what they add up or fill in become maps, reductions and
// accumulators before they are differentiated for a GPU or several threads, which then run their iterations and those of
// derivatives [F55, F65].
//
// RUN: ad-opt %s --pass-pipeline='builtin.module(raise-to-soac{loops=any-order},canonicalize,cse)' | FileCheck %s
// RUN: ad-opt %s --pass-pipeline='builtin.module(raise-to-soac{loops=exact},canonicalize,cse)' | FileCheck %s --check-prefix=EXACT
// RUN: not ad-opt %s --pass-pipeline='builtin.module(raise-to-soac{loops=all})' 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: 'loops' must be none, exact or any-order, not 'all'
//
// The values are those of the loops, and so are derivatives; for no iterations, for one, and for many.
// DEFINE: %{targets} = %python %S/../bench/Inputs/compare_targets.py %s --range=-1:1
// RUN: %{targets} --entry=sum --tolerance=1e-13 '<f8(0,) 0.5' '<f8(1,) 0.5' '<f8(1000,) 0.5'
// RUN: %{targets} --entry=sum_twice --tolerance=1e-12 '<f8(0,) 0.5 <f8(0,)' '<f8(1,) 0.5 <f8(1,)' '<f8(300,) 0.5 <f8(300,)'
// RUN: %{targets} --entry=fill_gradient --tolerance=1e-13 '<f8(0,) 0 0 1' '<f8(100,) 0 100 1' '<f8(100,) 3 90 7' '<f8(9,) 5 2 1'
// RUN: %{targets} --entry=matrix_gradient --tolerance=1e-13 '<f8(3,) <f8(70,)' '<f8(70,) <f8(1,)' '<f8(2,) <f8(0,)' '<f8(0,) <f8(2,)'
// RUN: %{targets} --entry=rows_gradient --tolerance=1e-13 '<f8(40,5)' '<f8(1,1)' '<f8(3,0)' '<f8(0,3)'
// RUN: %{targets} --entry=sometimes_gradient --tolerance=1e-13 '<f8(0,)' '<f8(200,)'
// RUN: %{targets} --entry=greatest_gradient --tolerance=1e-13 '<f8(0,)' '<f8(200,)'
// RUN: %python %S/../driver/Inputs/npy.py %t.at.npy '<i8' '(7,)' 2 0 1 2 2 0 2
// RUN: %python %S/../driver/Inputs/npy.py %t.xs.npy '<f8' '(7,)' 1 2 3 4 5 6 7
// RUN: %python %S/../driver/Inputs/npy.py %t.h.npy '<f8' '(3,)' 10 20 30
// RUN: ad-opt run %s --entry=histogram_gradient --input=%t.at.npy --input=%t.xs.npy --input=%t.h.npy --target=gpu-emulate | FileCheck %s --check-prefix=HIST
// HIST: [50.0, 29.0, 121.0]
// HIST-NEXT: [60.0, 40.0, 120.0, 240.0, 300.0, 120.0, 420.0]
// HIST-NEXT: [10.0, 20.0, 30.0]
//
// One launch or two have all iterations, and as many threads; without `reductions` a sum stays in order, in one thread.
// RUN: %python %S/../bench/Inputs/random_npy.py %t.npy '<f8' '(1000,)' -1 1
// RUN: ad-opt run %s --entry=sum --input=%t.npy --input=0.5 --target=gpu-emulate --emulate-report=%t.json
// RUN: FileCheck %s --check-prefix=MANY --input-file=%t.json
// MANY: "threads": 256,
// RUN: ad-opt run %s --entry=sum --input=%t.npy --input=0.5 --target=gpu-emulate --fast-math=none --emulate-report=%t.json
// RUN: FileCheck %s --check-prefix=ONE --input-file=%t.json
// ONE: "threads": 1,
// ONE-NOT: "threads": 256,
//
// So do several threads of a CPU; one adds in order.
// RUN: %python %S/../bench/Inputs/random_npy.py %t.many.npy '<f8' '(50000,)' -1 1
// RUN: ad-opt run %s --entry=sum_gradient --input=%t.many.npy --input=0.5 > %t.1
// RUN: ad-opt run %s --entry=sum_gradient --input=%t.many.npy --input=0.5 --threads=3 --save-object=%t.o > %t.3
// RUN: %python %S/../bench/Inputs/compare.py %t.1 %t.3 1e-13
// RUN: llvm-nm %t.o | FileCheck %s --check-prefix=THREADS
// RUN: ad-opt run %s --entry=sum_gradient --input=%t.many.npy --input=0.5 --fast-math=none > %t.1
// RUN: ad-opt run %s --entry=sum_gradient --input=%t.many.npy --input=0.5 --fast-math=none --threads=3 > %t.3
// RUN: cmp %t.1 %t.3
// THREADS: __kmpc_fork_call

// A sum. Without the right to round otherwise it stays.
// CHECK-LABEL: func.func @sum(
// CHECK-NOT: scf.for
// CHECK: %[[IOTA:.*]] = soac.iota
// CHECK: %[[TERMS:.*]] = soac.map ins(%[[IOTA]] : tensor<?xindex>)
// CHECK: math.exp
// CHECK: %[[ALL:.*]] = soac.reduce ins(%[[TERMS]] : tensor<?xf64>)
// CHECK: %[[SUM:.*]] = arith.addf %[[ALL]], %{{.*}} : f64
// CHECK: return %[[SUM]]
// EXACT-LABEL: func.func @sum(
// EXACT: scf.for
func.func @sum(%xs: tensor<?xf64>, %w: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f64
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %two) -> (f64) {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %p = arith.mulf %x, %w : f64
    %e = math.exp %p : f64
    %t = arith.addf %s, %e : f64
    scf.yield %t : f64
  }
  return %r : f64
}

// The second derivative.
func.func @sum_gradient(%xs: tensor<?xf64>, %w: f64) -> (tensor<?xf64>, f64) {
  %one = arith.constant 1.0 : f64
  %r:3 = ad.vjp @sum(%xs, %w) seed(%one) : (tensor<?xf64>, f64), (f64) -> (f64, tensor<?xf64>, f64)
  return %r#1, %r#2 : tensor<?xf64>, f64
}
func.func @sum_twice(%xs: tensor<?xf64>, %w: f64, %v: tensor<?xf64>) -> (tensor<?xf64>, f64, tensor<?xf64>, f64) {
  %one = arith.constant 1.0 : f64
  %r:4 = ad.jvp @sum_gradient(%xs, %w) seed(%v, %one) : (tensor<?xf64>, f64), (tensor<?xf64>, f64) -> (tensor<?xf64>, f64, tensor<?xf64>, f64)
  return %r#0, %r#1, %r#2, %r#3 : tensor<?xf64>, f64, tensor<?xf64>, f64
}

// Arrays of which each iteration replaces one element, which it may read before, and a difference.
// CHECK-LABEL: func.func @fill(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[LB:[a-z0-9]+]]: index, %[[UB:[a-z0-9]+]]: index, %[[STEP:[a-z0-9]+]]: index
// CHECK-NOT: scf.for
// CHECK: %[[SPAN:.*]] = arith.subi %[[UB]], %[[LB]]
// CHECK: %[[TRIPS:.*]] = arith.ceildivsi %[[SPAN]], %[[STEP]]
// CHECK: %[[N:.*]] = arith.maxsi %[[TRIPS]], %c0
// CHECK: %[[IOTA:.*]] = soac.iota %[[N]]
// CHECK: %[[MADE:.*]]:3 = soac.map ins(%[[IOTA]] : tensor<?xindex>) (%[[K:.*]]: index)
// CHECK: %[[BY:.*]] = arith.muli %[[K]], %[[STEP]]
// CHECK: %[[I:.*]] = arith.addi %[[LB]], %[[BY]]
// CHECK: tensor.extract %[[XS]][%[[I]]]
// CHECK: tensor.insert_slice %[[MADE]]#0 into %{{.*}}[%[[LB]]] [%[[N]]] [%[[STEP]]]
// CHECK: tensor.insert_slice %[[MADE]]#1 into %[[XS]][%[[LB]]] [%[[N]]] [%[[STEP]]]
// CHECK: soac.reduce ins(%[[MADE]]#2 : tensor<?xf64>)
func.func @fill(%xs: tensor<?xf64>, %lb: index, %ub: index, %step: index) -> (tensor<?xf64>, tensor<?xf64>, f64) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %e = tensor.splat %one[%n] : tensor<?xf64>
  %r:3 = scf.for %i = %lb to %ub step %step iter_args(%a = %e, %b = %xs, %s = %one) -> (tensor<?xf64>, tensor<?xf64>, f64) {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %old = tensor.extract %b[%i] : tensor<?xf64>
    %y = math.sin %x : f64
    %a1 = tensor.insert %y into %a[%i] : tensor<?xf64>
    %sq = arith.mulf %old, %old : f64
    %b1 = tensor.insert %sq into %b[%i] : tensor<?xf64>
    %s1 = arith.subf %s, %y : f64
    %s2 = arith.addf %sq, %s1 : f64
    scf.yield %a1, %b1, %s2 : tensor<?xf64>, tensor<?xf64>, f64
  }
  return %r#0, %r#1, %r#2 : tensor<?xf64>, tensor<?xf64>, f64
}
func.func @fill_gradient(%xs: tensor<?xf64>, %lb: index, %ub: index, %step: index) -> (tensor<?xf64>, tensor<?xf64>, f64, tensor<?xf64>) {
  %one = arith.constant 1.0 : f64
  %r:4 = ad.vjp @fill(%xs, %lb, %ub, %step) seed(%xs, %xs, %one) {wrt = array<i64: 0>}
      : (tensor<?xf64>, index, index, index), (tensor<?xf64>, tensor<?xf64>, f64) -> (tensor<?xf64>, tensor<?xf64>, f64, tensor<?xf64>)
  return %r#0, %r#1, %r#2, %r#3 : tensor<?xf64>, tensor<?xf64>, f64, tensor<?xf64>
}

// A matrix by two loops, and sums of its rows: nested maps, and nothing is inserted.
// CHECK-LABEL: func.func @matrix(
// CHECK-NOT: scf.for
// CHECK: %[[ALL:.*]]:2 = soac.map
// CHECK: %[[ROW:.*]]:2 = soac.map
// CHECK: soac.reduce ins(%[[ROW]]#1 : tensor<?xf64>)
// CHECK-NOT: tensor.insert
// CHECK: return %[[ALL]]#0, %[[ALL]]#1
func.func @matrix(%xs: tensor<?xf64>, %ys: tensor<?xf64>) -> (tensor<?x?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %m = tensor.dim %ys, %c0 : tensor<?xf64>
  %e = tensor.empty(%n, %m) : tensor<?x?xf64>
  %v = tensor.empty(%n) : tensor<?xf64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %e, %w = %v) -> (tensor<?x?xf64>, tensor<?xf64>) {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %row, %sum = scf.for %j = %c0 to %m step %c1 iter_args(%b = %a, %s = %zero) -> (tensor<?x?xf64>, f64) {
      %y = tensor.extract %ys[%j] : tensor<?xf64>
      %p = arith.mulf %x, %y : f64
      %q = math.sin %p : f64
      %b1 = tensor.insert %q into %b[%i, %j] : tensor<?x?xf64>
      %t = arith.mulf %q, %y : f64
      %s1 = arith.addf %s, %t : f64
      scf.yield %b1, %s1 : tensor<?x?xf64>, f64
    }
    %w1 = tensor.insert %sum into %w[%i] : tensor<?xf64>
    scf.yield %row, %w1 : tensor<?x?xf64>, tensor<?xf64>
  }
  return %r#0, %r#1 : tensor<?x?xf64>, tensor<?xf64>
}
func.func @matrix_gradient(%xs: tensor<?xf64>, %ys: tensor<?xf64>) -> (tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %two = arith.constant 2.0 : f64
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %m = tensor.dim %ys, %c0 : tensor<?xf64>
  %a = tensor.splat %two[%n, %m] : tensor<?x?xf64>
  %r:4 = ad.vjp @matrix(%xs, %ys) seed(%a, %xs)
      : (tensor<?xf64>, tensor<?xf64>), (tensor<?x?xf64>, tensor<?xf64>) -> (tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %r#0, %r#1, %r#2, %r#3 : tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

// Rows by combinators, which read and replace one row each.
// CHECK-LABEL: func.func @rows(
// CHECK-NOT: scf.for
// CHECK: soac.map
// CHECK: tensor.extract_slice
// CHECK: soac.scan
// CHECK-NOT: tensor.insert
func.func @rows(%xs: tensor<?x?xf64>) -> (tensor<?x?xf64>, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %xs, %c0 : tensor<?x?xf64>
  %m = tensor.dim %xs, %c1 : tensor<?x?xf64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %xs, %s = %zero) -> (tensor<?x?xf64>, f64) {
    %x = tensor.extract_slice %xs[%i, 0] [1, %m] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
    %y = soac.scan ins(%x : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
      %t = arith.addf %l, %r : f64
      soac.yield %t : f64
    }
    %q = arith.mulf %y, %x : tensor<?xf64>
    %a1 = tensor.insert_slice %q into %a[%i, 0] [1, %m] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
    %sum = soac.reduce ins(%y : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
      %t = arith.addf %l, %r : f64
      soac.yield %t : f64
    }
    %s1 = arith.addf %s, %sum : f64
    scf.yield %a1, %s1 : tensor<?x?xf64>, f64
  }
  return %r#0, %r#1 : tensor<?x?xf64>, f64
}
func.func @rows_gradient(%xs: tensor<?x?xf64>) -> (tensor<?x?xf64>, f64, tensor<?x?xf64>) {
  %one = arith.constant 1.0 : f64
  %r:3 = ad.vjp @rows(%xs) seed(%xs, %one) : (tensor<?x?xf64>), (tensor<?x?xf64>, f64) -> (tensor<?x?xf64>, f64, tensor<?x?xf64>)
  return %r#0, %r#1, %r#2 : tensor<?x?xf64>, f64, tensor<?x?xf64>
}

// What is added to elements that others add to as well.
// CHECK-LABEL: func.func @histogram(
// CHECK-NOT: scf.for
// CHECK: soac.with_acc
// CHECK: soac.map
// CHECK: soac.update_acc
// EXACT-LABEL: func.func @histogram(
// EXACT: scf.for
func.func @histogram(%at: tensor<?xindex>, %xs: tensor<?xf64>, %h: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %h) -> (tensor<?xf64>) {
    %k = tensor.extract %at[%i] : tensor<?xindex>
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %y = arith.mulf %x, %x : f64
    %old = tensor.extract %a[%k] : tensor<?xf64>
    %new = arith.addf %old, %y : f64
    %a1 = tensor.insert %new into %a[%k] : tensor<?xf64>
    scf.yield %a1 : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}
func.func @histogram_gradient(%at: tensor<?xindex>, %xs: tensor<?xf64>, %h: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %r:3 = ad.vjp @histogram(%at, %xs, %h) seed(%h) {wrt = array<i64: 1, 2>}
      : (tensor<?xindex>, tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %r#0, %r#1, %r#2 : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

// Numbers that are combined in some iterations only: branches give what they combine them with, or what leaves them as they are.
// CHECK-LABEL: func.func @sometimes(
// CHECK-NOT: scf.for
// CHECK: soac.map
// CHECK: scf.if
// CHECK: math.exp
// CHECK: scf.if
// CHECK: arith.subf %cst, %
// CHECK: } else {
// CHECK: math.sin
// CHECK: } else {
// CHECK-NEXT: scf.yield %cst : f64
// CHECK: arith.select
// CHECK-COUNT-3: soac.reduce
func.func @sometimes(%xs: tensor<?xf64>) -> (f64, f64, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %n0 = arith.constant 0 : i64
  %n1 = arith.constant 1 : i64
  %half = arith.constant 0.5 : f64
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %one, %p = %one, %k = %n0) -> (f64, f64, i64) {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %is = arith.cmpf ogt, %x, %zero : f64
    %more = arith.cmpf ogt, %x, %half : f64
    %e0 = math.cos %x : f64
    %sum = scf.if %is -> (f64) {
      %e = math.exp %x : f64
      %t = arith.addf %s, %e : f64
      %u = scf.if %more -> (f64) {
        %v = arith.subf %t, %x : f64
        scf.yield %v : f64
      } else {
        %w = math.sin %x : f64
        %v = arith.addf %t, %w : f64
        scf.yield %v : f64
      }
      scf.yield %u : f64
    } else {
      scf.yield %s : f64
    }
    %always = arith.mulf %p, %e0 : f64
    %p1 = scf.if %more -> (f64) {
      %q = arith.mulf %always, %x : f64
      scf.yield %q : f64
    } else {
      scf.yield %always : f64
    }
    %m = arith.addi %k, %n1 : i64
    %k1 = arith.select %is, %k, %m : i64
    scf.yield %sum, %p1, %k1 : f64, f64, i64
  }
  return %r#0, %r#1, %r#2 : f64, f64, i64
}
func.func @sometimes_gradient(%xs: tensor<?xf64>) -> (f64, f64, i64, tensor<?xf64>) {
  %one = arith.constant 1.0 : f64
  %r:4 = ad.vjp @sometimes(%xs) seed(%one, %one) : (tensor<?xf64>), (f64, f64) -> (f64, f64, i64, tensor<?xf64>)
  return %r#0, %r#1, %r#2, %r#3 : f64, f64, i64, tensor<?xf64>
}

// The greatest and integers are the same in any order.
// EXACT-LABEL: func.func @greatest(
// EXACT-NOT: scf.for
// EXACT: soac.reduce
// EXACT: arith.maximumf
// EXACT: soac.reduce
// EXACT: arith.minsi
func.func @greatest(%xs: tensor<?xf64>) -> (f64, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant -5.0 : f64
  %high = arith.constant 7 : i32
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %low, %k = %high) -> (f64, i32) {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %t = arith.maximumf %s, %x : f64
    %ten = arith.constant 10.0 : f64
    %y = arith.mulf %x, %ten : f64
    %int = arith.fptosi %y : f64 to i32
    %k1 = arith.minsi %int, %k : i32
    scf.yield %t, %k1 : f64, i32
  }
  return %r#0, %r#1 : f64, i32
}
func.func @greatest_gradient(%xs: tensor<?xf64>) -> (f64, i32, tensor<?xf64>) {
  %one = arith.constant 1.0 : f64
  %r:3 = ad.vjp @greatest(%xs) seed(%one) : (tensor<?xf64>), (f64) -> (f64, i32, tensor<?xf64>)
  return %r#0, %r#1, %r#2 : f64, i32, tensor<?xf64>
}

// Numbers of iterations that are known are sizes of what is inserted.
// CHECK-LABEL: func.func @known(
// CHECK: %[[MADE:.*]] = soac.map {{.*}} -> tensor<95xf64>
// CHECK: tensor.insert_slice %[[MADE]] into %{{.*}}[5] [95] [1] : tensor<95xf64> into tensor<100xf64>
func.func @known(%xs: tensor<100xf64>) -> tensor<100xf64> {
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c100 = arith.constant 100 : index
  %r = scf.for %i = %c5 to %c100 step %c1 iter_args(%a = %xs) -> (tensor<100xf64>) {
    %x = tensor.extract %a[%i] : tensor<100xf64>
    %y = math.sin %x : f64
    %a1 = tensor.insert %y into %a[%i] : tensor<100xf64>
    scf.yield %a1 : tensor<100xf64>
  }
  return %r : tensor<100xf64>
}

// What stays, since iterations need more of each other: a recurrence, sums that are read, elements that another iteration
// reads or may replace as well, a number that is added to and multiplied, what begins anew or is exchanged.
// CHECK-LABEL: func.func @recurrence(
// CHECK: scf.for
// CHECK-NOT: soac.
// CHECK-LABEL: func.func @running(
// CHECK: scf.for
// CHECK-NOT: soac.
// CHECK-LABEL: func.func @neighbours(
// CHECK: scf.for
// CHECK-NOT: soac.
// CHECK-LABEL: func.func @overwritten(
// CHECK: scf.for
// CHECK-NOT: soac.
// CHECK-LABEL: func.func @reset(
// CHECK: scf.for
// CHECK-NOT: soac.
// CHECK-LABEL: func.func @anew(
// CHECK: scf.for
// CHECK-NOT: soac.
// CHECK-LABEL: func.func @exchanged(
// CHECK: scf.for
// CHECK-NOT: soac.
func.func @recurrence(%xs: tensor<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %one) -> (f64) {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %p = arith.mulf %s, %x : f64
    %t = arith.addf %p, %x : f64
    scf.yield %t : f64
  }
  return %r : f64
}
func.func @running(%xs: tensor<?xf64>, %n: index) -> (f64, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %one, %a = %xs) -> (f64, tensor<?xf64>) {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %t = arith.addf %s, %x : f64
    %a1 = tensor.insert %t into %a[%i] : tensor<?xf64>
    scf.yield %t, %a1 : f64, tensor<?xf64>
  }
  return %r#0, %r#1 : f64, tensor<?xf64>
}
func.func @neighbours(%xs: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%a = %xs) -> (tensor<?xf64>) {
    %before = arith.subi %i, %c1 : index
    %x = tensor.extract %a[%before] : tensor<?xf64>
    %y = math.sin %x : f64
    %a1 = tensor.insert %y into %a[%i] : tensor<?xf64>
    scf.yield %a1 : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}
func.func @overwritten(%at: tensor<?xindex>, %xs: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %xs) -> (tensor<?xf64>) {
    %k = tensor.extract %at[%i] : tensor<?xindex>
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %a1 = tensor.insert %x into %a[%k] : tensor<?xf64>
    scf.yield %a1 : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}
func.func @reset(%xs: tensor<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %is = arith.cmpf ogt, %x, %zero : f64
    %u = scf.if %is -> (f64) {
      %t = arith.addf %s, %x : f64
      scf.yield %t : f64
    } else {
      scf.yield %zero : f64
    }
    scf.yield %u : f64
  }
  return %r : f64
}
func.func @anew(%xs: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %xs) -> (tensor<?xf64>) {
    %a1 = tensor.insert %one into %xs[%i] : tensor<?xf64>
    scf.yield %a1 : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}
func.func @exchanged(%xs: tensor<?xf64>, %ys: tensor<?xf64>, %n: index) -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %xs, %b = %ys) -> (tensor<?xf64>, tensor<?xf64>) {
    %b1 = tensor.insert %one into %b[%i] : tensor<?xf64>
    %a1 = tensor.insert %one into %a[%i] : tensor<?xf64>
    scf.yield %b1, %a1 : tensor<?xf64>, tensor<?xf64>
  }
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}

// And for other reasons: few iterations, in which a thread needs no help; what is asserted or written in between, in order;
// larger arrays in each iteration than rows; how it is to be differentiated is said; it is a thread's already.
// CHECK-LABEL: func.func @few(
// CHECK: scf.for
// CHECK-NOT: soac.
// CHECK-LABEL: func.func @asserted(
// CHECK: scf.for
// CHECK-NOT: soac.
// CHECK-LABEL: func.func @written(
// CHECK: scf.for
// CHECK-NOT: soac.
// CHECK-LABEL: func.func @large(
// CHECK: scf.for
// CHECK-LABEL: func.func @told(
// CHECK: scf.for
// CHECK-NOT: soac.
// CHECK-LABEL: func.func @inside(
// CHECK: soac.map
// CHECK: scf.for
func.func @few(%xs: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f64
  %r = scf.for %i = %c0 to %c32 step %c1 iter_args(%s = %zero) -> (f64) {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %t = arith.addf %s, %x : f64
    scf.yield %t : f64
  }
  return %r : f64
}
func.func @asserted(%xs: tensor<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %is = arith.cmpf ogt, %x, %zero : f64
    cf.assert %is, "x has to be positive"
    %t = arith.addf %s, %x : f64
    scf.yield %t : f64
  }
  return %r : f64
}
func.func @written(%xs: tensor<?xf64>, %n: index, %m: memref<f64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    memref.store %x, %m[] : memref<f64>
    %t = arith.addf %s, %x : f64
    scf.yield %t : f64
  }
  return %r : f64
}
func.func @large(%xs: tensor<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
    %ys = soac.scan ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %t = arith.addf %a, %b : f64
      soac.yield %t : f64
    }
    %y = tensor.extract %ys[%i] : tensor<?xf64>
    %t = arith.addf %s, %y : f64
    scf.yield %t : f64
  }
  return %r : f64
}
func.func @told(%xs: tensor<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %t = arith.addf %s, %x : f64
    scf.yield %t : f64
  } {ad.strip_mine = array<i64: 4>}
  return %r : f64
}
func.func @inside(%xs: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = soac.map ins(%xs : tensor<?xf64>) (%y: f64) -> tensor<?xf64> {
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
      %x = tensor.extract %xs[%i] : tensor<?xf64>
      %p = arith.mulf %x, %y : f64
      %t = arith.addf %s, %p : f64
      scf.yield %t : f64
    }
    soac.yield %sum : f64
  }
  return %r : tensor<?xf64>
}
