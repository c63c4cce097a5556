// Generated tensors: indices become places, comparisons brackets, and what a branch reads is read in
// its bracket only (T22).
// RUN: ad-opt %s --raise-to-atl --canonicalize -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not=tensor.generate --implicit-check-not=scf.if
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir diag n
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir band n m number
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir shifted n
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir strided 'n>1' 'index:(n-1)//2'
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir other n,m
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir masked n,m mask:n,m
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir toeplitz 'n>1'

// CHECK-LABEL: func.func @diag(
// CHECK: atl.gen (%[[I:.*]] in %[[N:.*]], %[[J:.*]] in %[[N]]) -> tensor<?x?xf64> {
// CHECK-NEXT: %[[P:.*]] = atl.compare %[[I]] = %[[J]]
// CHECK-NEXT: %[[B:.*]] = atl.bracket %[[P]] -> f64 {
// CHECK-NEXT: %[[E:.*]] = atl.access %{{.*}}[%[[I]]]
// CHECK-NEXT: %[[S:.*]] = math.sin %[[E]]
// CHECK-NEXT: atl.yield %[[S]]
// CHECK-NEXT: }
// CHECK-NEXT: atl.yield %[[B]]
func.func @diag(%x: tensor<?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %a = tensor.generate %n, %n {
  ^bb0(%i: index, %j: index):
    %p = arith.cmpi eq, %i, %j : index
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %s = math.sin %e : f64
    %v = arith.select %p, %s, %zero : f64
    tensor.yield %v : f64
  } : tensor<?x?xf64>
  return %a : tensor<?x?xf64>
}

// Two values, and a negation: above the diagonal one, on it and below another.
// CHECK-LABEL: func.func @band(
// CHECK: %[[ABOVE:.*]] = atl.compare %[[I:.*]] < %[[J:.*]]
// CHECK: atl.bracket %[[ABOVE]]
// CHECK: %[[REST:.*]] = atl.compare %[[J]] <= %[[I]]
// CHECK: atl.bracket %[[REST]]
// CHECK: arith.addf
func.func @band(%x: tensor<?xf64>, %y: tensor<?xf64>, %w: f64) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %m = tensor.dim %y, %c0 : tensor<?xf64>
  %a = tensor.generate %n, %m {
  ^bb0(%i: index, %j: index):
    %p = arith.cmpi sge, %i, %j : index
    %q = arith.xori %p, %true : i1
    %xi = tensor.extract %x[%i] : tensor<?xf64>
    %yj = tensor.extract %y[%j] : tensor<?xf64>
    %xy = arith.mulf %xi, %yj : f64
    %wx = arith.mulf %w, %xi : f64
    %v = arith.select %q, %xy, %wx : f64
    tensor.yield %v : f64
  } : tensor<?x?xf64>
  return %a : tensor<?x?xf64>
}

// The neighbour is read where there is one.
// CHECK-LABEL: func.func @shifted(
// CHECK: %[[P:.*]] = atl.compare %[[I:.*]] + 1 < %{{.*}}
// CHECK-NEXT: atl.bracket %[[P]] -> f64 {
// CHECK-NEXT: atl.access %{{.*}}[%[[I]] + 1]
func.func @shifted(%x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %y = tensor.generate %n {
  ^bb0(%i: index):
    %size = tensor.dim %x, %c0 : tensor<?xf64>
    %next = arith.addi %i, %c1 : index
    %p = arith.cmpi slt, %next, %size : index
    %v = scf.if %p -> f64 {
      %e = tensor.extract %x[%next] : tensor<?xf64>
      %q = arith.mulf %e, %e : f64
      scf.yield %q : f64
    } else {
      scf.yield %zero : f64
    }
    tensor.yield %v : f64
  } : tensor<?xf64>
  return %y : tensor<?xf64>
}

// A gather at every second place, as affine.apply has it.
// CHECK-LABEL: func.func @strided(
// CHECK: atl.gen (%[[I:.*]] in
// CHECK-NEXT: atl.access %{{.*}}[%[[I]] * 2 + 1]
func.func @strided(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %two = arith.constant 2 : index
  %one = arith.constant 1 : index
  %y = tensor.generate %n {
  ^bb0(%i: index):
    %twice = arith.muli %i, %two : index
    %at = arith.addi %twice, %one : index
    %e = tensor.extract %x[%at] : tensor<?xf64>
    tensor.yield %e : f64
  } : tensor<?xf64>
  return %y : tensor<?xf64>
}

// Functions of numbers, conjunctions and disjunctions; what both arms read is in both.
// CHECK-LABEL: func.func @other(
// CHECK: arith.ori
// CHECK: atl.bracket
// CHECK: func.call @cubed
// CHECK: arith.andi
// CHECK: atl.bracket
// CHECK: func.call @cubed
func.func private @cubed(%x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %p = arith.cmpf ogt, %x, %zero : f64
  %q = arith.mulf %x, %x : f64
  %c = arith.mulf %q, %x : f64
  %r = arith.select %p, %c, %zero : f64
  return %r : f64
}
func.func @other(%x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf64>
  %m = tensor.dim %x, %c1 : tensor<?x?xf64>
  %y = tensor.generate %m, %n {
  ^bb0(%j: index, %i: index):
    %e = tensor.extract %x[%i, %j] : tensor<?x?xf64>
    %first = arith.cmpi eq, %i, %c0 : index
    %below = arith.cmpi sgt, %i, %j : index
    %p = arith.ori %first, %below : i1
    %c = func.call @cubed(%e) : (f64) -> f64
    %d = arith.divf %e, %c : f64
    %v = arith.select %p, %c, %d : f64
    tensor.yield %v : f64
  } : tensor<?x?xf64>
  return %y : tensor<?x?xf64>
}

// A mask is a relation.
// CHECK-LABEL: func.func @masked(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x?xf64>, %[[MASK:[a-z0-9]+]]: tensor<?x?xi1>
// CHECK: %[[P:.*]] = atl.member %[[MASK]][%{{.*}}, %{{.*}}] : tensor<?x?xi1>
// CHECK-NEXT: atl.bracket %[[P]]
func.func @masked(%x: tensor<?x?xf64>, %mask: tensor<?x?xi1>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?x?xf64>
  %m = tensor.dim %x, %c1 : tensor<?x?xf64>
  %y = tensor.generate %n, %m {
  ^bb0(%i: index, %j: index):
    %p = tensor.extract %mask[%i, %j] : tensor<?x?xi1>
    %e = tensor.extract %x[%i, %j] : tensor<?x?xf64>
    %v = arith.select %p, %e, %zero : f64
    tensor.yield %v : f64
  } : tensor<?x?xf64>
  return %y : tensor<?x?xf64>
}

// Nested choices with static sizes, in f32.
// CHECK-LABEL: func.func @toeplitz(
// CHECK: atl.gen (%{{.*}} in %c2, %{{.*}} in %c3) -> tensor<2x3xf32>
func.func @toeplitz(%x: tensor<?xf32>) -> tensor<2x3xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %half = arith.constant 0.5 : f32
  %zero = arith.constant 0.0 : f32
  %y = tensor.generate {
  ^bb0(%i: index, %j: index):
    %d = arith.subi %j, %i : index
    %inside = arith.cmpi sge, %d, %c0 : index
    %n = tensor.dim %x, %c0 : tensor<?xf32>
    %short = arith.cmpi slt, %d, %n : index
    %p = arith.andi %inside, %short : i1
    %v = scf.if %p -> f32 {
      %e = tensor.extract %x[%d] : tensor<?xf32>
      %is_on = arith.cmpi ne, %i, %j : index
      %w = arith.select %is_on, %e, %half : f32
      scf.yield %w : f32
    } else {
      scf.yield %zero : f32
    }
    tensor.yield %v : f32
  } : tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}
