// Structured operations that make rows of the same rows are one parallel loop: each thread has its rows of all of them.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-parallelize{threads=2 min-work=1},canonicalize,cse)' -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: ad-opt run %s --entry=values > %t.alone.txt
// RUN: ad-opt run %t.mlir --entry=values > %t.threads.txt
// RUN: %python %S/../bench/Inputs/compare.py %t.alone.txt %t.threads.txt 1e-14
// RUN: FileCheck %s --check-prefix=VALUES --input-file=%t.alone.txt

#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#whole = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>

// What is left of each row without its mean; the sum of all rows, which waits, and a product that reads all rows.
// CHECK-LABEL: func.func @centred(
// CHECK-SAME:    %[[X:arg[0-9]+]]: tensor<4x3xf64>, %[[W:arg[0-9]+]]: tensor<4x4xf64>)
// CHECK:         %[[MADE:.*]] = scf.forall (%[[T:.*]]) in (2) shared_outs(%[[OUT:.*]] = %{{.*}}) -> (tensor<4x3xf64>) {
// CHECK:           %[[ROWS:.*]] = tensor.extract_slice %[[X]][%{{.*}}, 0] [2, 3] [1, 1]
// CHECK:           linalg.fill ins(%{{.*}} : f64) outs(%{{.*}} : tensor<2xf64>)
// CHECK:           %[[SUMS:.*]] = linalg.generic {{.*}} ins(%[[ROWS]] : tensor<2x3xf64>)
// CHECK:           %[[PLACE:.*]] = tensor.extract_slice %[[OUT]][%{{.*}}, 0] [2, 3] [1, 1]
// CHECK:           %[[REST:.*]] = linalg.generic {{.*}} ins(%[[ROWS]], %[[SUMS]] : tensor<2x3xf64>, tensor<2xf64>) outs(%[[PLACE]] : tensor<2x3xf64>)
// CHECK:           %[[DOUBLE:.*]] = linalg.generic {{.*}} outs(%[[REST]] : tensor<2x3xf64>)
// CHECK:           tensor.parallel_insert_slice %[[DOUBLE]] into %[[OUT]]
// CHECK:         scf.forall
// CHECK:           linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]
// CHECK:         scf.forall
// CHECK:           linalg.matmul
func.func @centred(%x: tensor<4x3xf64>, %w: tensor<4x4xf64>) -> (tensor<3xf64>, tensor<4x3xf64>) {
  %zero = arith.constant 0.0 : f64
  %three = arith.constant 3.0 : f64
  %some = tensor.empty() : tensor<4xf64>
  %none = linalg.fill ins(%zero : f64) outs(%some : tensor<4xf64>) -> tensor<4xf64>
  %empty = tensor.empty() : tensor<4x3xf64>
  %few = tensor.empty() : tensor<3xf64>
  %nothing = linalg.fill ins(%zero : f64) outs(%few : tensor<3xf64>) -> tensor<3xf64>
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : tensor<4x3xf64>) -> tensor<4x3xf64>
  %sums = linalg.generic {indexing_maps = [#whole, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x3xf64>) outs(%none : tensor<4xf64>) {
    ^bb0(%a: f64, %s: f64):
      %n = arith.addf %s, %a : f64
      linalg.yield %n : f64
  } -> tensor<4xf64>
  %rest = linalg.generic {indexing_maps = [#whole, #row, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sums : tensor<4x3xf64>, tensor<4xf64>) outs(%empty : tensor<4x3xf64>) {
    ^bb0(%a: f64, %s: f64, %o: f64):
      %mean = arith.divf %s, %three : f64
      %n = arith.subf %a, %mean : f64
      linalg.yield %n : f64
  } -> tensor<4x3xf64>
  // Added in place.
  %twice = linalg.generic {indexing_maps = [#row, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<4xf64>) outs(%rest : tensor<4x3xf64>) {
    ^bb0(%s: f64, %a: f64):
      %n = arith.addf %a, %a : f64
      linalg.yield %n : f64
  } -> tensor<4x3xf64>
  %total = linalg.generic {indexing_maps = [#whole, #column], iterator_types = ["reduction", "parallel"]}
      ins(%twice : tensor<4x3xf64>) outs(%nothing : tensor<3xf64>) {
    ^bb0(%a: f64, %s: f64):
      %n = arith.addf %s, %a : f64
      linalg.yield %n : f64
  } -> tensor<3xf64>
  %product = linalg.matmul ins(%w, %twice : tensor<4x4xf64>, tensor<4x3xf64>) outs(%zeros : tensor<4x3xf64>) -> tensor<4x3xf64>
  return %total, %product : tensor<3xf64>, tensor<4x3xf64>
}

// Of unknown sizes, where a branch decides how many threads there are, and with elementwise operations; both results are read.
// CHECK-LABEL: func.func @elementwise(
// CHECK:         %[[COUNT:.*]] = arith.select
// CHECK:         scf.forall (%{{.*}}) in (%[[COUNT]]) shared_outs(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
// CHECK:           math.sin
// CHECK-NOT:     scf.forall (
// CHECK:           arith.mulf
// CHECK-NOT:     scf.forall (
// CHECK:           linalg.generic
// CHECK:         scf.forall.in_parallel
// CHECK-NOT:     scf.forall (
// CHECK:         return
func.func @elementwise(%x: tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %sine = math.sin %x : tensor<?x?xf64>
  %product = arith.mulf %sine, %x : tensor<?x?xf64>
  %square = linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%product : tensor<?x?xf64>) outs(%x : tensor<?x?xf64>) {
    ^bb0(%a: f64, %o: f64):
      %n = arith.mulf %a, %a : f64
      linalg.yield %n : f64
  } -> tensor<?x?xf64>
  return %product, %square : tensor<?x?xf64>, tensor<?x?xf64>
}

// In a loop, with a branch for what is small.
// CHECK-LABEL: func.func @loop(
// CHECK:         scf.for
// CHECK:           scf.if
// CHECK:             scf.forall
// CHECK:               math.cos
// CHECK:               arith.addf
// CHECK:             scf.forall.in_parallel
// CHECK:           } else {
// CHECK:             math.cos
// CHECK:             arith.addf
func.func @loop(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> tensor<?xf64> {
    %cosine = math.cos %v : tensor<?xf64>
    %sum = arith.addf %cosine, %x : tensor<?xf64>
    scf.yield %sum : tensor<?xf64>
  }
  return %last : tensor<?xf64>
}

// Rows that are columns of what the one before made are another thread's.
// CHECK-LABEL: func.func @transposed(
// CHECK:         scf.forall
// CHECK:           math.exp
// CHECK:         scf.forall.in_parallel
// CHECK:         scf.forall
// CHECK:           linalg.generic
func.func @transposed(%x: tensor<4x4xf64>) -> tensor<4x4xf64> {
  %empty = tensor.empty() : tensor<4x4xf64>
  %exp = math.exp %x : tensor<4x4xf64>
  %both = linalg.generic {indexing_maps = [#whole, #turned, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%exp, %exp : tensor<4x4xf64>, tensor<4x4xf64>) outs(%empty : tensor<4x4xf64>) {
    ^bb0(%a: f64, %b: f64, %o: f64):
      %n = arith.addf %a, %b : f64
      linalg.yield %n : f64
  } -> tensor<4x4xf64>
  return %both : tensor<4x4xf64>
}

// Rows (1, 2, 6), (0, 0, 3), (2, 2, 2) and (-1, 0, 1) without their means 3, 1, 2 and 0, twice: (-4, -2, 6), (-2, -2, 4), 0 and
// (-2, 0, 2).
// VALUES: [-8.0, -4.0, 12.0]
// VALUES-NEXT: [-4.0, -2.0, 6.0]
// VALUES-NEXT: [-2.0, -2.0, 4.0]
// VALUES-NEXT: [0.0, 0.0, 0.0]
// VALUES-NEXT: [-2.0, 0.0, 2.0]
func.func @values() -> (tensor<3xf64>, tensor<4x3xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?xf64>, tensor<4x4xf64>, tensor<?x?xf64>) {
  %three = arith.constant 3 : index
  %x = arith.constant dense<[[1.0, 2.0, 6.0], [0.0, 0.0, 3.0], [2.0, 2.0, 2.0], [-1.0, 0.0, 1.0]]> : tensor<4x3xf64>
  %w = arith.constant dense<[[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]> : tensor<4x4xf64>
  %v = arith.constant dense<[0.5, 1.5, 2.5, -0.5, 0.25]> : tensor<5xf64>
  %none = arith.constant dense<> : tensor<0x3xf64>
  %dx = tensor.cast %x : tensor<4x3xf64> to tensor<?x?xf64>
  %dv = tensor.cast %v : tensor<5xf64> to tensor<?xf64>
  %dn = tensor.cast %none : tensor<0x3xf64> to tensor<?x?xf64>
  %0:2 = func.call @centred(%x, %w) : (tensor<4x3xf64>, tensor<4x4xf64>) -> (tensor<3xf64>, tensor<4x3xf64>)
  %1:2 = func.call @elementwise(%dx) : (tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>)
  %2 = func.call @loop(%dv, %three) : (tensor<?xf64>, index) -> tensor<?xf64>
  %3 = func.call @transposed(%w) : (tensor<4x4xf64>) -> tensor<4x4xf64>
  %4:2 = func.call @elementwise(%dn) : (tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>)
  return %0#0, %0#1, %1#0, %1#1, %2, %3, %4#1 : tensor<3xf64>, tensor<4x3xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?xf64>, tensor<4x4xf64>, tensor<?x?xf64>
}
