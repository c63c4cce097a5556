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
// what is read in a branch, at another place, or at a number that an array has.
// CHECK-LABEL: func.func @read(
// CHECK-DAG: %[[N:.*]] = tensor.dim %arg0
// CHECK-DAG: %[[LAST:.*]] = arith.subi
// CHECK-DAG: %[[SIZE:.*]] = tensor.dim %arg1
// CHECK: arith.cmpi slt, %{{.*}}, %[[SIZE]]
// CHECK: cf.assert %{{.*}}, "sizes do not match: dimension 0 of argument 1 is too small for the indices that it is read at"
// CHECK: soac.map
// CHECK: cf.assert %{{.*}}, "sizes do not match: dimension 0 of argument 2 is too small for the indices that it is read at"
// CHECK-NOT: cf.assert
// CHECK: scf.for
func.func @read(%x: tensor<?xf64>, %y: tensor<?xf64>, %z: tensor<?xf64>, %is: tensor<?xindex>, %n: index, %c: i1) -> (tensor<?xf64>, f64) {
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
    %j = tensor.extract %is[%c0] : tensor<?xindex>
    %f = tensor.extract %z[%j] : tensor<?xf64>
    %s = arith.addf %a, %b : f64
    %t = arith.addf %s, %d : f64
    %u = arith.addf %t, %f : f64
    soac.yield %u : f64
  }
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %a = tensor.extract %z[%i] : tensor<?xf64>
    %b = arith.addf %s, %a : f64
    scf.yield %b : f64
  }
  return %r, %sum : tensor<?xf64>, f64
}
