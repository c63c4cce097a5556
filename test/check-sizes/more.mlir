// Arrays that are indexed alike, what a cast says of a size, and the other dimensions of what is joined: each was believed, and
// memory behind an array was written or read.
// RUN: ad-opt %s --ad-check-sizes --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @scatter(
// CHECK: cf.assert %{{.*}}, "sizes do not match: dimension 0 of argument 3 and dimension 0 of argument 4 have to be equal"
// CHECK: soac.scatter
func.func @scatter(%i: tensor<?xindex>, %v: tensor<?xf64>, %w: tensor<?xf64>, %a: tensor<?xf64>, %b: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:2 = soac.scatter at(%i : tensor<?xindex>) ins(%v, %w : tensor<?xf64>, tensor<?xf64>) into(%a, %b : tensor<?xf64>, tensor<?xf64>)
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}

// -----

// CHECK-LABEL: func.func @cast(
// CHECK: cf.assert %{{.*}}, "sizes do not match: dimension 0 of argument 0 and 3 have to be equal"
// CHECK: tensor.cast
// CHECK-NOT: cf.assert
// CHECK: return
func.func @cast(%x: tensor<?x?xf64>) -> tensor<3x?xf64> {
  %r = tensor.cast %x : tensor<?x?xf64> to tensor<3x?xf64>
  return %r : tensor<3x?xf64>
}

// -----

// A cast that forgets a size is not asked about.
// CHECK-LABEL: func.func @forget(
// CHECK-NOT: cf.assert
func.func @forget(%x: tensor<3xf64>) -> tensor<?xf64> {
  %r = tensor.cast %x : tensor<3xf64> to tensor<?xf64>
  return %r : tensor<?xf64>
}

// -----

// CHECK-LABEL: func.func @concat(
// CHECK-NOT: dimension 0
// CHECK: cf.assert %{{.*}}, "sizes do not match: dimension 1 of argument 0 and dimension 1 of argument 1 have to be equal"
// CHECK-NOT: dimension 0
// CHECK: tensor.concat
func.func @concat(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %r = tensor.concat dim(0) %a, %b : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}

// -----

// CHECK-LABEL: func.func @softmax(
// CHECK: cf.assert %{{.*}}, "sizes do not match: dimension 0 of argument 0 and dimension 0 of argument 1 have to be equal"
// CHECK: linalg.softmax
func.func @softmax(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %r = linalg.softmax dimension(0) ins(%x : tensor<?xf64>) outs(%y : tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// -----

// What is read at the number of each iteration, of a map or of a loop that runs, has an element for each; nothing is known of
// what is read at another place, at a number that an array has, or in a branch that depends on the iteration.
// CHECK-LABEL: func.func @read(
// CHECK-DAG: %[[N:.*]] = tensor.dim %arg0
// CHECK-DAG: %[[LAST:.*]] = arith.subi
// CHECK-DAG: %[[SIZE:.*]] = tensor.dim %arg1
// CHECK: arith.cmpi slt, %{{.*}}, %[[SIZE]]
// CHECK: cf.assert %{{.*}}, "sizes do not match: dimension 0 of argument 1 is too small for the indices that it is read at"
// CHECK: arith.xori %arg5, %true
// CHECK: cf.assert %{{.*}}, "sizes do not match: dimension 0 of argument 2 is too small for the indices that it is read at"
// CHECK-NOT: cf.assert
// CHECK: soac.map
// CHECK: cf.assert %{{.*}}, "sizes do not match: dimension 0 of argument 2 is too small for the indices that it is read at"
// CHECK-NOT: cf.assert
// CHECK: scf.for
func.func @read(%x: tensor<?xf64>, %y: tensor<?xf64>, %z: tensor<?xf64>, %is: tensor<?xindex>, %n: index, %c: i1, %w: tensor<?xf64>) -> (tensor<?xf64>, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %m = tensor.dim %x, %c0 : tensor<?xf64>
  %iota = soac.iota %m : tensor<?xindex>
  %r = soac.map ins(%iota : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %a = tensor.extract %x[%i] : tensor<?xf64>
    %b = tensor.extract %y[%i] : tensor<?xf64>
    %next = arith.addi %i, %c1 : index
    %d = scf.if %c -> f64 {
      %e = tensor.extract %z[%i] : tensor<?xf64>
      scf.yield %e : f64
    } else {
      %e = tensor.extract %z[%next] : tensor<?xf64>
      scf.yield %e : f64
    }
    %low = arith.cmpi ult, %i, %n : index
    %h = scf.if %low -> f64 {
      %e = tensor.extract %w[%i] : tensor<?xf64>
      scf.yield %e : f64
    } else {
      scf.yield %a : f64
    }
    %j = tensor.extract %is[%c0] : tensor<?xindex>
    %f = tensor.extract %z[%j] : tensor<?xf64>
    %s = arith.addf %a, %b : f64
    %t = arith.addf %s, %d : f64
    %v = arith.addf %t, %f : f64
    %u = arith.addf %v, %h : f64
    soac.yield %u : f64
  }
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %a = tensor.extract %z[%i] : tensor<?xf64>
    %b = arith.addf %s, %a : f64
    scf.yield %b : f64
  }
  return %r, %sum : tensor<?xf64>, f64
}

// -----

// What is added to an accumulator is as large as the part of the array that it is added to.
// CHECK-LABEL: func.func @added(
// CHECK: cf.assert %{{.*}}, "sizes do not match: dimension 0 of argument 1 and dimension 0 of argument 0 have to be equal"
// CHECK-NOT: cf.assert
// CHECK: cf.assert %{{.*}}, "sizes do not match: dimension 1 of argument 0 and dimension 1 of argument 2 have to be equal"
// CHECK-NOT: cf.assert
// CHECK: cf.assert %{{.*}}, "sizes do not match: argument 3 of 'added' and dimension 1 of argument 2 have to be equal"
// CHECK-NOT: cf.assert
// CHECK: soac.with_acc
func.func @added(%rows: tensor<?x?xf64>, %at: tensor<?xindex>, %start: tensor<?x?xf64>, %n: index, %x: f64) -> tensor<?x?xf64> {
  %row = soac.replicate %x, %n : f64 -> tensor<?xf64>
  %sums = soac.with_acc ins(%start : tensor<?x?xf64>) (%acc: !soac.acc<tensor<?x?xf64>>) -> tensor<?x?xf64> {
    %all = soac.map ins(%at, %rows : tensor<?xindex>, tensor<?x?xf64>) accs(%acc : !soac.acc<tensor<?x?xf64>>)
        (%i: index, %r: tensor<?xf64>, %a: !soac.acc<tensor<?x?xf64>>) -> !soac.acc<tensor<?x?xf64>> {
      %b = soac.update_acc %a[%i], %r : !soac.acc<tensor<?x?xf64>>, tensor<?xf64>
      %c = soac.update_acc %b[%i], %row : !soac.acc<tensor<?x?xf64>>, tensor<?xf64>
      soac.yield %c : !soac.acc<tensor<?x?xf64>>
    }
    soac.yield %all : !soac.acc<tensor<?x?xf64>>
  }
  return %sums : tensor<?x?xf64>
}

// -----

// An array has as many elements as the shape that it gets.
// CHECK-LABEL: func.func @reshaped(
// CHECK: cf.assert %{{.*}}, "sizes do not match: dimension 0 of argument 0 times 3 has to be argument 1 of 'reshaped' times argument 2 of 'reshaped'"
// CHECK: tensor.reshape
// CHECK-NOT: cf.assert
// CHECK: cf.assert %{{.*}}, "sizes do not match: dimension 0 of argument 3 has to be argument 1 of 'reshaped' times 4"
// CHECK-NOT: cf.assert
// CHECK: tensor.expand_shape
func.func @reshaped(%x: tensor<?x3xf64>, %a: index, %b: index, %y: tensor<?x6xf64>) -> (tensor<?x?xf64>, tensor<?x4x2x3xf64>) {
  %shape = tensor.from_elements %a, %b : tensor<2xindex>
  %r = tensor.reshape %x(%shape) : (tensor<?x3xf64>, tensor<2xindex>) -> tensor<?x?xf64>
  %e = tensor.expand_shape %y [[0, 1], [2, 3]] output_shape [%a, 4, 2, 3] : tensor<?x6xf64> into tensor<?x4x2x3xf64>
  return %r, %e : tensor<?x?xf64>, tensor<?x4x2x3xf64>
}
