// Every operation and type of the tensor language prints as it parses [T16] [T17] [T18] [T19].
// RUN: ad-opt %s | ad-opt | FileCheck %s
// RUN: ad-opt %s --mlir-print-op-generic | ad-opt | FileCheck %s
// RUN: ad-opt %s --emit-bytecode | ad-opt | FileCheck %s

// Generation, summation, access; constants, addition, multiplication, black boxes [T16]; sizes known when it runs [T19].
// CHECK-LABEL: func.func @matmul(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x?xf64>, %[[B:[a-z0-9]+]]: tensor<?x4xf64>, %[[N:[a-z0-9]+]]: index, %[[K:[a-z0-9]+]]: index)
// CHECK: %[[M:.*]] = arith.constant 4 : index
// CHECK: atl.gen (%[[I:.*]] in %[[N]], %[[J:.*]] in %[[M]]) -> tensor<?x4xf64> {
// CHECK: %[[S:.*]] = atl.sum (%[[T:.*]] in %[[K]]) -> f64 {
// CHECK: atl.access %[[A]][%[[I]], %[[T]]] : tensor<?x?xf64>
// CHECK: atl.access %[[B]][%[[T]], %[[J]]] : tensor<?x4xf64>
// CHECK: atl.yield %{{.*}} : f64
// CHECK: func.call @black_box(%[[S]]) : (f64) -> f64
func.func private @black_box(f64) -> f64
func.func @matmul(%a: tensor<?x?xf64>, %b: tensor<?x4xf64>, %n: index, %k: index) -> tensor<?x4xf64> {
  %m = arith.constant 4 : index
  %c = atl.gen (%i in %n, %j in %m) -> tensor<?x4xf64> {
    %s = atl.sum (%t in %k) -> f64 {
      %l = atl.access %a[%i, %t] : tensor<?x?xf64>
      %r = atl.access %b[%t, %j] : tensor<?x4xf64>
      %p = arith.mulf %l, %r : f64
      atl.yield %p : f64
    }
    %f = func.call @black_box(%s) : (f64) -> f64
    %one = arith.constant 1.0 : f64
    %e = math.exp %f : f64
    %y = arith.addf %e, %one : f64
    atl.yield %y : f64
  }
  return %c : tensor<?x4xf64>
}

// Rows: what is left of a tensor, and a tensor of tensors [T16] [T19].
// CHECK-LABEL: func.func @rows(
// CHECK: atl.gen (%[[I:.*]] in %{{.*}}) -> tensor<?x8x?xf32> {
// CHECK: %[[R:.*]] = atl.access %{{.*}}[%[[I]] * 2] : tensor<?x8x?xf32>
// CHECK: tensor.dim %[[R]]
// CHECK: atl.yield %[[R]] : tensor<8x?xf32>
func.func @rows(%x: tensor<?x8x?xf32>, %n: index) -> tensor<?x8x?xf32> {
  %y = atl.gen (%i in %n) -> tensor<?x8x?xf32> {
    %r = atl.access %x[2 * %i] : tensor<?x8x?xf32>
    %one = arith.constant 1 : index
    %d = tensor.dim %r, %one : tensor<8x?xf32>
    atl.yield %r : tensor<8x?xf32>
  }
  return %y : tensor<?x8x?xf32>
}

// Index, size, constant, sum, scaling by a constant [T18].
// CHECK-LABEL: func.func @affine(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x?x?x?x?x?xf64>, %[[N:[a-z0-9]+]]: index, %[[D:.*]]: tensor<?x?xf64>)
// CHECK: %[[TWO:[a-z0-9]+]]:2 = call @two
// CHECK: atl.sum (%[[I:.*]] in %[[N]], %[[J:.*]] in %[[TWO]]#1) -> f64 attributes {note = "kept"} {
// CHECK: atl.access %[[X]][%[[I]] - %[[J]] + 2, -%[[J]] + %[[N]], (%[[I]] + %[[J]] * 2) * 3, 7, %[[TWO]]#0 - %[[TWO]]#1 * 2, %[[I]]] {note = "kept"} : tensor<?x?x?x?x?x?xf64>
func.func private @two() -> (index, index)
func.func @affine(%x: tensor<?x?x?x?x?x?xf64>, %n: index, %d: tensor<?x?xf64>) -> f64 {
  %two:2 = call @two() : () -> (index, index)
  %s = atl.sum (%i in %n, %j in %two#1) -> f64 attributes {note = "kept"} {
    %e = atl.access %x[%i - %j + 2, -%j + %n, (%i + 2 * %j) * 3, 7, %two#0 - 2 * %two#1, %i - 0] {note = "kept"}
        : tensor<?x?x?x?x?x?xf64>
    atl.yield %e : f64
  }
  return %s : f64
}

// Pairs and projections, also as elements of tensors and of tensors [T16] [T19].
// CHECK-LABEL: func.func @pairs(
// CHECK-SAME: tensor<?x!atl.pair<f64, tensor<3xf32>>>
// CHECK: atl.gen (%[[I:.*]] in %{{.*}}) -> tensor<?x!atl.pair<f32, !atl.pair<f64, f32>>> {
// CHECK: %[[P:.*]] = atl.access %{{.*}}[%[[I]]] : tensor<?x!atl.pair<f64, tensor<3xf32>>>
// CHECK: %[[A:.*]] = atl.project %[[P]][0] : !atl.pair<f64, tensor<3xf32>>
// CHECK: %[[ROW:.*]] = atl.project %[[P]][1] {note = "kept"} : !atl.pair<f64, tensor<3xf32>>
// CHECK: %[[B:.*]] = atl.access %[[ROW]][1] : tensor<3xf32>
// CHECK: %[[Q:.*]] = atl.pair %[[A]], %[[B]] : f64, f32
// CHECK: atl.pair %[[B]], %[[Q]] {note = "kept"} : f32, !atl.pair<f64, f32>
func.func @pairs(%x: tensor<?x!atl.pair<f64, tensor<3xf32>>>, %n: index) -> tensor<?x!atl.pair<f32, !atl.pair<f64, f32>>> {
  %y = atl.gen (%i in %n) -> tensor<?x!atl.pair<f32, !atl.pair<f64, f32>>> {
    %p = atl.access %x[%i] : tensor<?x!atl.pair<f64, tensor<3xf32>>>
    %a = atl.project %p[0] : !atl.pair<f64, tensor<3xf32>>
    %row = atl.project %p[1] {note = "kept"} : !atl.pair<f64, tensor<3xf32>>
    %b = atl.access %row[1] : tensor<3xf32>
    %q = atl.pair %a, %b : f64, f32
    %r = atl.pair %b, %q {note = "kept"} : f32, !atl.pair<f64, f32>
    atl.yield %r : !atl.pair<f32, !atl.pair<f64, f32>>
  }
  return %y : tensor<?x!atl.pair<f32, !atl.pair<f64, f32>>>
}

// Brackets of scalars, pairs and tensors [T16].
// CHECK-LABEL: func.func @brackets(
// CHECK-SAME: %[[P:[a-z0-9]+]]: i1
// CHECK: atl.bracket %[[P]] -> f64 {
// CHECK: atl.bracket %[[P]] -> !atl.pair<f64, f64> {
// CHECK: atl.bracket %[[P]] -> tensor<?x2xf64> attributes {note = "kept"} {
// CHECK: atl.yield %{{.*}} : tensor<?x2xf64>
func.func @brackets(%p: i1, %a: f64, %t: tensor<?x2xf64>) -> (f64, !atl.pair<f64, f64>, tensor<?x2xf64>) {
  %x = atl.bracket %p -> f64 {
    atl.yield %a : f64
  }
  %y = atl.bracket %p -> !atl.pair<f64, f64> {
    %q = atl.pair %a, %a : f64, f64
    atl.yield %q : !atl.pair<f64, f64>
  }
  %z = atl.bracket %p -> tensor<?x2xf64> attributes {note = "kept"} {
    atl.yield %t : tensor<?x2xf64>
  }
  return %x, %y, %z : f64, !atl.pair<f64, f64>, tensor<?x2xf64>
}

// Comparisons, conjunction, disjunction, quantification, data [T17].
// CHECK-LABEL: func.func @predicates(
// CHECK: %[[N:[a-z0-9]+]]: index, %[[MASK:[a-z0-9]+]]: tensor<?x?xi1>, %[[ROWS:[a-z0-9]+]]: tensor<?xindex>, %[[COLS:[a-z0-9]+]]: tensor<?xi32>)
// CHECK: atl.gen (%[[I:.*]] in %[[N]], %[[J:.*]] in %[[N]]) -> tensor<?x?xf64> {
// CHECK: %[[LT:.*]] = atl.compare %[[I]] + 1 < %[[J]] * 2
// CHECK: %[[LE:.*]] = atl.compare %[[I]] + %[[J]] <= %[[N]] {note = "kept"}
// CHECK: %[[EQ:.*]] = atl.compare 0 = %[[I]] - %[[J]]
// CHECK: arith.andi %[[LT]], %[[LE]] : i1
// CHECK: arith.ori %{{.*}}, %[[EQ]] : i1
// CHECK: atl.member %[[MASK]][%[[I]], %[[J]] - 1] : tensor<?x?xi1>
// CHECK: atl.member (%[[ROWS]], %[[COLS]])[%[[J]], %[[I]] + 1] {note = "kept"} : tensor<?xindex>, tensor<?xi32>
// CHECK: atl.member (%[[ROWS]])[%[[J]]] : tensor<?xindex>
// CHECK: atl.exists (%[[T:.*]] in %[[N]], %{{.*}} in %{{.*}}) attributes {note = "kept"} {
// CHECK: atl.member (%[[ROWS]], %[[COLS]])[%[[I]], %[[J]]] at %[[T]] - %[[I]] + 1 : tensor<?xindex>, tensor<?xi32>
// CHECK: atl.member (compressed %[[ROWS]], %[[COLS]])[%[[I]], %[[J]]] at %[[T]] {note = "kept"} : tensor<?xindex>, tensor<?xi32>
// CHECK: atl.yield %{{.*}} : i1
// CHECK: arith.constant true
// CHECK: atl.member (compressed %[[ROWS]])[%[[J]]] : tensor<?xindex>
func.func @predicates(%n: index, %mask: tensor<?x?xi1>, %rows: tensor<?xindex>, %cols: tensor<?xi32>) -> tensor<?x?xf64> {
  %y = atl.gen (%i in %n, %j in %n) -> tensor<?x?xf64> {
    %lt = atl.compare %i + 1 < 2 * %j
    %le = atl.compare %i + %j <= %n {note = "kept"}
    %eq = atl.compare 0 = %i - %j
    %0 = arith.andi %lt, %le : i1
    %1 = arith.ori %0, %eq : i1
    %m = atl.member %mask[%i, %j - 1] : tensor<?x?xi1>
    %l = atl.member (%rows, %cols)[%j, %i + 1] {note = "kept"} : tensor<?xindex>, tensor<?xi32>
    %o = atl.member (%rows)[%j] : tensor<?xindex>
    %x = atl.exists (%t in %n, %u in %n) attributes {note = "kept"} {
      %q = atl.member (%rows, %cols)[%i, %j] at %t - %i + 1 : tensor<?xindex>, tensor<?xi32>
      %r = atl.member (compressed %rows, %cols)[%i, %j] at %t {note = "kept"} : tensor<?xindex>, tensor<?xi32>
      %either = arith.ori %q, %r : i1
      atl.yield %either : i1
    }
    %true = arith.constant true
    %s = atl.member (compressed %rows)[%j] : tensor<?xindex>
    %2 = arith.andi %x, %true : i1
    %one = arith.constant 1.0 : f64
    %e = atl.bracket %2 -> f64 {
      atl.yield %one : f64
    }
    atl.yield %e : f64
  }
  return %y : tensor<?x?xf64>
}

// Indices of loops of other dialects are sizes here.
// CHECK-LABEL: func.func @in_a_loop(
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK: atl.sum (%[[J:.*]] in %[[I]]) -> f64 {
// CHECK: atl.access %{{.*}}[%[[I]] + %[[J]]] : tensor<?xf64>
func.func @in_a_loop(%x: tensor<?xf64>, %n: index) -> f64 {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> f64 {
    %s = atl.sum (%j in %i) -> f64 {
      %e = atl.access %x[%i + %j] : tensor<?xf64>
      atl.yield %e : f64
    }
    %a = arith.addf %acc, %s : f64
    scf.yield %a : f64
  }
  return %r : f64
}
