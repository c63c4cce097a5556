// A product of matrices in a loop is saved, and not computed again; but not if memory is short, or
// if it is small for certain.
// RUN: ad-opt %s --inline --ad-differentiate --inline --canonicalize --cse --symbol-dce | FileCheck %s
// RUN: ad-opt %s --pass-pipeline='builtin.module(inline,ad-differentiate{memory-budget=1000000000000},inline,canonicalize,cse,symbol-dce)' \
// RUN:   | FileCheck %s --check-prefix=BUDGET
// RUN: ad-opt %s --inline --ad-differentiate --remarks-filter-analyse=ad-differentiate -o %t.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK

// REMARK: remark: [Analysis] checkpoints
// REMARK-SAME: product 0="tensor<?x?xf64>: saved, because computing it again would take more than reading it"
// REMARK: remark: [Analysis] checkpoints
// REMARK-NOT: product
// REMARK: remark: [Analysis] checkpoints
// REMARK-SAME: product 0="tensor<?x?xf64>: saved, because computing it again would take more than reading it"

// CHECK-LABEL: func.func @gradient(
// CHECK: scf.for %[[I:[a-z0-9]+]] = {{.*}} iter_args({{.*}}, %[[TAPE:[a-z0-9]+]] = %{{[a-z0-9]+}}) -> (tensor<?x?xf64>, tensor<?x?x?xf64>, tensor<?x?x?xf64>)
// CHECK:   soac.reduce
// CHECK:   %[[S:.*]] = math.sin %[[Z:[a-z0-9]+]]
// CHECK:   %[[ALL:.*]] = tensor.insert_slice %[[Z]] into %[[TAPE]][%[[I]], 0, 0]
// CHECK:   scf.yield %[[S]], %{{.*}}, %[[ALL]]
// CHECK: scf.for
// CHECK:   %[[ROW:.*]] = tensor.extract_slice %{{[a-z0-9]+}}#2[
// CHECK-NOT: soac.reduce
// CHECK:   math.cos %[[ROW]]
// CHECK: return

// BUDGET-LABEL: func.func @gradient(
// BUDGET: scf.for
// BUDGET: soac.reduce
// BUDGET: scf.for
// BUDGET: soac.reduce
// BUDGET: math.cos
// BUDGET: return

// CHECK-LABEL: func.func @small_gradient(
// CHECK: scf.for
// CHECK: soac.reduce
// CHECK: scf.for
// CHECK: soac.reduce
// CHECK: math.cos
// CHECK: return

func.func private @loop(%n: index, %w: tensor<?x?xf64>, %h0: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = scf.for %i = %c0 to %n step %c1 iter_args(%h = %h0) -> tensor<?x?xf64> {
    %z = func.call @matmul_loop(%h, %w) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
    %s = math.sin %z : tensor<?x?xf64>
    scf.yield %s : tensor<?x?xf64>
  }
  return %h : tensor<?x?xf64>
}

func.func private @matmul_loop(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %inner = tensor.dim %b, %c0 : tensor<?x?xf64>
  %width = tensor.dim %b, %c1 : tensor<?x?xf64>
  %zero = arith.constant 0.0 : f64
  %terms = soac.iota %inner : tensor<?xindex>
  %columns = soac.iota %width : tensor<?xindex>
  %c = soac.map ins(%a : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?x?xf64> {
    %new = soac.map ins(%columns : tensor<?xindex>) (%j: index) -> tensor<?xf64> {
      %products = soac.map ins(%row, %terms : tensor<?xf64>, tensor<?xindex>) (%x: f64, %k: index) -> tensor<?xf64> {
        %y = tensor.extract %b[%k, %j] : tensor<?x?xf64>
        %xy = arith.mulf %x, %y : f64
        soac.yield %xy : f64
      }
      %entry = soac.reduce ins(%products : tensor<?xf64>) neutral(%zero : f64) (%x: f64, %y: f64) {
        %s = arith.addf %x, %y : f64
        soac.yield %s : f64
      }
      soac.yield %entry : f64
    }
    soac.yield %new : tensor<?xf64>
  }
  return %c : tensor<?x?xf64>
}
func.func @gradient(%n: index, %w: tensor<?x?xf64>, %h0: tensor<?x?xf64>, %bar: tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %r:3 = ad.vjp @loop(%n, %w, %h0) seed(%bar) : (index, tensor<?x?xf64>, tensor<?x?xf64>), (tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
  return %r#1, %r#2 : tensor<?x?xf64>, tensor<?x?xf64>
}

func.func private @small(%n: index, %w: tensor<2x2xf64>, %h0: tensor<2x2xf64>) -> tensor<2x2xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = scf.for %i = %c0 to %n step %c1 iter_args(%h = %h0) -> tensor<2x2xf64> {
    %z = func.call @matmul_small(%h, %w) : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
    %s = math.sin %z : tensor<2x2xf64>
    scf.yield %s : tensor<2x2xf64>
  }
  return %h : tensor<2x2xf64>
}

func.func private @matmul_small(%a: tensor<2x2xf64>, %b: tensor<2x2xf64>) -> tensor<2x2xf64> {
  %zero = arith.constant 0.0 : f64
  %terms = soac.iota : tensor<2xindex>
  %columns = soac.iota : tensor<2xindex>
  %c = soac.map ins(%a : tensor<2x2xf64>) (%row: tensor<2xf64>) -> tensor<2x2xf64> {
    %new = soac.map ins(%columns : tensor<2xindex>) (%j: index) -> tensor<2xf64> {
      %products = soac.map ins(%row, %terms : tensor<2xf64>, tensor<2xindex>) (%x: f64, %k: index) -> tensor<2xf64> {
        %y = tensor.extract %b[%k, %j] : tensor<2x2xf64>
        %xy = arith.mulf %x, %y : f64
        soac.yield %xy : f64
      }
      %entry = soac.reduce ins(%products : tensor<2xf64>) neutral(%zero : f64) (%x: f64, %y: f64) {
        %s = arith.addf %x, %y : f64
        soac.yield %s : f64
      }
      soac.yield %entry : f64
    }
    soac.yield %new : tensor<2xf64>
  }
  return %c : tensor<2x2xf64>
}
func.func @small_gradient(%n: index, %w: tensor<2x2xf64>, %h0: tensor<2x2xf64>, %bar: tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2x2xf64>) {
  %r:3 = ad.vjp @small(%n, %w, %h0) seed(%bar) : (index, tensor<2x2xf64>, tensor<2x2xf64>), (tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2x2xf64>, tensor<2x2xf64>)
  return %r#1, %r#2 : tensor<2x2xf64>, tensor<2x2xf64>
}

// A product of `linalg` is saved, too, whose size is that of what it starts from.
// CHECK-LABEL: func.func @structured_gradient(
// CHECK: scf.for
// CHECK:   %[[Z:.*]] = linalg.matmul
// CHECK:   linalg.generic
// CHECK:     math.tanh
// CHECK:   scf.yield
// CHECK: scf.for
// CHECK-NOT: linalg.matmul
// CHECK: return
// BUDGET-LABEL: func.func @structured_gradient(
// BUDGET: linalg.matmul
// BUDGET: linalg.matmul
// BUDGET: return
#rows = affine_map<(d0, d1) -> (d0, d1)>
func.func private @structured(%n: index, %w: tensor<?x?xf64>, %h0: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %rows = tensor.dim %h0, %c0 : tensor<?x?xf64>
  %columns = tensor.dim %w, %c1 : tensor<?x?xf64>
  %h = scf.for %i = %c0 to %n step %c1 iter_args(%h = %h0) -> tensor<?x?xf64> {
    %empty = tensor.empty(%rows, %columns) : tensor<?x?xf64>
    %zeros = linalg.fill ins(%zero : f64) outs(%empty : tensor<?x?xf64>) -> tensor<?x?xf64>
    %z = linalg.matmul ins(%h, %w : tensor<?x?xf64>, tensor<?x?xf64>) outs(%zeros : tensor<?x?xf64>) -> tensor<?x?xf64>
    %t = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
        ins(%z : tensor<?x?xf64>) outs(%empty : tensor<?x?xf64>) {
    ^bb0(%a: f64, %old: f64):
      %b = math.tanh %a : f64
      linalg.yield %b : f64
    } -> tensor<?x?xf64>
    %s = arith.addf %t, %h : tensor<?x?xf64>
    scf.yield %s : tensor<?x?xf64>
  }
  return %h : tensor<?x?xf64>
}
func.func @structured_gradient(%n: index, %w: tensor<?x?xf64>, %h0: tensor<?x?xf64>, %bar: tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %r:3 = ad.vjp @structured(%n, %w, %h0) seed(%bar) : (index, tensor<?x?xf64>, tensor<?x?xf64>), (tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
  return %r#1, %r#2 : tensor<?x?xf64>, tensor<?x?xf64>
}
