// Slices, insertions, paddings, concatenations and reshapes: places are sums, and what comes from
// elsewhere is in a bracket (T22).
// RUN: ad-opt %s --raise-to-atl --canonicalize --cse -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not='= tensor.{{extract_slice|insert|pad|concat|expand|collapse|cast}}'
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir column n,m+3
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir every_third 3*n+2 index:n index:2
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir into n k+2,n+1 index:k
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir spread n index:n
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir one 'n>2' number index:n-1
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir around n,m number index:k
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir joined n,m n,k n,2
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir split 6*n,m
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir units n,1,m
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir element 'n>2',m+1 index:n-2

// CHECK-LABEL: func.func @column(
// CHECK: atl.gen (%[[I:.*]] in
// CHECK-NEXT: atl.access %{{.*}}[%[[I]], 2]
func.func @column(%a: tensor<?x?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf64>
  %s = tensor.extract_slice %a[0, 2] [%n, 1] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
  return %s : tensor<?xf64>
}

// CHECK-LABEL: func.func @every_third(
// CHECK: atl.gen (%[[I:.*]] in %[[N:.*]]) ->
// CHECK-NEXT: atl.access %{{.*}}[%{{.*}} + %[[I]] * 3]
func.func @every_third(%x: tensor<?xf64>, %n: index, %from: index) -> tensor<?xf64> {
  %s = tensor.extract_slice %x[%from] [%n] [3] : tensor<?xf64> to tensor<?xf64>
  return %s : tensor<?xf64>
}

// A row of a matrix is replaced.
// CHECK-LABEL: func.func @into(
// CHECK: atl.bracket
// CHECK-NEXT: atl.access %{{.*}}[%[[J:.*]] - 1]
// CHECK: arith.ori
func.func @into(%x: tensor<?xf64>, %a: tensor<?x?xf64>, %row: index) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %r = tensor.insert_slice %x into %a[%row, 1] [1, %n] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}

// What is inserted with a stride into zeros.
// CHECK-LABEL: func.func @spread(
// CHECK: atl.gen (%[[A:.*]] in
// CHECK-NEXT: atl.sum (%[[I:.*]] in
// CHECK-NEXT: atl.compare %[[A]] = %[[I]] * 2 + 1
func.func @spread(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %size0 = arith.muli %n, %c2 : index
  %size = arith.addi %size0, %c2 : index
  %empty = tensor.empty(%size) : tensor<?xf64>
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : tensor<?xf64>) -> tensor<?xf64>
  %r = tensor.insert_slice %x into %zeros[1] [%n] [2] : tensor<?xf64> into tensor<?xf64>
  return %r : tensor<?xf64>
}

// CHECK-LABEL: func.func @one(
// CHECK: atl.compare %[[I:.*]] = %{{.*}}
func.func @one(%x: tensor<?xf64>, %e: f64, %at: index) -> tensor<?xf64> {
  %r = tensor.insert %e into %x[%at] : tensor<?xf64>
  return %r : tensor<?xf64>
}

// A padding by a number that is not zero, and by widths that are not constant.
// CHECK-LABEL: func.func @around(
// CHECK-SAME: %{{.*}}: tensor<?x?xf64>, %[[V:[a-z0-9]+]]: f64
// CHECK: arith.ori
// CHECK: atl.bracket
// CHECK-NEXT: atl.yield %[[V]]
func.func @around(%x: tensor<?x?xf64>, %v: f64, %k: index) -> tensor<?x?xf64> {
  %r = tensor.pad %x low[1, %k] high[%k, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f64
  } : tensor<?x?xf64> to tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}

// CHECK-LABEL: func.func @joined(
// CHECK-COUNT-3: atl.bracket
func.func @joined(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %c: tensor<?x2xf64>) -> tensor<?x?xf64> {
  %r = tensor.concat dim(1) %a, %b, %c : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x2xf64>) -> tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}

// CHECK-LABEL: func.func @split(
// CHECK: atl.gen (%[[I:.*]] in %{{.*}}, %[[J:.*]] in %c2, %[[K:.*]] in %c3, %[[L:.*]] in %{{.*}}) ->
// CHECK-NEXT: atl.access %{{.*}}[%[[I]] * 6 + %[[J]] * 3 + %[[K]], %[[L]]]
func.func @split(%x: tensor<?x?xf64>) -> tensor<?x2x3x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %n6 = tensor.dim %x, %c0 : tensor<?x?xf64>
  %m = tensor.dim %x, %c1 : tensor<?x?xf64>
  %n = arith.divui %n6, %c6 : index
  %r = tensor.expand_shape %x [[0, 1, 2], [3]] output_shape [%n, 2, 3, %m] : tensor<?x?xf64> into tensor<?x2x3x?xf64>
  return %r : tensor<?x2x3x?xf64>
}

// CHECK-LABEL: func.func @units(
// CHECK: atl.gen (%[[I:.*]] in %{{.*}}, %[[J:.*]] in %{{.*}}) ->
// CHECK-NEXT: atl.access %{{.*}}[%[[I]], 0, %[[J]]]
func.func @units(%x: tensor<?x1x?xf64>) -> tensor<?x?xf64> {
  %r = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x1x?xf64> into tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}

// One element; a cast, a tensor of elements, a constant and a splat beside it.
// CHECK-LABEL: func.func @element(
// CHECK: atl.access %{{.*}}[%{{.*}}, 0]
func.func @element(%x: tensor<?x?xf64>, %i: index) -> tensor<3xf64> {
  %c0 = arith.constant 0 : index
  %e = tensor.extract %x[%i, %c0] : tensor<?x?xf64>
  %given = tensor.from_elements %e, %e, %e : tensor<3xf64>
  %weights = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %same = tensor.splat %e : tensor<3xf64>
  %p = arith.mulf %given, %weights : tensor<3xf64>
  %q = arith.addf %p, %same : tensor<3xf64>
  %dynamic = tensor.cast %q : tensor<3xf64> to tensor<?xf64>
  %r = tensor.cast %dynamic : tensor<?xf64> to tensor<3xf64>
  return %r : tensor<3xf64>
}
