// Structured operations, named and generic: reductions are sums, in front of which what the output
// starts from is added unless it is zero (T22).
// RUN: ad-opt %s --raise-to-atl --canonicalize --cse -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not='= linalg.' --implicit-check-not='tensor.{{empty|splat|generate}}'
// RUN: ad-opt %t.mlir --ad-differentiate | FileCheck %s --check-prefix=ADJOINT
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir matmul n,k k,m n,m
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir batched n,m,3 n,2,3
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir trace n,n
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir loss n,m m
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir lower n,n
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir guarded n,m
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir gathered '2*n+1' n
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir scattered n '2*n+1'
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir two n,m n,m
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir shapes m n,m n,m

// CHECK-LABEL: func.func @matmul(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x?xf64>, %[[B:[a-z0-9]+]]: tensor<?x?xf64>, %[[C:[a-z0-9]+]]: tensor<?x?xf64>
// CHECK: atl.gen (%[[I:.*]] in %{{.*}}, %[[J:.*]] in %{{.*}}) -> tensor<?x?xf64> {
// CHECK-NEXT: %[[S:.*]] = atl.sum (%[[K:.*]] in %{{.*}}) -> f64 {
// CHECK-NEXT: atl.access %[[A]][%[[I]], %[[K]]]
// CHECK-NEXT: atl.access %[[B]][%[[K]], %[[J]]]
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: atl.yield
// CHECK-NEXT: }
// CHECK-NEXT: %[[E:.*]] = atl.access %[[C]][%[[I]], %[[J]]]
// CHECK-NEXT: arith.addf %[[E]], %[[S]]
func.func @matmul(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %c: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %d = linalg.matmul ins(%a, %b : tensor<?x?xf64>, tensor<?x?xf64>) outs(%c : tensor<?x?xf64>) -> tensor<?x?xf64>
  return %d : tensor<?x?xf64>
}

// A product with the second factor transposed, of a batch; the output starts from zeros.
// CHECK-LABEL: func.func @batched(
// CHECK: atl.gen (%[[N:.*]] in %{{.*}}, %[[I:.*]] in %{{.*}}, %[[J:.*]] in %{{.*}}) -> tensor<?x?x2xf64> {
// CHECK-NEXT: atl.sum (%[[K:.*]] in %c3) -> f64 {
// CHECK-NEXT: atl.access %{{.*}}[%[[N]], %[[I]], %[[K]]]
// CHECK-NEXT: atl.access %{{.*}}[%[[N]], %[[K]], %[[J]]]
// CHECK-NOT: arith.addf
func.func @batched(%a: tensor<?x?x3xf64>, %b: tensor<?x2x3xf64>) -> tensor<?x?x2xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %a, %c0 : tensor<?x?x3xf64>
  %m = tensor.dim %a, %c1 : tensor<?x?x3xf64>
  %space = tensor.empty(%n) : tensor<?x3x2xf64>
  %bt = linalg.transpose ins(%b : tensor<?x2x3xf64>) outs(%space : tensor<?x3x2xf64>) permutation = [0, 2, 1]
  %empty = tensor.empty(%n, %m) : tensor<?x?x2xf64>
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : tensor<?x?x2xf64>) -> tensor<?x?x2xf64>
  %d = linalg.batch_matmul ins(%a, %bt : tensor<?x?x3xf64>, tensor<?x3x2xf64>) outs(%zeros : tensor<?x?x2xf64>) -> tensor<?x?x2xf64>
  return %d : tensor<?x?x2xf64>
}

// CHECK-LABEL: func.func @trace(
// CHECK: %[[S:.*]] = atl.sum (%[[I:.*]] in %{{.*}}) -> f64 {
// CHECK-NEXT: atl.access %{{.*}}[%[[I]], %[[I]]]
// CHECK: return %[[S]] : f64
func.func @trace(%a: tensor<?x?xf64>) -> f64 {
  %zeros = arith.constant dense<0.0> : tensor<f64>
  %t = linalg.generic {indexing_maps = [affine_map<(i) -> (i, i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%a : tensor<?x?xf64>) outs(%zeros : tensor<f64>) {
  ^bb0(%e: f64, %s: f64):
    %n = arith.addf %s, %e : f64
    linalg.yield %n : f64
  } -> tensor<f64>
  %r = tensor.extract %t[] : tensor<f64>
  return %r : f64
}

// A reduction over two dimensions of an elementwise operation on a broadcast, to a number in a tensor.
// CHECK-LABEL: func.func @loss(
// CHECK: atl.sum (%{{.*}} in %{{.*}}, %{{.*}} in %{{.*}}) -> f64 {
// CHECK: tensor.from_elements %{{.*}} : tensor<f64>
func.func @loss(%a: tensor<?x?xf64>, %b: tensor<?xf64>) -> tensor<f64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %n = tensor.dim %a, %c0 : tensor<?x?xf64>
  %m = tensor.dim %a, %c1 : tensor<?x?xf64>
  %space = tensor.empty(%n, %m) : tensor<?x?xf64>
  %rows = linalg.broadcast ins(%b : tensor<?xf64>) outs(%space : tensor<?x?xf64>) dimensions = [0]
  %d = linalg.map {arith.subf} ins(%a, %rows : tensor<?x?xf64>, tensor<?x?xf64>) outs(%space : tensor<?x?xf64>)
  %q = arith.mulf %d, %d : tensor<?x?xf64>
  %start = tensor.from_elements %one : tensor<f64>
  %s = linalg.reduce {arith.addf} ins(%q : tensor<?x?xf64>) outs(%start : tensor<f64>) dimensions = [0, 1]
  return %s : tensor<f64>
}

// A tensor that is one number does not keep the function from being one of the language.
// ADJOINT-LABEL: func.func private @loss.vjp_0_1(
// ADJOINT-NOT: soac.
// ADJOINT: return
func.func @gradient(%a: tensor<?x?xf64>, %b: tensor<?xf64>, %seed: tensor<f64>) -> (tensor<?x?xf64>, tensor<?xf64>) {
  %y, %a_bar, %b_bar = ad.vjp @loss(%a, %b) seed(%seed)
      : (tensor<?x?xf64>, tensor<?xf64>), (tensor<f64>) -> (tensor<f64>, tensor<?x?xf64>, tensor<?xf64>)
  return %a_bar, %b_bar : tensor<?x?xf64>, tensor<?xf64>
}

// A triangle.
// CHECK-LABEL: func.func @lower(
// CHECK: atl.compare %{{.*}} <= %{{.*}}
// CHECK-NEXT: atl.bracket
// CHECK-NEXT: atl.access
func.func @lower(%a: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %l = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%a : tensor<?x?xf64>) {
  ^bb0(%e: f64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = arith.cmpi sle, %j, %i : index
    %v = arith.select %p, %e, %zero : f64
    linalg.yield %v : f64
  } -> tensor<?x?xf64>
  return %l : tensor<?x?xf64>
}

// What is added where a condition holds; and what is subtracted everywhere.
// CHECK-LABEL: func.func @guarded(
// CHECK: atl.sum
// CHECK: %[[P:.*]] = atl.compare
// CHECK-NEXT: atl.bracket %[[P]]
func.func @guarded(%a: tensor<?x?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %a, %c0 : tensor<?x?xf64>
  %empty = tensor.empty(%n) : tensor<?xf64>
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : tensor<?xf64>) -> tensor<?xf64>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<?x?xf64>) outs(%zeros : tensor<?xf64>) {
  ^bb0(%e: f64, %sum: f64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %q = arith.cmpi slt, %i, %j : index
    %square = arith.mulf %e, %e : f64
    %more = arith.addf %sum, %square : f64
    %kept = arith.select %q, %more, %sum : f64
    %less = arith.subf %kept, %e : f64
    linalg.yield %less : f64
  } -> tensor<?xf64>
  return %s : tensor<?xf64>
}

// Places that are affine in the loops, of the input and of the output.
// CHECK-LABEL: func.func @gathered(
// CHECK: atl.gen (%[[I:.*]] in
// CHECK-NEXT: atl.access %{{.*}}[%[[I]] * 2 + 1]
func.func @gathered(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i * 2 + 1)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf64>) outs(%y : tensor<?xf64>) {
  ^bb0(%e: f64, %f: f64):
    %p = arith.mulf %e, %f : f64
    linalg.yield %p : f64
  } -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// CHECK-LABEL: func.func @scattered(
// CHECK: atl.gen (%[[A:.*]] in
// CHECK-NEXT: atl.sum (%[[I:.*]] in
// CHECK-NEXT: %[[P:.*]] = atl.compare %[[A]] = %[[I]] * 2
// CHECK-NEXT: atl.bracket %[[P]]
func.func @scattered(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i * 2)>], iterator_types = ["reduction"]}
      ins(%x : tensor<?xf64>) outs(%y : tensor<?xf64>) {
  ^bb0(%e: f64, %f: f64):
    %p = arith.addf %e, %f : f64
    linalg.yield %p : f64
  } -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// Two outputs, one of which is a sum.
// CHECK-LABEL: func.func @two(
// CHECK: atl.gen
// CHECK: atl.gen
// CHECK: atl.sum
func.func @two(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %a, %c0 : tensor<?x?xf64>
  %empty = tensor.empty(%n) : tensor<?xf64>
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : tensor<?xf64>) -> tensor<?xf64>
  %p, %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                           iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<?x?xf64>) outs(%b, %zeros : tensor<?x?xf64>, tensor<?xf64>) {
  ^bb0(%e: f64, %f: f64, %sum: f64):
    %p = arith.mulf %e, %f : f64
    %t = math.exp %p : f64
    %n1 = arith.addf %t, %sum : f64
    linalg.yield %p, %n1 : f64, f64
  } -> (tensor<?x?xf64>, tensor<?xf64>)
  return %p, %s : tensor<?x?xf64>, tensor<?xf64>
}

// CHECK-LABEL: func.func @shapes(
// CHECK: atl.gen
func.func @shapes(%x: tensor<?xf32>, %a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %empty = tensor.empty(%m) : tensor<?xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  %y = linalg.matvec ins(%a, %x : tensor<?x?xf32>, tensor<?xf32>) outs(%zeros : tensor<?xf32>) -> tensor<?xf32>
  %z = linalg.matvec ins(%b, %x : tensor<?x?xf32>, tensor<?xf32>) outs(%y : tensor<?xf32>) -> tensor<?xf32>
  %e = math.exp %z : tensor<?xf32>
  return %e : tensor<?xf32>
}
