// What a structured operation computes of elements, and a later one computes again, is read from there if it is an array in
// any case: the derivative of a layer reads what the layer has made, and the sum for its bias the other derivative [F64].
// RUN: ad-opt %s --ad-optimize | FileCheck %s
// RUN: ad-opt %s --ad-fuse --ad-canonicalize --cse | FileCheck %s --check-prefix=ALONE
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(3,2)' --vary=1
// RUN: %python %S/../driver/Inputs/npy.py %t.w.npy '<f8' '(2,2)' --vary=1
// RUN: %python %S/../driver/Inputs/npy.py %t.b.npy '<f8' '(2,)' --vary=1
// RUN: ad-opt check %s --entry=objective --input=%t.x.npy --input=%t.w.npy --input=%t.b.npy
// RUN: ad-opt check %s --entry=gradient --input=%t.x.npy --input=%t.w.npy --input=%t.b.npy
// RUN: %python %S/../driver/Inputs/npy.py %t.x0.npy '<f8' '(0,2)'
// RUN: ad-opt check %s --entry=gradient --input=%t.x0.npy --input=%t.w.npy --input=%t.b.npy

#all = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// sum((tanh(x w + b) w)^2)
func.func @objective(%x: tensor<?x2xf64>, %w: tensor<2x2xf64>, %b: tensor<2xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?x2xf64>
  %e = tensor.empty(%n) : tensor<?x2xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<?x2xf64>) -> tensor<?x2xf64>
  %p = linalg.matmul ins(%x, %w : tensor<?x2xf64>, tensor<2x2xf64>) outs(%f : tensor<?x2xf64>) -> tensor<?x2xf64>
  %h = linalg.generic {indexing_maps = [#all, #column, #all], iterator_types = ["parallel", "parallel"]}
      ins(%p, %b : tensor<?x2xf64>, tensor<2xf64>) outs(%e : tensor<?x2xf64>) {
  ^bb0(%p_i: f64, %b_i: f64, %_: f64):
    %s = arith.addf %p_i, %b_i : f64
    %t = math.tanh %s : f64
    linalg.yield %t : f64
  } -> tensor<?x2xf64>
  %q = linalg.matmul ins(%h, %w : tensor<?x2xf64>, tensor<2x2xf64>) outs(%f : tensor<?x2xf64>) -> tensor<?x2xf64>
  %z = tensor.empty() : tensor<f64>
  %z0 = linalg.fill ins(%zero : f64) outs(%z : tensor<f64>) -> tensor<f64>
  %r = linalg.generic {indexing_maps = [#all, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%q : tensor<?x2xf64>) outs(%z0 : tensor<f64>) {
  ^bb0(%q_i: f64, %sum: f64):
    %s = arith.mulf %q_i, %q_i : f64
    %next = arith.addf %sum, %s : f64
    linalg.yield %next : f64
  } -> tensor<f64>
  %v = tensor.extract %r[] : tensor<f64>
  return %v : f64
}

// The derivative begins with the layer: one tanh, whose result both derivatives use; the sum for the bias reads one array.
// CHECK-LABEL: func.func @gradient(
// CHECK: %[[H:.*]] = linalg.generic
// CHECK: math.tanh
// CHECK-NOT: math.tanh
// CHECK: %[[D:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%{{.*}}, %[[H]] :
// CHECK: %[[B:.*]] = linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]} ins(%[[D]] :
// CHECK: return %{{.*}}, %[[B]]
func.func @gradient(%x: tensor<?x2xf64>, %w: tensor<2x2xf64>, %b: tensor<2xf64>) -> (tensor<2x2xf64>, tensor<2xf64>) {
  %one = arith.constant 1.0 : f64
  %r:4 = ad.vjp @objective(%x, %w, %b) seed(%one)
      : (tensor<?x2xf64>, tensor<2x2xf64>, tensor<2xf64>), (f64) -> (f64, tensor<?x2xf64>, tensor<2x2xf64>, tensor<2xf64>)
  return %r#2, %r#3 : tensor<2x2xf64>, tensor<2xf64>
}

// What nobody needs as an array would only be stored for this: the two become one elsewhere, or are loops that are.
// ALONE-LABEL: func.func @elementwise(
// ALONE: linalg.exp
// ALONE: math.exp
// ALONE: return
func.func @elementwise(%x: tensor<4x4xf64>, %y: tensor<4x4xf64>) -> (tensor<4x4xf64>, tensor<4xf64>) {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<4x4xf64>
  %f = tensor.empty() : tensor<4xf64>
  %z = linalg.fill ins(%zero : f64) outs(%f : tensor<4xf64>) -> tensor<4xf64>
  %a = linalg.exp ins(%x : tensor<4x4xf64>) outs(%e : tensor<4x4xf64>) -> tensor<4x4xf64>
  %s = linalg.reduce { arith.addf } ins(%a : tensor<4x4xf64>) outs(%z : tensor<4xf64>) dimensions = [0]
  %b = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<4x4xf64>, tensor<4x4xf64>) outs(%e : tensor<4x4xf64>) {
  ^bb0(%x_i: f64, %y_i: f64, %_: f64):
    %t = math.exp %x_i : f64
    %u = arith.mulf %t, %y_i : f64
    linalg.yield %u : f64
  } -> tensor<4x4xf64>
  return %b, %s : tensor<4x4xf64>, tensor<4xf64>
}

// To read 16 elements takes longer than to read 8, even if they are there.
// ALONE-LABEL: func.func @outer(
// ALONE: math.exp
// ALONE: math.exp
// ALONE: return
func.func @outer(%x: tensor<4xf64>, %y: tensor<4xf64>) -> (tensor<4x4xf64>, tensor<4x4xf64>) {
  %e = tensor.empty() : tensor<4x4xf64>
  %a = linalg.generic {indexing_maps = [#row, #column, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<4xf64>, tensor<4xf64>) outs(%e : tensor<4x4xf64>) {
  ^bb0(%x_i: f64, %y_i: f64, %_: f64):
    %s = arith.addf %x_i, %y_i : f64
    %t = math.exp %s : f64
    linalg.yield %t : f64
  } -> tensor<4x4xf64>
  %b = linalg.generic {indexing_maps = [#row, #column, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<4xf64>, tensor<4xf64>) outs(%e : tensor<4x4xf64>) {
  ^bb0(%x_i: f64, %y_i: f64, %_: f64):
    %s = arith.addf %x_i, %y_i : f64
    %t = math.exp %s : f64
    %u = arith.addf %t, %x_i : f64
    linalg.yield %u : f64
  } -> tensor<4x4xf64>
  return %a, %b : tensor<4x4xf64>, tensor<4x4xf64>
}

// What reads a transpose has other elements; the last one has those that the second one has.
// ALONE-LABEL: func.func @places(
// ALONE: %[[A:.*]] = linalg.generic
// ALONE: math.exp
// ALONE: %[[B:.*]] = linalg.generic
// ALONE-SAME: ins(%arg0 : tensor<4x4xf64>)
// ALONE: math.exp
// ALONE: linalg.generic
// ALONE-SAME: indexing_maps = [#[[ALL:.*]], #[[ALL]]]
// ALONE-SAME: ins(%[[B]] : tensor<4x4xf64>)
// ALONE-NOT: math.exp
// ALONE: return
func.func @places(%x: tensor<4x4xf64>) -> (tensor<4x4xf64>, tensor<4x4xf64>, tensor<4x4xf64>) {
  %two = arith.constant 2.0 : f64
  %e = tensor.empty() : tensor<4x4xf64>
  %a = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x4xf64>) outs(%e : tensor<4x4xf64>) {
  ^bb0(%x_i: f64, %_: f64):
    %t = math.exp %x_i : f64
    linalg.yield %t : f64
  } -> tensor<4x4xf64>
  %b = linalg.generic {indexing_maps = [#turned, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x4xf64>) outs(%e : tensor<4x4xf64>) {
  ^bb0(%x_i: f64, %_: f64):
    %t = math.exp %x_i : f64
    linalg.yield %t : f64
  } -> tensor<4x4xf64>
  %c = linalg.generic {indexing_maps = [#turned, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x4xf64>) outs(%e : tensor<4x4xf64>) {
  ^bb0(%x_i: f64, %_: f64):
    %t = math.exp %x_i : f64
    %u = arith.mulf %t, %two : f64
    linalg.yield %u : f64
  } -> tensor<4x4xf64>
  return %a, %b, %c : tensor<4x4xf64>, tensor<4x4xf64>, tensor<4x4xf64>
}
