// Derivatives of linalg operations that are raised agree with central differences and with each other.
// RUN: %python %S/../../driver/Inputs/npy.py %t.nhwc.npy '<f8' '(1,7,6,2)' --vary=7
// RUN: %python %S/../../driver/Inputs/npy.py %t.a.npy '<f8' '(2,3)' --vary=1
// RUN: %python %S/../../driver/Inputs/npy.py %t.v2.npy '<f8' '(2,)' 0.5 -0.3
// RUN: %python %S/../../driver/Inputs/npy.py %t.z.npy '<f8' '(0,3)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.v0.npy '<f8' '(0,)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.o.npy '<f8' '(1,1)' 0.4
// RUN: %python %S/../../driver/Inputs/npy.py %t.v1.npy '<f8' '(1,)' 0.5
// RUN: %python %S/../../driver/Inputs/npy.py %t.af.npy '<f4' '(2,3)' --vary=1
// RUN: %python %S/../../driver/Inputs/npy.py %t.n.npy '<f8' '(2,0)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.i3.npy '<i8' '(3,)' 1 0 1
// RUN: %python %S/../../driver/Inputs/npy.py %t.v3.npy '<f8' '(3,)' 0.7 -1.1 0.4
// RUN: ad-opt check %s --entry=max_pooling --input=%t.nhwc.npy
// RUN: ad-opt check %s --engine=interpreter --entry=max_pooling --input=%t.nhwc.npy
// RUN: ad-opt check %s --entry=max_pooling_gradient --input=%t.nhwc.npy
// RUN: ad-opt check %s --entry=min_pooling --input=%t.nhwc.npy
// RUN: ad-opt check %s --entry=extrema --input=%t.a.npy --input=%t.v2.npy
// RUN: ad-opt check %s --engine=interpreter --entry=extrema --input=%t.a.npy --input=%t.v2.npy
// RUN: ad-opt check %s --entry=extrema --input=%t.z.npy --input=%t.v0.npy
// RUN: ad-opt check %s --entry=extrema --input=%t.n.npy --input=%t.v2.npy
// RUN: ad-opt check %s --entry=extrema --input=%t.o.npy --input=%t.v1.npy
// RUN: ad-opt check %s --entry=products --input=%t.a.npy --input=%t.v2.npy
// RUN: ad-opt check %s --entry=products --input=%t.n.npy --input=%t.v2.npy
// RUN: ad-opt check %s --entry=products_gradient --input=%t.a.npy --input=%t.v2.npy
// RUN: ad-opt check %s --entry=largest --input=%t.af.npy
// RUN: ad-opt check %s --entry=general --input=%t.a.npy --input=%t.v2.npy --input=0.8
// RUN: ad-opt check %s --engine=interpreter --entry=general --input=%t.a.npy --input=%t.v2.npy --input=0.8
// RUN: ad-opt check %s --entry=two_states --input=%t.a.npy
// RUN: ad-opt check %s --entry=gather --input=%t.v2.npy --input=%t.i3.npy --input=%t.v3.npy
// RUN: ad-opt check %s --entry=gather_sum --input=%t.v2.npy --input=%t.i3.npy --input=%t.v3.npy
// RUN: ad-opt check %s --entry=overlapping --input=%t.v3.npy --input=%t.v2.npy

// The indices of every window overlap with those of its neighbours.
func.func @max_pooling(%x: tensor<1x7x6x2xf64>) -> tensor<1x3x2x2xf64> {
  %low = arith.constant 0xFFF0000000000000 : f64
  %e = tensor.empty() : tensor<1x3x2x2xf64>
  %c = linalg.fill ins(%low : f64) outs(%e : tensor<1x3x2x2xf64>) -> tensor<1x3x2x2xf64>
  %window = tensor.empty() : tensor<3x3xf64>
  %0 = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>}
      ins(%x, %window : tensor<1x7x6x2xf64>, tensor<3x3xf64>) outs(%c : tensor<1x3x2x2xf64>) -> tensor<1x3x2x2xf64>
  %1 = arith.mulf %0, %0 : tensor<1x3x2x2xf64>
  return %1 : tensor<1x3x2x2xf64>
}
func.func @max_pooling_gradient(%x: tensor<1x7x6x2xf64>) -> tensor<1x7x6x2xf64> {
  %y = func.call @max_pooling(%x) : (tensor<1x7x6x2xf64>) -> tensor<1x3x2x2xf64>
  %r:2 = ad.vjp @max_pooling(%x) seed(%y) : (tensor<1x7x6x2xf64>), (tensor<1x3x2x2xf64>) -> (tensor<1x3x2x2xf64>, tensor<1x7x6x2xf64>)
  return %r#1 : tensor<1x7x6x2xf64>
}
func.func @min_pooling(%x: tensor<1x7x6x2xf64>) -> tensor<1x3x2x2xf64> {
  %c = arith.constant dense<0.3> : tensor<1x3x2x2xf64>
  %window = tensor.empty() : tensor<3x3xf64>
  %0 = linalg.pooling_nhwc_min {strides = dense<2> : tensor<2xi64>}
      ins(%x, %window : tensor<1x7x6x2xf64>, tensor<3x3xf64>) outs(%c : tensor<1x3x2x2xf64>) -> tensor<1x3x2x2xf64>
  return %0 : tensor<1x3x2x2xf64>
}

func.func @extrema(%a: tensor<?x?xf64>, %v: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %0 = linalg.reduce {arith.maximumf} ins(%a : tensor<?x?xf64>) outs(%v : tensor<?xf64>) dimensions = [1]
  %1 = linalg.reduce ins(%a : tensor<?x?xf64>) outs(%v : tensor<?xf64>) dimensions = [1]
    (%x: f64, %o: f64) {
      %m = arith.minnumf %x, %o : f64
      linalg.yield %m : f64
    }
  return %0, %1 : tensor<?xf64>, tensor<?xf64>
}

func.func @products(%a: tensor<?x?xf64>, %v: tensor<?xf64>) -> tensor<?xf64> {
  %0 = linalg.reduce {arith.mulf} ins(%a : tensor<?x?xf64>) outs(%v : tensor<?xf64>) dimensions = [1]
  return %0 : tensor<?xf64>
}
func.func @products_gradient(%a: tensor<?x?xf64>, %v: tensor<?xf64>) -> (tensor<?x?xf64>, tensor<?xf64>) {
  %r:3 = ad.vjp @products(%a, %v) seed(%v) : (tensor<?x?xf64>, tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>, tensor<?xf64>)
  return %r#1, %r#2 : tensor<?x?xf64>, tensor<?xf64>
}

// Over all dimensions, to rank zero.
func.func @largest(%a: tensor<2x3xf32>) -> tensor<f32> {
  %c = arith.constant dense<-100.0> : tensor<f32>
  %0 = linalg.reduce {arith.maximumf} ins(%a : tensor<2x3xf32>) outs(%c : tensor<f32>) dimensions = [0, 1]
  return %0 : tensor<f32>
}

// A recurrence, with a scalar from outside.
func.func @general(%a: tensor<2x3xf64>, %v: tensor<2xf64>, %s: f64) -> tensor<2xf64> {
  %0 = linalg.reduce ins(%a : tensor<2x3xf64>) outs(%v : tensor<2xf64>) dimensions = [1]
    (%x: f64, %o: f64) {
      %p = arith.mulf %x, %o : f64
      %q = math.sin %p : f64
      %t = arith.mulf %o, %s : f64
      %r = arith.addf %q, %t : f64
      linalg.yield %r : f64
    }
  return %0 : tensor<2xf64>
}

// A maximum with its position.
func.func @two_states(%a: tensor<2x3xf64>) -> (tensor<2xf64>, tensor<2xi64>) {
  %low = arith.constant dense<-100.0> : tensor<2xf64>
  %none = arith.constant dense<-1> : tensor<2xi64>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<2x3xf64>) outs(%low, %none : tensor<2xf64>, tensor<2xi64>) {
  ^bb0(%x: f64, %o: f64, %k: i64):
    %j = linalg.index 1 : index
    %n = arith.index_cast %j : index to i64
    %greater = arith.cmpf ogt, %x, %o : f64
    %p = arith.select %greater, %x, %o : f64
    %q = arith.select %greater, %n, %k : i64
    linalg.yield %p, %q : f64, i64
  } -> (tensor<2xf64>, tensor<2xi64>)
  return %0#0, %0#1 : tensor<2xf64>, tensor<2xi64>
}

// An array from outside is read at indices that are values [F43].
func.func @gather(%t: tensor<2xf64>, %is: tensor<3xindex>, %x: tensor<3xf64>) -> tensor<3xf64> {
  %e = tensor.empty() : tensor<3xf64>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%is, %x : tensor<3xindex>, tensor<3xf64>) outs(%e : tensor<3xf64>) {
  ^bb0(%i: index, %a: f64, %o: f64):
    %b = tensor.extract %t[%i] : tensor<2xf64>
    %p = arith.mulf %a, %b : f64
    %q = math.exp %p : f64
    linalg.yield %q : f64
  } -> tensor<3xf64>
  return %0 : tensor<3xf64>
}
func.func @gather_sum(%t: tensor<2xf64>, %is: tensor<3xindex>, %x: tensor<3xf64>) -> tensor<f64> {
  %e = arith.constant dense<0.5> : tensor<f64>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%is, %x : tensor<3xindex>, tensor<3xf64>) outs(%e : tensor<f64>) {
  ^bb0(%i: index, %a: f64, %o: f64):
    %b = tensor.extract %t[%i] : tensor<2xf64>
    %p = arith.mulf %a, %b : f64
    %q = arith.addf %o, %p : f64
    linalg.yield %q : f64
  } -> tensor<f64>
  return %0 : tensor<f64>
}

// Outputs that are no nest of maps: products into overlapping places.
func.func @overlapping(%x: tensor<3xf64>, %w: tensor<2xf64>) -> tensor<4xf64> {
  %ones = arith.constant dense<1.0> : tensor<4xf64>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i + j)>], iterator_types = ["reduction", "reduction"]}
      ins(%x, %w : tensor<3xf64>, tensor<2xf64>) outs(%ones : tensor<4xf64>) {
  ^bb0(%a: f64, %b: f64, %o: f64):
    %p = arith.addf %a, %b : f64
    %q = arith.mulf %o, %p : f64
    linalg.yield %q : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}
