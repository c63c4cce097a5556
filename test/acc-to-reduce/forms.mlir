// Updates of every form: offsets, constant indices, rows, branches, loops, several
// accumulators. The values are those of the program with its accumulators.
// RUN: ad-opt %s --ad-acc-to-reduce --canonicalize --cse --ad-simplify --canonicalize --cse -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: ad-opt run %t.mlir --entry=offset > %t.values
// RUN: ad-opt run %t.mlir --entry=constant >> %t.values
// RUN: ad-opt run %t.mlir --entry=rows >> %t.values
// RUN: ad-opt run %t.mlir --entry=guarded >> %t.values
// RUN: ad-opt run %t.mlir --entry=loop >> %t.values
// RUN: ad-opt run %t.mlir --entry=two >> %t.values
// RUN: ad-opt run %t.mlir --entry=empty >> %t.values
// RUN: FileCheck %s --check-prefix=VALUES --input-file=%t.values

!vec = tensor<?xf64>
!acc = !soac.acc<tensor<?xf64>>

// acc[i + 1] += x: a slice of the array. Without any x the slice might be out of bounds.
// CHECK-LABEL: func.func private @offset_of
// CHECK-NOT: soac.with_acc
// CHECK: %[[ANY:.*]] = arith.cmpi sgt
// CHECK: scf.if %[[ANY]]
// CHECK: %[[OLD:.*]] = tensor.extract_slice %[[T:.*]][1] [%{{.*}}] [1]
// CHECK: %[[SUM:.*]] = soac.map ins(%[[OLD]], %{{.*}}
// CHECK: tensor.insert_slice %[[SUM]] into %[[T]][1]
func.func private @offset_of(%xs: !vec, %t: !vec) -> !vec {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %xs, %c0 : !vec
  %is = soac.iota %n : tensor<?xindex>
  %r = soac.with_acc ins(%t : !vec) (%a: !acc) -> !vec {
    %m = soac.map ins(%is, %xs : tensor<?xindex>, !vec) accs(%a : !acc) (%i: index, %x: f64, %b: !acc) -> !acc {
      %j = arith.addi %i, %c1 : index
      %c = soac.update_acc %b[%j], %x : !acc, f64
      soac.yield %c : !acc
    }
    soac.yield %m : !acc
  }
  return %r : !vec
}
// VALUES: [1.0, 3.0, 4.0]
func.func @offset() -> !vec {
  %xs = arith.constant dense<[2.0, 3.0]> : tensor<2xf64>
  %t = arith.constant dense<1.0> : tensor<3xf64>
  %x = tensor.cast %xs : tensor<2xf64> to !vec
  %u = tensor.cast %t : tensor<3xf64> to !vec
  %r = call @offset_of(%x, %u) : (!vec, !vec) -> !vec
  return %r : !vec
}

// acc[1] += x in every iteration: one sum.
// CHECK-LABEL: func.func private @constant_of
// CHECK-NOT: soac.with_acc
// CHECK: soac.reduce
// CHECK: scf.if
// CHECK: tensor.insert %{{.*}} into %{{.*}}[%c1]
func.func private @constant_of(%xs: !vec, %t: !vec) -> !vec {
  %c1 = arith.constant 1 : index
  %r = soac.with_acc ins(%t : !vec) (%a: !acc) -> !vec {
    %m = soac.map ins(%xs : !vec) accs(%a : !acc) (%x: f64, %b: !acc) -> !acc {
      %y = arith.mulf %x, %x : f64
      %c = soac.update_acc %b[%c1], %y : !acc, f64
      soac.yield %c : !acc
    }
    soac.yield %m : !acc
  }
  return %r : !vec
}
// VALUES: [1.0, 14.0, 1.0]
func.func @constant() -> !vec {
  %xs = arith.constant dense<[2.0, 3.0]> : tensor<2xf64>
  %t = arith.constant dense<1.0> : tensor<3xf64>
  %x = tensor.cast %xs : tensor<2xf64> to !vec
  %u = tensor.cast %t : tensor<3xf64> to !vec
  %r = call @constant_of(%x, %u) : (!vec, !vec) -> !vec
  return %r : !vec
}

// acc[] += row: rows are summed as they are.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: soac.with_acc
// CHECK: soac.reduce ins(%{{.*}} : tensor<2x3xf64>)
// VALUES: [6.0, 8.0, 10.0]
func.func @rows() -> tensor<3xf64> {
  %xss = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf64>
  %t = arith.constant dense<1.0> : tensor<3xf64>
  %r = soac.with_acc ins(%t : tensor<3xf64>) (%a: !soac.acc<tensor<3xf64>>) -> tensor<3xf64> {
    %m = soac.map ins(%xss : tensor<2x3xf64>) accs(%a : !soac.acc<tensor<3xf64>>) (%xs: tensor<3xf64>, %b: !soac.acc<tensor<3xf64>>) -> !soac.acc<tensor<3xf64>> {
      %c = soac.update_acc %b[], %xs : !soac.acc<tensor<3xf64>>, tensor<3xf64>
      soac.yield %c : !soac.acc<tensor<3xf64>>
    }
    soac.yield %m : !soac.acc<tensor<3xf64>>
  }
  return %r : tensor<3xf64>
}

// An update under a condition adds zero where the condition is false, and nothing else
// is computed there.
// CHECK-LABEL: func.func @guarded
// CHECK-NOT: soac.with_acc
// CHECK: scf.if
// CHECK-NEXT: math.sqrt
// CHECK: } else {
// CHECK-NEXT: scf.yield %cst
// VALUES: [2.0, 0.0, 3.0]
func.func @guarded() -> tensor<3xf64> {
  %zero = arith.constant 0.0 : f64
  %xs = arith.constant dense<[4.0, -1.0, 9.0]> : tensor<3xf64>
  %t = arith.constant dense<0.0> : tensor<3xf64>
  %is = soac.iota : tensor<3xindex>
  %r = soac.with_acc ins(%t : tensor<3xf64>) (%a: !soac.acc<tensor<3xf64>>) -> tensor<3xf64> {
    %m = soac.map ins(%is, %xs : tensor<3xindex>, tensor<3xf64>) accs(%a : !soac.acc<tensor<3xf64>>) (%i: index, %x: f64, %b: !soac.acc<tensor<3xf64>>) -> !soac.acc<tensor<3xf64>> {
      %p = arith.cmpf ogt, %x, %zero : f64
      %d = scf.if %p -> !soac.acc<tensor<3xf64>> {
        %y = math.sqrt %x : f64
        %c = soac.update_acc %b[%i], %y : !soac.acc<tensor<3xf64>>, f64
        scf.yield %c : !soac.acc<tensor<3xf64>>
      } else {
        scf.yield %b : !soac.acc<tensor<3xf64>>
      }
      soac.yield %d : !soac.acc<tensor<3xf64>>
    }
    soac.yield %m : !soac.acc<tensor<3xf64>>
  }
  return %r : tensor<3xf64>
}

// A loop that carries nothing but accumulators is a map; here one with every other column.
// CHECK-LABEL: func.func @loop
// CHECK-NOT: scf.for
// CHECK-NOT: soac.with_acc
// CHECK: soac.reduce
// VALUES: [5.0, 11.0]
func.func @loop() -> tensor<2xf64> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %xss = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf64>
  %t = arith.constant dense<1.0> : tensor<2xf64>
  %is = soac.iota : tensor<2xindex>
  %r = soac.with_acc ins(%t : tensor<2xf64>) (%a: !soac.acc<tensor<2xf64>>) -> tensor<2xf64> {
    %m = soac.map ins(%is : tensor<2xindex>) accs(%a : !soac.acc<tensor<2xf64>>) (%i: index, %b: !soac.acc<tensor<2xf64>>) -> !soac.acc<tensor<2xf64>> {
      %f = scf.for %j = %c0 to %c3 step %c2 iter_args(%c = %b) -> !soac.acc<tensor<2xf64>> {
        %x = tensor.extract %xss[%i, %j] : tensor<2x3xf64>
        %d = soac.update_acc %c[%i], %x : !soac.acc<tensor<2xf64>>, f64
        scf.yield %d : !soac.acc<tensor<2xf64>>
      }
      soac.yield %f : !soac.acc<tensor<2xf64>>
    }
    soac.yield %m : !soac.acc<tensor<2xf64>>
  }
  return %r : tensor<2xf64>
}

// Two accumulators, one of them updated twice at one index and the other at a constant.
// CHECK-LABEL: func.func @two
// CHECK-NOT: soac.with_acc
// CHECK: return
// VALUES: [7.0, 10.0]
// VALUES: [1.0, 6.0]
func.func @two() -> (tensor<2xf64>, tensor<2xf64>) {
  %c1 = arith.constant 1 : index
  %xs = arith.constant dense<[2.0, 3.0]> : tensor<2xf64>
  %t = arith.constant dense<1.0> : tensor<2xf64>
  %is = soac.iota : tensor<2xindex>
  %r:2 = soac.with_acc ins(%t, %t : tensor<2xf64>, tensor<2xf64>) (%a: !soac.acc<tensor<2xf64>>, %e: !soac.acc<tensor<2xf64>>) -> (tensor<2xf64>, tensor<2xf64>) {
    %m:2 = soac.map ins(%is, %xs : tensor<2xindex>, tensor<2xf64>) accs(%a, %e : !soac.acc<tensor<2xf64>>, !soac.acc<tensor<2xf64>>)
        (%i: index, %x: f64, %b: !soac.acc<tensor<2xf64>>, %f: !soac.acc<tensor<2xf64>>) -> (!soac.acc<tensor<2xf64>>, !soac.acc<tensor<2xf64>>) {
      %y = arith.addf %x, %x : f64
      %c = soac.update_acc %b[%i], %x : !soac.acc<tensor<2xf64>>, f64
      %d = soac.update_acc %c[%i], %y : !soac.acc<tensor<2xf64>>, f64
      %g = soac.update_acc %f[%c1], %x : !soac.acc<tensor<2xf64>>, f64
      soac.yield %d, %g : !soac.acc<tensor<2xf64>>, !soac.acc<tensor<2xf64>>
    }
    soac.yield %m#0, %m#1 : !soac.acc<tensor<2xf64>>, !soac.acc<tensor<2xf64>>
  }
  return %r#0, %r#1 : tensor<2xf64>, tensor<2xf64>
}

// No iteration: the index 1 is out of bounds, and nothing is touched.
// VALUES: [1.0]
func.func @empty() -> !vec {
  %c0 = arith.constant 0 : index
  %x = tensor.empty(%c0) : !vec
  %t = arith.constant dense<1.0> : tensor<1xf64>
  %u = tensor.cast %t : tensor<1xf64> to !vec
  %r = call @constant_of(%x, %u) : (!vec, !vec) -> !vec
  return %r : !vec
}
