// The rows of a reduction of arrays are shared out where there are many of them and few columns, so that neighbouring
// threads read neighbours in memory.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,canonicalize,cse)' | FileCheck %s
//
// DEFINE: %{random} = %python %S/../bench/Inputs/random_npy.py
// DEFINE: %{entry} = sums
// DEFINE: %{shape} =
// DEFINE: %{make} = %{random} %t.x.npy '<f8' '%{shape}' -1 1 1
// DEFINE: %{run} = ad-opt run %s --entry=%{entry} --input=%t.x.npy
// DEFINE: %{both} = %{run} > %t.cpu && %{run} --target=gpu-emulate > %t.gpu && \
// DEFINE:           %python %S/../bench/Inputs/compare.py %t.cpu %t.gpu 1e-13
//
// One row less than is shared out, as few as are, some that do not divide by the number of parts, one column.
// REDEFINE: %{shape} = (15,3)
// RUN: %{make} && %{both}
// REDEFINE: %{shape} = (16,3)
// RUN: %{make} && %{both}
// REDEFINE: %{shape} = (1001,37)
// RUN: %{make} && %{both}
// REDEFINE: %{entry} = tops
// RUN: %{both}
// REDEFINE: %{entry} = last
// RUN: %{both}
// REDEFINE: %{entry} = sums
// REDEFINE: %{shape} = (3000,1)
// RUN: %{make} && %{both}
// REDEFINE: %{entry} = parts
// REDEFINE: %{shape} = (3,200,5)
// RUN: %{make} && %{both}
// REDEFINE: %{shape} = (2,0,5)
// RUN: %{make} && %{both}
//
// At 1001 x 37 there are 125 threads for each column, and each reads 8 or 9 rows. What is read and written is moved once, but
// for the parts.
// REDEFINE: %{entry} = sums
// REDEFINE: %{shape} = (1000,40)
// RUN: %{make}
// RUN: %{run} --target=gpu-emulate --emulate-report=%t.report
// RUN: FileCheck %s --check-prefix=MOVED --input-file=%t.report
// MOVED: "bytes": 360000
// MOVED: "moved_bytes": 360000
// MOVED: "threads": 5120

// CHECK-LABEL: func.func @sums(
// CHECK-SAME: %[[XSS:[a-z0-9]+]]: tensor<?x?xf64>
// CHECK-DAG: %[[WANTED:.*]] = arith.constant 65536 : index
// CHECK-DAG: %[[ROWS:.*]] = arith.constant 8 : index
// CHECK: %[[wanted:.*]] = arith.divui %[[WANTED]]
// CHECK: %[[possible:.*]] = arith.divui %{{.*}}, %[[ROWS]]
// CHECK: %[[count:.*]] = arith.minsi %[[wanted]], %[[possible]]
// CHECK: scf.if
// CHECK: %[[parts:.*]] = scf.forall (%[[s:.*]], %[[j:.*]]) in (%[[count]], %{{.*}}) shared_outs
// CHECK: soac.map ins(%{{.*}} : tensor<?xindex>) (%[[k:.*]]: index)
// CHECK: %[[step:.*]] = arith.muli %[[k]], %[[count]]
// CHECK: %[[row:.*]] = arith.addi %[[s]], %[[step]]
// CHECK: tensor.extract %[[XSS]][%[[row]], %[[j]]]
// CHECK: soac.reduce
// CHECK: scf.forall
// CHECK: } else {
// CHECK: scf.forall
// CHECK: return
func.func @sums(%xss: tensor<?x?xf64>) -> tensor<?xf64> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %m = tensor.dim %xss, %c1 : tensor<?x?xf64>
  %zeros = tensor.splat %zero[%m] : tensor<?xf64>
  %sums = soac.reduce ins(%xss : tensor<?x?xf64>) neutral(%zeros : tensor<?xf64>)
      (%l: tensor<?xf64>, %r: tensor<?xf64>) {
    %s = arith.addf %l, %r : tensor<?xf64>
    soac.yield %s : tensor<?xf64>
  }
  return %sums : tensor<?xf64>
}

// The greatest elements, by a map.
// CHECK-LABEL: func.func @tops(
// CHECK: arith.constant 65536 : index
// CHECK: return
func.func @tops(%xss: tensor<?x?xf64>) -> tensor<?xf64> {
  %c1 = arith.constant 1 : index
  %least = arith.constant 0xFFF0000000000000 : f64
  %m = tensor.dim %xss, %c1 : tensor<?x?xf64>
  %start = tensor.splat %least[%m] : tensor<?xf64>
  %tops = soac.reduce ins(%xss : tensor<?x?xf64>) neutral(%start : tensor<?xf64>)
      (%l: tensor<?xf64>, %r: tensor<?xf64>) {
    %s = soac.map ins(%l, %r : tensor<?xf64>, tensor<?xf64>) (%x: f64, %y: f64) -> tensor<?xf64> {
      %z = arith.maximumf %x, %y : f64
      soac.yield %z : f64
    }
    soac.yield %s : tensor<?xf64>
  }
  return %tops : tensor<?xf64>
}

// The order of rows matters to an operator that takes the last one that is not zero: they are not shared out.
// CHECK-LABEL: func.func @last(
// CHECK-NOT: arith.constant 65536 : index
// CHECK: return
func.func @last(%xss: tensor<?x?xf64>) -> tensor<?xf64> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %m = tensor.dim %xss, %c1 : tensor<?x?xf64>
  %start = tensor.splat %zero[%m] : tensor<?xf64>
  %last = soac.reduce ins(%xss : tensor<?x?xf64>) neutral(%start : tensor<?xf64>)
      (%l: tensor<?xf64>, %r: tensor<?xf64>) {
    %s = soac.map ins(%l, %r : tensor<?xf64>, tensor<?xf64>) (%x: f64, %y: f64) -> tensor<?xf64> {
      %is_zero = arith.cmpf oeq, %y, %zero : f64
      %z = arith.select %is_zero, %x, %y : f64
      soac.yield %z : f64
    }
    soac.yield %s : tensor<?xf64>
  }
  return %last : tensor<?xf64>
}

// Reductions in a map have a thread or a block for each column of each of them.
// CHECK-LABEL: func.func @parts(
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (%{{.*}}, %{{.*}}) shared_outs
// CHECK: return
func.func @parts(%xsss: tensor<?x?x?xf64>) -> tensor<?x?xf64> {
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %m = tensor.dim %xsss, %c2 : tensor<?x?x?xf64>
  %zeros = tensor.splat %zero[%m] : tensor<?xf64>
  %sums = soac.map ins(%xsss : tensor<?x?x?xf64>) (%xss: tensor<?x?xf64>) -> tensor<?x?xf64> {
    %own = soac.reduce ins(%xss : tensor<?x?xf64>) neutral(%zeros : tensor<?xf64>)
        (%l: tensor<?xf64>, %r: tensor<?xf64>) {
      %s = arith.addf %l, %r : tensor<?xf64>
      soac.yield %s : tensor<?xf64>
    }
    soac.yield %own : tensor<?xf64>
  }
  return %sums : tensor<?x?xf64>
}
