// Structured operations run in those that read what they make [F64]: as often as before, in whatever order, with what others
// read as a result. Copies are read through. What would run more often stays, and what cannot move.
// RUN: ad-opt %s --split-input-file --ad-fuse-structured --canonicalize --cse | FileCheck %s

// A layer and its derivative: nothing of what is in between is stored but what others read, here the bias' derivative and the
// product for that of the weights. Sizes are those of what operations start from, and the scalar is no array.
// CHECK-LABEL: func.func @layer(
// CHECK-SAME: %[[X:.*]]: tensor<?x?xf32>, %[[B:.*]]: tensor<?xf32>, %[[S:.*]]: f32
// CHECK: %[[R:.*]]:2 = linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel"]
// CHECK-SAME: ins(%[[B]], %[[X]], %[[S]] : tensor<?xf32>, tensor<?x?xf32>, f32)
// CHECK: arith.addf
// CHECK: math.tanh
// CHECK: arith.mulf
// CHECK-NOT: math.tanh
// CHECK: linalg.yield
// CHECK-NOT: linalg.generic
// CHECK: %[[Y:.*]] = linalg.reduce { arith.addf } ins(%[[R]]#1
// CHECK: return %[[R]]#0, %[[Y]]
func.func @layer(%x: tensor<?x?xf32>, %b: tensor<?xf32>, %seed: f32, %e: tensor<?x?xf32>, %f: tensor<?xf32>)
    -> (tensor<?x?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %bs = linalg.broadcast ins(%b : tensor<?xf32>) outs(%e : tensor<?x?xf32>) dimensions = [0]
  %s = linalg.add ins(%x, %bs : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = linalg.tanh ins(%s : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %sum = linalg.reduce { arith.addf } ins(%y : tensor<?x?xf32>) outs(%f : tensor<?xf32>) dimensions = [0]
  %m = tensor.dim %y, %c0 : tensor<?x?xf32>
  %n = tensor.dim %y, %c1 : tensor<?x?xf32>
  %seed_array = tensor.from_elements %seed : tensor<f32>
  %new = tensor.empty(%m, %n) : tensor<?x?xf32>
  %seeds = linalg.generic {indexing_maps = [affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%seed_array : tensor<f32>) outs(%new : tensor<?x?xf32>) {
    ^bb0(%a: f32, %o: f32):
      linalg.yield %a : f32
  } -> tensor<?x?xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%s : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
    ^bb0(%a: f32, %o: f32):
      %t = math.tanh %a : f32
      %tt = arith.mulf %t, %t : f32
      %g = arith.subf %one, %tt : f32
      linalg.yield %g : f32
  } -> tensor<?x?xf32>
  %r = arith.mulf %d, %seeds : tensor<?x?xf32>
  return %r, %sum : tensor<?x?xf32>, tensor<?xf32>
}

// -----

// What a reduction alone reads runs in it, at any permutation of the loops; what it starts from is no term.
// CHECK-DAG: #[[$IJ:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$J:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @sum(
// CHECK-SAME: %[[X:.*]]: tensor<4x5xf64>
// CHECK: %[[START:.*]] = linalg.fill
// CHECK: linalg.generic {indexing_maps = [#[[$IJ]], #[[$J]]], iterator_types = ["parallel", "reduction"]}
// CHECK-SAME: ins(%[[X]] : tensor<4x5xf64>) outs(%[[START]] : tensor<4xf64>)
// CHECK: %[[E:.*]] = math.exp
// CHECK: arith.addf %{{.*}}, %[[E]]
func.func @sum(%x: tensor<4x5xf64>) -> tensor<4xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<5x4xf64>
  %t = linalg.generic {indexing_maps = [affine_map<(j, i) -> (i, j)>, affine_map<(j, i) -> (j, i)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x5xf64>) outs(%e : tensor<5x4xf64>) {
    ^bb0(%a: f64, %o: f64):
      %exp = math.exp %a : f64
      linalg.yield %exp : f64
  } -> tensor<5x4xf64>
  %f = tensor.empty() : tensor<4xf64>
  %start = linalg.fill ins(%zero : f64) outs(%f : tensor<4xf64>) -> tensor<4xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%t : tensor<5x4xf64>) outs(%start : tensor<4xf64>) {
    ^bb0(%a: f64, %s: f64):
      %n = arith.addf %s, %a : f64
      linalg.yield %n : f64
  } -> tensor<4xf64>
  return %r : tensor<4xf64>
}

// -----

// The numbers of loops are those of the reader; what the first operation starts from is an input, and what the second one
// does is its array.
// CHECK-LABEL: func.func @numbers(
// CHECK-SAME: %[[X:.*]]: tensor<4x5xindex>, %[[Y:.*]]: tensor<4x5xindex>, %[[E:.*]]: tensor<5x4xindex>
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[X]], %[[Y]] : tensor<4x5xindex>, tensor<4x5xindex>) outs(%[[E]] : tensor<5x4xindex>)
// CHECK-NEXT: ^bb0(%[[A:.*]]: index, %[[S:.*]]: index, %{{.*}}: index):
// CHECK-NEXT:   %[[FIRST:.*]] = linalg.index 1 : index
// CHECK-NEXT:   %[[P:.*]] = arith.muli %[[A]], %[[FIRST]]
// CHECK-NEXT:   %[[Q:.*]] = arith.addi %[[P]], %[[S]]
// CHECK-NEXT:   %[[OWN:.*]] = linalg.index 0 : index
// CHECK-NEXT:   arith.addi %[[Q]], %[[OWN]]
func.func @numbers(%x: tensor<4x5xindex>, %y: tensor<4x5xindex>, %e: tensor<5x4xindex>) -> tensor<5x4xindex> {
  %t = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x5xindex>) outs(%y : tensor<4x5xindex>) {
    ^bb0(%a: index, %s: index):
      %i = linalg.index 0 : index
      %p = arith.muli %a, %i : index
      %q = arith.addi %p, %s : index
      linalg.yield %q : index
  } -> tensor<4x5xindex>
  %r = linalg.generic {indexing_maps = [affine_map<(j, i) -> (i, j)>, affine_map<(j, i) -> (j, i)>],
      iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x5xindex>) outs(%e : tensor<5x4xindex>) {
    ^bb0(%a: index, %o: index):
      %j = linalg.index 0 : index
      %n = arith.addi %a, %j : index
      linalg.yield %n : index
  } -> tensor<5x4xindex>
  return %r : tensor<5x4xindex>
}

// -----

// A factor of a product is read often.
// CHECK-LABEL: func.func @factor(
// CHECK: linalg.exp
// CHECK: linalg.matmul
func.func @factor(%x: tensor<4x4xf64>, %e: tensor<4x4xf64>) -> tensor<4x4xf64> {
  %t = linalg.exp ins(%x : tensor<4x4xf64>) outs(%e : tensor<4x4xf64>) -> tensor<4x4xf64>
  %r = linalg.matmul ins(%t, %x : tensor<4x4xf64>, tensor<4x4xf64>) outs(%e : tensor<4x4xf64>) -> tensor<4x4xf64>
  return %r : tensor<4x4xf64>
}

// -----

// The reader needs another reader: the maximum of what it normalises.
// CHECK-LABEL: func.func @normalised(
// CHECK: linalg.exp
// CHECK: linalg.reduce
// CHECK: linalg.generic
func.func @normalised(%x: tensor<4x4xf64>, %e: tensor<4x4xf64>, %f: tensor<4xf64>) -> tensor<4x4xf64> {
  %y = linalg.exp ins(%x : tensor<4x4xf64>) outs(%e : tensor<4x4xf64>) -> tensor<4x4xf64>
  %most = linalg.reduce { arith.maximumf } ins(%y : tensor<4x4xf64>) outs(%f : tensor<4xf64>) dimensions = [1]
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%y, %most : tensor<4x4xf64>, tensor<4xf64>) outs(%e : tensor<4x4xf64>) {
    ^bb0(%a: f64, %m: f64, %o: f64):
      %q = arith.divf %a, %m : f64
      linalg.yield %q : f64
  } -> tensor<4x4xf64>
  return %r : tensor<4x4xf64>
}

// -----

// Each element is read for each row; two elements are read at a time.
// CHECK-LABEL: func.func @often(
// CHECK-COUNT-2: linalg.exp
// CHECK-NOT: math.exp
func.func @often(%row: tensor<4xf64>, %x: tensor<4x4xf64>, %e: tensor<4x4xf64>, %f: tensor<4xf64>) -> (tensor<4x4xf64>, tensor<4x4xf64>) {
  %rows = linalg.exp ins(%row : tensor<4xf64>) outs(%f : tensor<4xf64>) -> tensor<4xf64>
  %outer = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%rows, %x : tensor<4xf64>, tensor<4x4xf64>) outs(%e : tensor<4x4xf64>) {
    ^bb0(%a: f64, %b: f64, %o: f64):
      %q = arith.mulf %a, %b : f64
      linalg.yield %q : f64
  } -> tensor<4x4xf64>
  %both = linalg.exp ins(%x : tensor<4x4xf64>) outs(%e : tensor<4x4xf64>) -> tensor<4x4xf64>
  %symmetric = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%both, %both : tensor<4x4xf64>, tensor<4x4xf64>) outs(%e : tensor<4x4xf64>) {
    ^bb0(%a: f64, %b: f64, %o: f64):
      %q = arith.mulf %a, %b : f64
      linalg.yield %q : f64
  } -> tensor<4x4xf64>
  return %outer, %symmetric : tensor<4x4xf64>, tensor<4x4xf64>
}

// -----

// The body of the reader looks up elements by itself.
// CHECK-LABEL: func.func @table(
// CHECK: linalg.exp
// CHECK: tensor.extract
func.func @table(%x: tensor<4x4xf64>, %e: tensor<4x4xf64>) -> tensor<4x4xf64> {
  %c0 = arith.constant 0 : index
  %table = linalg.exp ins(%x : tensor<4x4xf64>) outs(%e : tensor<4x4xf64>) -> tensor<4x4xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%table : tensor<4x4xf64>) outs(%e : tensor<4x4xf64>) {
    ^bb0(%a: f64, %o: f64):
      %b = tensor.extract %table[%c0, %c0] : tensor<4x4xf64>
      %q = arith.mulf %a, %b : f64
      linalg.yield %q : f64
  } -> tensor<4x4xf64>
  return %r : tensor<4x4xf64>
}

// -----

// What is read is overwritten before the reader runs: the array would have to be copied.
// CHECK-LABEL: func.func @overwritten(
// CHECK: linalg.exp
// CHECK: linalg.fill
// CHECK: linalg.generic
func.func @overwritten(%x: tensor<4x4xf64>, %s: f64, %e: tensor<4x4xf64>) -> (tensor<4x4xf64>, tensor<4x4xf64>) {
  %t = linalg.exp ins(%x : tensor<4x4xf64>) outs(%e : tensor<4x4xf64>) -> tensor<4x4xf64>
  %new = linalg.fill ins(%s : f64) outs(%x : tensor<4x4xf64>) -> tensor<4x4xf64>
  %first = tensor.extract_slice %new[0, 0] [1, 4] [1, 1] : tensor<4x4xf64> to tensor<4xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%t, %first : tensor<4x4xf64>, tensor<4xf64>) outs(%e : tensor<4x4xf64>) {
    ^bb0(%a: f64, %b: f64, %o: f64):
      %q = arith.mulf %a, %b : f64
      linalg.yield %q : f64
  } -> tensor<4x4xf64>
  return %r, %new : tensor<4x4xf64>, tensor<4x4xf64>
}

// -----

// The size of a loop is known from the copy alone.
// CHECK-LABEL: func.func @sizes(
// CHECK: linalg.broadcast
// CHECK: linalg.reduce
func.func @sizes(%x: tensor<?xf64>, %e: tensor<?x?xf64>, %f: tensor<?xf64>) -> tensor<?xf64> {
  %b = linalg.broadcast ins(%x : tensor<?xf64>) outs(%e : tensor<?x?xf64>) dimensions = [1]
  %s = linalg.reduce { arith.addf } ins(%b : tensor<?x?xf64>) outs(%f : tensor<?xf64>) dimensions = [1]
  return %s : tensor<?xf64>
}

// -----

// Two that read a broadcast both read the row; it is made only for the third one, which is called.
// CHECK-LABEL: func.func @copied(
// CHECK-SAME: %[[X:.*]]: tensor<?xf64>, %{{.*}}: tensor<?x?xf64>, %[[Y:.*]]: tensor<?x?xf64>
// CHECK: %[[B:.*]] = linalg.broadcast
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[Y]] :
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[Y]] :
// CHECK: call @other(%[[B]])
func.func private @other(tensor<?x?xf64>)
func.func @copied(%x: tensor<?xf64>, %e: tensor<?x?xf64>, %y: tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %b = linalg.broadcast ins(%x : tensor<?xf64>) outs(%e : tensor<?x?xf64>) dimensions = [0]
  %s = linalg.add ins(%b, %y : tensor<?x?xf64>, tensor<?x?xf64>) outs(%e : tensor<?x?xf64>) -> tensor<?x?xf64>
  %p = linalg.mul ins(%b, %y : tensor<?x?xf64>, tensor<?x?xf64>) outs(%e : tensor<?x?xf64>) -> tensor<?x?xf64>
  func.call @other(%b) : (tensor<?x?xf64>) -> ()
  return %s, %p : tensor<?x?xf64>, tensor<?x?xf64>
}

// -----

// What is made of a product comes right behind it, with its size and what is asserted of that; what is asserted of the array
// in between stays there.
// CHECK-LABEL: func.func @early(
// CHECK: %[[P:.*]] = linalg.matmul
// CHECK-NOT: linalg.matmul
// CHECK: cf.assert %{{.*}}, "bias"
// CHECK: linalg.generic {{.*}} ins(%[[P]],
// CHECK: linalg.matmul
// CHECK: cf.assert %{{.*}}, "other"
// CHECK: return
func.func @early(%x: tensor<?x?xf64>, %y: tensor<?x?xf64>, %b: tensor<?xf64>, %f: tensor<?x?xf64>, %g: tensor<?x?xf64>)
    -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = linalg.matmul ins(%x, %y : tensor<?x?xf64>, tensor<?x?xf64>) outs(%f : tensor<?x?xf64>) -> tensor<?x?xf64>
  %q = linalg.matmul ins(%y, %x : tensor<?x?xf64>, tensor<?x?xf64>) outs(%g : tensor<?x?xf64>) -> tensor<?x?xf64>
  %l = tensor.extract %q[%c0, %c0] : tensor<?x?xf64>
  %one = arith.constant 1.0 : f64
  %m = tensor.dim %x, %c0 : tensor<?x?xf64>
  %n = tensor.dim %b, %c0 : tensor<?xf64>
  %o = tensor.dim %y, %c1 : tensor<?x?xf64>
  %same = arith.cmpi eq, %n, %o : index
  cf.assert %same, "bias"
  %some = arith.cmpf oeq, %l, %one : f64
  cf.assert %some, "other"
  %e = tensor.empty(%m, %n) : tensor<?x?xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%p, %b : tensor<?x?xf64>, tensor<?xf64>) outs(%e : tensor<?x?xf64>) {
    ^bb0(%p_i: f64, %b_i: f64, %_: f64):
      %s = arith.addf %p_i, %b_i : f64
      linalg.yield %s : f64
  } -> tensor<?x?xf64>
  return %r, %q : tensor<?x?xf64>, tensor<?x?xf64>
}
