// Addition, multiplication and black boxes are of numbers in the tensor language: operations on whole
// tensors become operations on their elements (T22).
// RUN: ad-opt %s --raise-to-atl --canonicalize --cse -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not='{{(addf|exp|maximumf|divf|mulf|sin|select) .*f64>}}'
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir all n,m n,m
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir chosen n n mask:n
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir numbers '' ''

// CHECK-LABEL: func.func @all(
// CHECK: atl.gen (%[[I:.*]] in %{{.*}}, %[[J:.*]] in %{{.*}}) -> tensor<?x?xf64> {
// CHECK-NEXT: %[[X:.*]] = atl.access %{{.*}}[%[[I]], %[[J]]]
// CHECK-NEXT: %[[Y:.*]] = atl.access %{{.*}}[%[[I]], %[[J]]]
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[X]], %[[Y]] : f64
// CHECK-NEXT: atl.yield %[[S]] : f64
// CHECK: math.exp %{{.*}} : f64
// CHECK: arith.maximumf %{{.*}}, %{{.*}} : f64
func.func @all(%x: tensor<?x?xf64>, %y: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %s = arith.addf %x, %y : tensor<?x?xf64>
  %e = math.exp %s : tensor<?x?xf64>
  %m = arith.maximumf %e, %x : tensor<?x?xf64>
  %q = arith.divf %m, %y : tensor<?x?xf64>
  return %q : tensor<?x?xf64>
}

// CHECK-LABEL: func.func @chosen(
// CHECK-SAME: %[[P:[a-z0-9]+]]: tensor<?xi1>
// CHECK: %[[NOT:.*]] = arith.xori %[[P]]
// CHECK: atl.member %[[P]][
// CHECK: atl.member %[[NOT]][
func.func @chosen(%x: tensor<?xf64>, %y: tensor<?xf64>, %p: tensor<?xi1>) -> tensor<?xf64> {
  %q = arith.mulf %x, %x : tensor<?xf64>
  %r = arith.select %p, %q, %y : tensor<?xi1>, tensor<?xf64>
  return %r : tensor<?xf64>
}

// Tensors without dimensions are numbers.
// CHECK-LABEL: func.func @numbers(
// CHECK-DAG: %[[A:.*]] = tensor.extract
// CHECK-DAG: %[[B:.*]] = tensor.extract
// CHECK: %[[P:.*]] = arith.mulf %[[A]], %[[B]] : f64
// CHECK: %[[S:.*]] = math.sin %[[P]] : f64
// CHECK: tensor.from_elements %[[S]] : tensor<f64>
func.func @numbers(%a: tensor<f64>, %b: tensor<f64>) -> tensor<f64> {
  %p = arith.mulf %a, %b : tensor<f64>
  %s = math.sin %p : tensor<f64>
  return %s : tensor<f64>
}
