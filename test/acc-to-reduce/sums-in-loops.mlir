// What loops add up, in order, has its derivative added up in any order (F45): the return sweep of such a loop, which counts
// from its last iteration down, counts upwards, so that the updates are products of matrices. Loops that use the number otherwise,
// or end elsewhere, are counted as they were.
// RUN: ad-opt %s --ad-optimize -o %t.mlir && FileCheck %s --input-file=%t.mlir
// DEFINE: %{npy} = %python %S/../bench/Inputs/random_npy.py
// RUN: %{npy} %t.a.npy '<f8' '(4, 5)' -1 1 1 && %{npy} %t.b.npy '<f8' '(5, 3)' -1 1 2
// RUN: %{npy} %t.a1.npy '<f8' '(1, 1)' -1 1 1 && %{npy} %t.b1.npy '<f8' '(1, 1)' -1 1 2
// RUN: %{npy} %t.a0.npy '<f8' '(4, 0)' -1 1 1 && %{npy} %t.b0.npy '<f8' '(0, 3)' -1 1 2
// RUN: ad-opt check %s --entry=product --input=%t.a.npy --input=%t.b.npy
// RUN: ad-opt check %s --entry=product --input=%t.a1.npy --input=%t.b1.npy
// RUN: ad-opt check %s --entry=product --input=%t.a0.npy --input=%t.b0.npy
// RUN: ad-opt check %s --entry=weighted --input=%t.a.npy --input=%t.b.npy
// RUN: ad-opt check %s --entry=from_the_second --input=%t.a.npy --input=%t.b.npy

// RUN: ad-opt run %s --entry=mirrored --input=%t.b.npy | FileCheck %s --check-prefix=MIRRORED

// CHECK-LABEL: func.func @product_gradient(
// CHECK-COUNT-2: iterator_types = ["parallel", "parallel", "reduction"]
// CHECK-NOT:     soac.update_acc
// CHECK:         return
func.func @product(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %a, %c1 : tensor<?x?xf64>
  %m = tensor.dim %b, %c1 : tensor<?x?xf64>
  %columns = soac.iota %m : tensor<?xindex>
  %c = soac.map ins(%a : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?x?xf64> {
    %r = soac.map ins(%columns : tensor<?xindex>) (%j: index) -> tensor<?xf64> {
      %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> f64 {
        %x = tensor.extract %row[%k] : tensor<?xf64>
        %y = tensor.extract %b[%k, %j] : tensor<?x?xf64>
        %p = arith.mulf %x, %y : f64
        %t = arith.addf %acc, %p : f64
        scf.yield %t : f64
      }
      soac.yield %s : f64
    }
    soac.yield %r : tensor<?xf64>
  }
  return %c : tensor<?x?xf64>
}

func.func @product_gradient(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %bar: tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %c, %da, %db = ad.vjp @product(%a, %b) seed(%bar) : (tensor<?x?xf64>, tensor<?x?xf64>), (tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
  return %da, %db : tensor<?x?xf64>, tensor<?x?xf64>
}

// The number is also a factor.
func.func @weighted(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %a, %c1 : tensor<?x?xf64>
  %c = soac.map ins(%a : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?xf64> {
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> f64 {
      %x = tensor.extract %row[%k] : tensor<?xf64>
      %y = tensor.extract %b[%k, %c0] : tensor<?x?xf64>
      %w = arith.index_cast %k : index to i64
      %f = arith.sitofp %w : i64 to f64
      %p = arith.mulf %x, %y : f64
      %q = arith.mulf %p, %f : f64
      %t = arith.addf %acc, %q : f64
      scf.yield %t : f64
    }
    soac.yield %s : f64
  }
  return %c : tensor<?xf64>
}

// The loop begins with the second element, by twos.
func.func @from_the_second(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %a, %c1 : tensor<?x?xf64>
  %c = soac.map ins(%a : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?xf64> {
    %s = scf.for %k = %c1 to %n step %c2 iter_args(%acc = %zero) -> f64 {
      %x = tensor.extract %row[%k] : tensor<?xf64>
      %y = tensor.extract %b[%k, %c0] : tensor<?x?xf64>
      %p = arith.mulf %x, %y : f64
      %t = arith.addf %acc, %p : f64
      scf.yield %t : f64
    }
    soac.yield %s : f64
  }
  return %c : tensor<?xf64>
}

// Places from the last one down to the second: 0.0, then what is added for k = 3, 2, 1 and 0.
// MIRRORED: [0.0, 3.0, 2.0, 1.0, 0.0]
func.func @mirrored(%b: tensor<?x?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %b, %c0 : tensor<?x?xf64>
  %last = arith.subi %n, %c1 : index
  %empty = tensor.empty(%n) : tensor<?xf64>
  %start = linalg.fill ins(%zero : f64) outs(%empty : tensor<?xf64>) -> tensor<?xf64>
  %r = soac.with_acc ins(%start : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> tensor<?xf64> {
    %s = scf.for %k = %c0 to %last step %c1 iter_args(%own = %acc) -> !soac.acc<tensor<?xf64>> {
      %at = arith.subi %last, %k : index
      %back = arith.subi %last, %at : index
      %w = arith.index_cast %back : index to i64
      %f = arith.sitofp %w : i64 to f64
      %next = soac.update_acc %own[%at], %f : !soac.acc<tensor<?xf64>>, f64
      scf.yield %next : !soac.acc<tensor<?xf64>>
    }
    soac.yield %s : !soac.acc<tensor<?xf64>>
  }
  return %r : tensor<?xf64>
}
