// Folds and canonicalisations of the tensor language, none of which changes what is computed [T16] [T17] [T18].
// RUN: ad-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @project_of_pair(
// CHECK-SAME: %[[A:[a-z0-9]+]]: f64, %[[B:[a-z0-9]+]]: f32)
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @project_of_pair(%a: f64, %b: f32) -> (f64, f32) {
  %p = atl.pair %a, %b : f64, f32
  %0 = atl.project %p[0] : !atl.pair<f64, f32>
  %1 = atl.project %p[1] : !atl.pair<f64, f32>
  return %0, %1 : f64, f32
}

// CHECK-LABEL: func.func @bracket_of_true(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf64>
// CHECK-NEXT: %[[E:.*]] = atl.access %[[X]]
// CHECK-NEXT: %[[S:.*]] = math.sin %[[E]]
// CHECK-NEXT: return %[[S]]
func.func @bracket_of_true(%x: tensor<?xf64>, %k: index) -> f64 {
  %true = arith.constant true
  %r = atl.bracket %true -> f64 {
    %e = atl.access %x[%k] : tensor<?xf64>
    %s = math.sin %e : f64
    atl.yield %s : f64
  }
  return %r : f64
}

// Zeros of known size are constants; a zero of the size of the body's value stays a bracket.
// CHECK-LABEL: func.func @bracket_of_false(
// CHECK-DAG: %[[FALSE:.*]] = arith.constant false
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.0{{.*}} : f64
// CHECK-DAG: %[[ROW:.*]] = arith.constant dense<0.0{{.*}}> : tensor<2xf32>
// CHECK: %[[PAIR:.*]] = atl.pair %[[ZERO]], %[[ROW]] : f64, tensor<2xf32>
// CHECK: %[[D:.*]] = atl.bracket %[[FALSE]] -> tensor<?xf64>
// CHECK: return %[[ZERO]], %[[PAIR]], %[[D]]
func.func @bracket_of_false(%x: tensor<?xf64>, %k: index, %row: tensor<2xf32>)
    -> (f64, !atl.pair<f64, tensor<2xf32>>, tensor<?xf64>) {
  %false = arith.constant false
  %0 = atl.bracket %false -> f64 {
    %e = atl.access %x[%k] : tensor<?xf64>
    atl.yield %e : f64
  }
  %1 = atl.bracket %false -> !atl.pair<f64, tensor<2xf32>> {
    %e = atl.access %x[%k] : tensor<?xf64>
    %p = atl.pair %e, %row : f64, tensor<2xf32>
    atl.yield %p : !atl.pair<f64, tensor<2xf32>>
  }
  %2 = atl.bracket %false -> tensor<?xf64> {
    atl.yield %x : tensor<?xf64>
  }
  return %0, %1, %2 : f64, !atl.pair<f64, tensor<2xf32>>, tensor<?xf64>
}

// Constants become part of expressions, an operand is there once, and one that does not matter goes.
// CHECK-LABEL: func.func @operands(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x?xf64>, %[[L:.*]]: tensor<?xindex>, %[[N:[a-z0-9]+]]: index)
// CHECK: atl.sum (%[[I:.*]] in %[[N]]) -> f64 {
// CHECK-NEXT: %[[E:.*]] = atl.access %[[X]][%[[I]] * 3 + 5, 2]
// CHECK-NEXT: %[[C:.*]] = atl.compare 4 <= %[[I]]
// CHECK-NEXT: %[[M:.*]] = atl.member (%[[L]])[%[[I]] + 4] at 4
// CHECK-NEXT: arith.andi %[[C]], %[[M]]
func.func @operands(%x: tensor<?x?xf64>, %l: tensor<?xindex>, %n: index) -> f64 {
  %c4 = arith.constant 4 : index
  %s = atl.sum (%i in %n) -> f64 {
    %e = "atl.access"(%x, %i, %c4, %i, %n) {map = affine_map<(d0, d1, d2, d3) -> (d0 + d1 + 2 * d2 + 1, 2)>}
        : (tensor<?x?xf64>, index, index, index, index) -> f64
    %c = atl.compare %c4 <= %i
    %m = atl.member (%l)[%c4 + %i] at %c4 : tensor<?xindex>
    %p = arith.andi %c, %m : i1
    %b = atl.bracket %p -> f64 {
      atl.yield %e : f64
    }
    atl.yield %b : f64
  }
  return %s : f64
}

// Sides that differ by a constant compare alike for all indices.
// CHECK-LABEL: func.func @comparisons(
// CHECK-DAG: %[[FALSE:.*]] = arith.constant false
// CHECK-DAG: %[[TRUE:.*]] = arith.constant true
// CHECK: %[[OPEN:.*]] = atl.compare
// CHECK: return %[[TRUE]], %[[FALSE]], %[[TRUE]], %[[FALSE]], %[[TRUE]], %[[FALSE]], %[[OPEN]]
func.func @comparisons(%i: index, %j: index) -> (i1, i1, i1, i1, i1, i1, i1) {
  %0 = atl.compare %i < %i + 1
  %1 = atl.compare %i < %i
  %2 = atl.compare %i + %j <= %j + %i
  %3 = atl.compare 2 * %i + 1 <= %i + %i
  %4 = atl.compare %j - 1 = %j - 2 + 1
  %5 = atl.compare 3 = 4
  %6 = atl.compare %i = %j
  return %0, %1, %2, %3, %4, %5, %6 : i1, i1, i1, i1, i1, i1, i1
}

// Sizes are known without making or reading anything.
// CHECK-LABEL: func.func @sizes(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x?x?xf64>, %[[N:[a-z0-9]+]]: index, %[[M:[a-z0-9]+]]: index
// CHECK: %[[TWO:.*]] = arith.constant 2 : index
// CHECK-NEXT: %[[D:.*]] = tensor.dim %[[X]], %[[TWO]]
// CHECK-NEXT: return %[[N]], %[[M]], %[[D]]
func.func @sizes(%x: tensor<?x?x?xf64>, %n: index, %m: index, %v: f64) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = atl.gen (%i in %n, %j in %m) -> tensor<?x?xf64> {
    atl.yield %v : f64
  }
  %a = atl.access %x[%n] : tensor<?x?x?xf64>
  %0 = tensor.dim %g, %c0 : tensor<?x?xf64>
  %1 = tensor.dim %g, %c1 : tensor<?x?xf64>
  %2 = tensor.dim %a, %c1 : tensor<?x?xf64>
  return %0, %1, %2 : index, index, index
}

// What is read from a generated tensor is for a pass to decide.
// CHECK-LABEL: func.func @access_of_gen(
// CHECK: atl.gen
// CHECK: atl.access
func.func @access_of_gen(%n: index, %v: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %g = atl.gen (%i in %n) -> tensor<?xf64> {
    atl.yield %v : f64
  }
  %e = atl.access %g[%c0] : tensor<?xf64>
  return %e : f64
}
