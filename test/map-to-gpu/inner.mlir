// Accumulators in the body of a map get a row for each iteration where the map is distributed, and branches on what all
// iterations share go in front of it (F45).
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,canonicalize,cse,canonicalize)' | FileCheck %s
// DEFINE: %{rows} = 0
// DEFINE: %{run} = ad-opt run %s --entry=sums --input=%{rows} --input=11
// DEFINE: %{same} = %{run} > %t.cpu && %{run} --target=gpu-emulate > %t.gpu && diff %t.cpu %t.gpu
// RUN: %{same}
// REDEFINE: %{rows} = 1
// RUN: %{same}
// REDEFINE: %{rows} = 7
// RUN: %{same}
// RUN: %{run} --target=gpu-emulate | FileCheck %s --check-prefix=SUMS
// SUMS: [6.0, 10.0, 10.0],
// SUMS-NEXT: [12.0, 20.0, 20.0],
// SUMS: [36.0, 60.0, 60.0]]
// SUMS-NEXT: [0.0, 55.0, 110.0, 165.0, 220.0, 275.0, 330.0]

// CHECK-LABEL: func.func @sums(
// CHECK: scf.if
// One buffer for all rows, which starts with zeros and is updated by a thread for each value.
// CHECK: %[[EMPTY:.*]] = bufferization.alloc_tensor(%{{.*}}) : tensor<?x3xf64>
// CHECK: %[[ZEROS:.*]] = linalg.fill ins(%{{.*}}) outs(%[[EMPTY]]
// CHECK: %[[ROWS:.*]] = bufferization.to_buffer %[[ZEROS]]
// CHECK: %[[OTHERS:.*]] = scf.forall (%[[I:.*]], %[[J:.*]]) in (%{{.*}}, %{{.*}}) shared_outs
// CHECK: memref.atomic_rmw addf %{{.*}}, %[[ROWS]][%[[I]], %{{.*}}]
// The sums of the rows and of what else the accumulation gives are kernels of their own.
// CHECK: bufferization.to_tensor %[[ROWS]]
// Rows enough for each of them to be one thread's.
// CHECK: } else {
// CHECK: soac.with_acc
func.func @sums(%n: index, %m: index) -> (tensor<?x3xf64>, tensor<?xf64>) {
  %zero = arith.constant 0.0 : f64
  %c3 = arith.constant 3 : index
  %zeros = tensor.splat %zero : tensor<3xf64>
  %rows = soac.iota %n : tensor<?xindex>
  %columns = soac.iota %m : tensor<?xindex>
  %sums, %totals = soac.map ins(%rows : tensor<?xindex>) (%i: index) -> (tensor<?x3xf64>, tensor<?xf64>) {
    %own, %products = soac.with_acc ins(%zeros : tensor<3xf64>) (%acc: !soac.acc<tensor<3xf64>>) -> (tensor<3xf64>, tensor<?xf64>) {
      %ps, %done = soac.map ins(%columns : tensor<?xindex>) accs(%acc : !soac.acc<tensor<3xf64>>) (%j: index, %a: !soac.acc<tensor<3xf64>>) -> (tensor<?xf64>, !soac.acc<tensor<3xf64>>) {
        %at = arith.remui %j, %c3 : index
        %square = arith.muli %at, %at : index
        %is_large = arith.cmpi ugt, %j, %c3 : index
        %factor = arith.select %is_large, %c3, %square : index
        %product = arith.muli %i, %j : index
        %float = func.call @float(%product) : (index) -> f64
        %part = arith.muli %i, %factor : index
        %value = func.call @float(%part) : (index) -> f64
        %next = soac.update_acc %a[%at], %value : !soac.acc<tensor<3xf64>>, f64
        soac.yield %float, %next : f64, !soac.acc<tensor<3xf64>>
      }
      soac.yield %done, %ps : !soac.acc<tensor<3xf64>>, tensor<?xf64>
    }
    %total = soac.reduce ins(%products : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
      %s = arith.addf %l, %r : f64
      soac.yield %s : f64
    }
    soac.yield %own, %total : tensor<3xf64>, f64
  }
  return %sums, %totals : tensor<?x3xf64>, tensor<?xf64>
}

// All rows take the same branch, which is decided in front of the kernels.
// RUN: ad-opt run %s --entry=either --input=true --input=5 --target=gpu-emulate | FileCheck %s --check-prefix=TRUE
// RUN: ad-opt run %s --entry=either --input=false --input=5 --target=gpu-emulate | FileCheck %s --check-prefix=FALSE
// TRUE: [0.0, 45.0, 90.0, 135.0, 180.0]
// FALSE: [10.0, 10.0, 10.0, 10.0, 10.0]
// CHECK-LABEL: func.func @either(
// CHECK-SAME: %[[WHICH:[a-z0-9]+]]: i1
// CHECK: scf.if %[[WHICH]]
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (%{{.*}}, 10)
// CHECK: } else {
// CHECK: } else {
// CHECK-NOT: scf.if
// CHECK: scf.forall (%{{.*}}) in (%{{.*}})
// CHECK-NOT: scf.forall (
// CHECK: return
func.func @either(%which: i1, %n: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %ten = arith.constant 10.0 : f64
  %rows = soac.iota %n : tensor<?xindex>
  %columns = soac.iota : tensor<10xindex>
  %results = soac.map ins(%rows : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %result = scf.if %which -> (f64) {
      %products = soac.map ins(%columns : tensor<10xindex>) (%j: index) -> tensor<10xf64> {
        %product = arith.muli %i, %j : index
        %float = func.call @float(%product) : (index) -> f64
        soac.yield %float : f64
      }
      %sum = soac.reduce ins(%products : tensor<10xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
        %s = arith.addf %l, %r : f64
        soac.yield %s : f64
      }
      scf.yield %sum : f64
    } else {
      scf.yield %ten : f64
    }
    soac.yield %result : f64
  }
  return %results : tensor<?xf64>
}

// Rows that take different branches decide for themselves.
// RUN: ad-opt run %s --entry=own --input=5 --target=gpu-emulate | FileCheck %s --check-prefix=OWN
// OWN: [0.0, 45.0, 90.0, 10.0, 10.0]
// CHECK-LABEL: func.func @own(
// CHECK: scf.forall (%[[ROW:.*]]) in (%{{.*}})
// CHECK: arith.cmpi ult, %[[ROW]], %c3
func.func @own(%n: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %ten = arith.constant 10.0 : f64
  %c3 = arith.constant 3 : index
  %rows = soac.iota %n : tensor<?xindex>
  %columns = soac.iota : tensor<10xindex>
  %results = soac.map ins(%rows : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %is_first = arith.cmpi ult, %i, %c3 : index
    %result = scf.if %is_first -> (f64) {
      %products = soac.map ins(%columns : tensor<10xindex>) (%j: index) -> tensor<10xf64> {
        %product = arith.muli %i, %j : index
        %float = func.call @float(%product) : (index) -> f64
        soac.yield %float : f64
      }
      %sum = soac.reduce ins(%products : tensor<10xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
        %s = arith.addf %l, %r : f64
        soac.yield %s : f64
      }
      scf.yield %sum : f64
    } else {
      scf.yield %ten : f64
    }
    soac.yield %result : f64
  }
  return %results : tensor<?xf64>
}

func.func private @float(%i: index) -> f64 {
  %integer = arith.index_cast %i : index to i64
  %float = arith.sitofp %integer : i64 to f64
  return %float : f64
}
