// What structured operations read of their outputs, whether the result is needed or not, in both modes and to second order.
// RUN: %python %S/../../driver/Inputs/npy.py %t.x.npy '<f8' '(3,)' 0.3 -0.4 1.1
// RUN: %python %S/../../driver/Inputs/npy.py %t.y.npy '<f8' '(3,)' 0.7 0.2 -0.9
// RUN: %python %S/../../driver/Inputs/npy.py %t.p.npy '<f8' '()' -0.2
// RUN: %python %S/../../driver/Inputs/npy.py %t.q.npy '<f8' '()' 0.6
// RUN: ad-opt check %s --entry=online --input=%t.x.npy --input=%t.y.npy --input=%t.p.npy --input=%t.q.npy
// RUN: ad-opt check %s --entry=online --engine=interpreter --input=%t.x.npy --input=%t.y.npy --input=%t.p.npy --input=%t.q.npy
// RUN: ad-opt check %s --entry=unneeded --input=%t.x.npy --input=%t.y.npy
// RUN: ad-opt check %s --entry=unneeded --engine=interpreter --input=%t.x.npy --input=%t.y.npy
// RUN: ad-opt check %s --entry=tangent --input=%t.x.npy --input=%t.y.npy --input=%t.y.npy --input=%t.x.npy
// RUN: %python %S/../../driver/Inputs/npy.py %t.six.npy '<f8' '(6,)' 0.1 0.2 0.3 0.4 0.5 0.6
// RUN: %python %S/../../driver/Inputs/npy.py %t.none.npy '<f8' '(3,0)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.rows.npy '<f8' '(3,4)' --vary=2
// RUN: ad-opt run %s --entry=every_second --input=%t.x.npy --input=%t.six.npy | FileCheck %s --check-prefix=EVERY
// RUN: ad-opt check %s --entry=every_second --input=%t.x.npy --input=%t.six.npy
// RUN: ad-opt run %s --entry=last --input=%t.none.npy --input=%t.x.npy | FileCheck %s --check-prefix=NONE
// RUN: ad-opt check %s --entry=last --input=%t.none.npy --input=%t.x.npy
// RUN: ad-opt check %s --entry=last --input=%t.rows.npy --input=%t.x.npy
// RUN: ad-opt run %s --entry=two_maps --input=%t.x.npy --input=%t.y.npy --target=gpu-emulate | FileCheck %s

// A sum of exponentials over their largest one, in one pass; only the sum is returned.
func.func @online(%x: tensor<?xf64>, %y: tensor<?xf64>, %p: tensor<f64>, %q: tensor<f64>) -> tensor<f64> {
  %r:2 = linalg.reduce ins(%x, %y : tensor<?xf64>, tensor<?xf64>) outs(%p, %q : tensor<f64>, tensor<f64>) dimensions = [0]
      (%a: f64, %b: f64, %largest: f64, %sum: f64) {
    %n = arith.maximumf %largest, %a : f64
    %d1 = arith.subf %largest, %n : f64
    %e1 = math.exp %d1 : f64
    %d2 = arith.subf %a, %n : f64
    %e2 = math.exp %d2 : f64
    %t1 = arith.mulf %sum, %e1 : f64
    %t2 = arith.mulf %b, %e2 : f64
    %s = arith.addf %t1, %t2 : f64
    linalg.yield %n, %s : f64, f64
  }
  return %r#1 : tensor<f64>
}

// The second result depends on what the first output starts from.
func.func @unneeded(%x: tensor<3xf64>, %o: tensor<3xf64>) -> tensor<3xf64> {
  %e = tensor.empty() : tensor<3xf64>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<3xf64>) outs(%o, %e : tensor<3xf64>, tensor<3xf64>) {
  ^bb0(%a: f64, %c: f64, %d: f64):
    %p = arith.mulf %a, %c : f64
    linalg.yield %c, %p : f64, f64
  } -> (tensor<3xf64>, tensor<3xf64>)
  return %r#1 : tensor<3xf64>
}

// Nobody needs the product itself, but its tangent, of which both derivatives are made.
func.func private @product(%x: tensor<3xf64>, %o: tensor<3xf64>) -> tensor<3xf64> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<3xf64>) outs(%o : tensor<3xf64>) {
  ^bb0(%a: f64, %c: f64):
    %p = arith.mulf %a, %c : f64
    linalg.yield %p : f64
  } -> tensor<3xf64>
  return %r : tensor<3xf64>
}
func.func @tangent(%x: tensor<3xf64>, %o: tensor<3xf64>, %x_dot: tensor<3xf64>, %o_dot: tensor<3xf64>) -> tensor<3xf64> {
  %r:2 = ad.jvp @product(%x, %o) seed(%x_dot, %o_dot) : (tensor<3xf64>, tensor<3xf64>), (tensor<3xf64>, tensor<3xf64>)
      -> (tensor<3xf64>, tensor<3xf64>)
  return %r#1 : tensor<3xf64>
}

// A loop that makes an element of one output and adds to another one is no parallel loop, in the derivative neither.
func.func private @both(%x: tensor<3xf64>) -> (tensor<3xf64>, tensor<f64>) {
  %n = tensor.empty() : tensor<3xf64>
  %m = arith.constant dense<0.0> : tensor<f64>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<3xf64>) outs(%n, %m : tensor<3xf64>, tensor<f64>) {
  ^bb0(%a: f64, %o1: f64, %o2: f64):
    %e = arith.mulf %a, %a : f64
    %s = arith.addf %o2, %e : f64
    linalg.yield %e, %s : f64, f64
  } -> (tensor<3xf64>, tensor<f64>)
  return %r#0, %r#1 : tensor<3xf64>, tensor<f64>
}
// 2 (0.3 * 0.7 - 0.4 * 0.2 - 1.1 * 0.9)
// CHECK: -1.72
func.func @two_maps(%x: tensor<3xf64>, %x_dot: tensor<3xf64>) -> tensor<f64> {
  %y:4 = ad.jvp @both(%x) seed(%x_dot) : (tensor<3xf64>), (tensor<3xf64>) -> (tensor<3xf64>, tensor<f64>, tensor<3xf64>, tensor<f64>)
  return %y#3 : tensor<f64>
}

// What is written to every second element keeps the others.
// EVERY: [0.29552020666133955, 0.2, -0.3894183423086505, 0.4, 0.8912073600614354, 0.6]
func.func @every_second(%x: tensor<3xf64>, %o: tensor<6xf64>) -> tensor<6xf64> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i * 2)>], iterator_types = ["parallel"]}
      ins(%x : tensor<3xf64>) outs(%o : tensor<6xf64>) {
  ^bb0(%a: f64, %c: f64):
    %s = math.sin %a : f64
    linalg.yield %s : f64
  } -> tensor<6xf64>
  return %r : tensor<6xf64>
}

// The last value of each row, of which there may be none.
// NONE: [0.3, -0.4, 1.1]
func.func @last(%x: tensor<?x?xf64>, %o: tensor<?xf64>) -> tensor<?xf64> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf64>) outs(%o : tensor<?xf64>) {
  ^bb0(%a: f64, %c: f64):
    %s = math.sin %a : f64
    linalg.yield %s : f64
  } -> tensor<?xf64>
  return %r : tensor<?xf64>
}
