// What an operation takes for equal is compared in front of it, once.
// RUN: ad-opt %s --ad-check-sizes --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @twice(
// CHECK-SAME: %[[X:.*]]: tensor<?xf64>, %[[Y:.*]]: tensor<?xf64>
func.func @twice(%x: tensor<?xf64>, %y: tensor<?xf64>) -> (tensor<?xf64>, f64) {
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : index
  // CHECK-NEXT: %[[M:.*]] = tensor.dim %[[X]], %[[ZERO]]
  // CHECK: %[[N:.*]] = tensor.dim %[[Y]]
  // CHECK-NEXT: %[[SAME:.*]] = arith.cmpi eq, %[[M]], %[[N]] : index
  // CHECK-NEXT: cf.assert %[[SAME]], "sizes do not match: dimension 0 of argument 0 and dimension 0 of argument 1 have to be equal"
  // CHECK-NEXT: soac.map
  // CHECK-NOT: cf.assert
  %z = soac.map ins(%x, %y : tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64) -> tensor<?xf64> {
    %p = arith.mulf %a, %b : f64
    soac.yield %p : f64
  }
  %w = arith.addf %z, %y : tensor<?xf64>
  %zero = arith.constant 0.0 : f64
  %s = soac.reduce ins(%w : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.addf %l, %r : f64
    soac.yield %t : f64
  }
  return %w, %s : tensor<?xf64>, f64
}

// -----

// A row of a matrix is as long as a vector, unless there is no row; nothing is compared for each row.
// CHECK-LABEL: func.func @rows(
// CHECK: %[[COLUMNS:.*]] = tensor.dim %arg0, %{{.*}}
// CHECK: %[[LENGTH:.*]] = tensor.dim %arg1, %{{.*}}
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[COLUMNS]], %[[LENGTH]] : index
// CHECK: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK: %[[ROWS:.*]] = tensor.dim %arg0, %{{.*}}
// CHECK-NEXT: %[[NONE:.*]] = arith.cmpi sge, %[[ZERO]], %[[ROWS]] : index
// CHECK-NEXT: %[[HOLDS:.*]] = arith.ori %[[SAME]], %[[NONE]] : i1
// CHECK-NEXT: cf.assert %[[HOLDS]], "sizes do not match: dimension 1 of argument 0 and dimension 0 of argument 1 have to be equal"
// CHECK-NEXT: soac.map
// CHECK-NOT: cf.assert
// CHECK: return
func.func @rows(%m: tensor<?x?xf64>, %v: tensor<?xf64>) -> tensor<?x?xf64> {
  %z = soac.map ins(%m : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?x?xf64> {
    %p = arith.mulf %row, %v : tensor<?xf64>
    soac.yield %p : tensor<?xf64>
  }
  return %z : tensor<?x?xf64>
}

// -----

// What a loop carries has the size that it starts with.
// CHECK-LABEL: func.func @steps(
// CHECK: arith.cmpi eq
// CHECK: arith.cmpi sge, %{{.*}}, %arg0 : index
// CHECK: cf.assert %{{.*}}, "sizes do not match: dimension 0 of argument 1 and dimension 0 of argument 2 have to be equal"
// CHECK: scf.for
// CHECK-NOT: cf.assert
// CHECK: return
func.func @steps(%n: index, %x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<?xf64> {
    %b = arith.mulf %a, %y : tensor<?xf64>
    scf.yield %b : tensor<?xf64>
  }
  return %z : tensor<?xf64>
}

// -----

// CHECK-LABEL: func.func @product(
// CHECK: cf.assert %{{.*}}, "sizes do not match: dimension 0 of argument 0 and 3 have to be equal"
// CHECK: cf.assert %{{.*}}, "sizes do not match: dimension 1 of argument 1 and 4 have to be equal"
// CHECK: cf.assert %{{.*}}, "sizes do not match: dimension 1 of argument 0 and dimension 0 of argument 1 have to be equal"
// CHECK: linalg.matmul
func.func @product(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %c: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %d = linalg.matmul ins(%a, %b : tensor<?x?xf64>, tensor<?x?xf64>) outs(%c : tensor<3x4xf64>) -> tensor<3x4xf64>
  return %d : tensor<3x4xf64>
}

// -----

// A place for each row of values, which are as long as those of the array; so are neutral elements.
// CHECK-LABEL: func.func @updates(
// CHECK: cf.assert %{{.*}}, "sizes do not match: dimension 0 of argument 0 and dimension 0 of argument 1 have to be equal"
// CHECK: cf.assert %{{.*}}, "sizes do not match: dimension 1 of argument 1 and dimension 1 of argument 2 have to be equal"
// CHECK: soac.scatter
// CHECK: cf.assert %{{.*}}, "sizes do not match: dimension 1 of argument 1 and dimension 0 of argument 3 have to be equal"
// CHECK: soac.scan
func.func @updates(%at: tensor<?xindex>, %rows: tensor<?x?xf64>, %into: tensor<?x?xf64>, %zeros: tensor<?xf64>)
    -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %new = soac.scatter at(%at : tensor<?xindex>) ins(%rows : tensor<?x?xf64>) into(%into : tensor<?x?xf64>)
  %sums = soac.scan ins(%rows : tensor<?x?xf64>) neutral(%zeros : tensor<?xf64>) (%l: tensor<?xf64>, %r: tensor<?xf64>) {
    %t = arith.addf %l, %r : tensor<?xf64>
    soac.yield %t : tensor<?xf64>
  }
  return %new, %sums : tensor<?x?xf64>, tensor<?x?xf64>
}

// -----

// Sizes in a branch are equal if it is taken. Of two arrays one is chosen, and a private function is called with what is compared
// elsewhere, if at all.
// CHECK-LABEL: func.func @branch(
// CHECK: %[[EQUAL:.*]] = arith.cmpi eq
// CHECK: %[[OTHER:.*]] = arith.xori %arg0, %true
// CHECK: %[[HOLDS:.*]] = arith.ori %[[EQUAL]], %[[OTHER]]
// CHECK-NOT: cf.assert
// CHECK: cf.assert %[[HOLDS]], "sizes do not match: dimension 0 of argument 1 and dimension 0 of argument 2 have to be equal"
// CHECK-NOT: cf.assert
// CHECK: %[[LESS:.*]] = arith.cmpi slt
// CHECK: arith.ori %[[LESS]], %arg0
// CHECK: cf.assert %{{.*}}, "sizes do not match: dimension 0 of argument 2 is too small for the indices that it is read at"
// CHECK: scf.if
// CHECK-NOT: cf.assert
// CHECK-LABEL: func.func private @inner(
// CHECK-NOT: cf.assert
func.func @branch(%c: i1, %x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %z = scf.if %c -> tensor<?xf64> {
    %b = arith.mulf %x, %y : tensor<?xf64>
    scf.yield %b : tensor<?xf64>
  } else {
    %c0 = arith.constant 0 : index
    %n = tensor.dim %x, %c0 : tensor<?xf64>
    %iota = soac.iota %n : tensor<?xindex>
    %read = soac.map ins(%iota : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
      %y_i = tensor.extract %y[%i] : tensor<?xf64>
      soac.yield %y_i : f64
    }
    scf.yield %read : tensor<?xf64>
  }
  %chosen = arith.select %c, %x, %y : tensor<?xf64>
  return %chosen : tensor<?xf64>
}
func.func private @inner(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %b = arith.mulf %x, %y : tensor<?xf64>
  return %b : tensor<?xf64>
}

// -----

// The last element of the last window is in the array, if there are windows with elements.
// CHECK-LABEL: func.func @windows(
// CHECK: %[[LAST:.*]] = arith.subi %{{.*}}, %{{.*}} : index
// CHECK: %[[OFFSET:.*]] = arith.subi %{{.*}}, %{{.*}} : index
// CHECK: %[[END:.*]] = arith.addi %[[LAST]], %[[OFFSET]] : index
// CHECK: %[[INSIDE:.*]] = arith.cmpi slt, %[[END]], %{{.*}} : index
// CHECK: %[[NO_WINDOWS:.*]] = arith.cmpi sge
// CHECK: %[[EITHER:.*]] = arith.ori %[[INSIDE]], %[[NO_WINDOWS]] : i1
// CHECK: %[[EMPTY:.*]] = arith.cmpi sge
// CHECK: %[[HOLDS:.*]] = arith.ori %[[EITHER]], %[[EMPTY]] : i1
// CHECK: cf.assert %[[HOLDS]], "sizes do not match: dimension 0 of argument 0 is too small for windows and results"
// CHECK: linalg.conv_1d
func.func @windows(%x: tensor<?xf64>, %w: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %z = linalg.conv_1d ins(%x, %w : tensor<?xf64>, tensor<?xf64>) outs(%y : tensor<?xf64>) -> tensor<?xf64>
  return %z : tensor<?xf64>
}
