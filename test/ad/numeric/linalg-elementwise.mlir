// Derivatives of elementwise and rearranging linalg operations agree with central differences and with each other.
// RUN: %python %S/../../driver/Inputs/npy.py %t.a.npy '<f8' '(2,3)' --vary=1
// RUN: %python %S/../../driver/Inputs/npy.py %t.b.npy '<f8' '(2,3)' --vary=2
// RUN: %python %S/../../driver/Inputs/npy.py %t.z.npy '<f8' '(0,3)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.o.npy '<f8' '(1,1)' 0.4
// RUN: %python %S/../../driver/Inputs/npy.py %t.p.npy '<f8' '(4,)' 0.5 1.5 0.7 2.1
// RUN: %python %S/../../driver/Inputs/npy.py %t.v2.npy '<f8' '(2,)' 0.5 -1.5
// RUN: %python %S/../../driver/Inputs/npy.py %t.v0.npy '<f8' '(0,)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.v1.npy '<f8' '(1,)' 0.5
// RUN: %python %S/../../driver/Inputs/npy.py %t.q.npy '<f8' '(3,3)' --vary=4
// RUN: %python %S/../../driver/Inputs/npy.py %t.f.npy '<f4' '(4,)' 0.5 1.5 0.7 2.1
// RUN: ad-opt check %s --entry=arithmetic --input=%t.a.npy --input=%t.b.npy
// RUN: ad-opt check %s --entry=arithmetic --input=%t.z.npy --input=%t.z.npy
// RUN: ad-opt check %s --entry=arithmetic --input=%t.o.npy --input=%t.o.npy
// RUN: ad-opt check %s --engine=interpreter --entry=arithmetic --input=%t.a.npy --input=%t.b.npy
// RUN: ad-opt check %s --entry=functions --input=%t.p.npy
// RUN: ad-opt check %s --engine=interpreter --entry=functions --input=%t.p.npy
// RUN: ad-opt check %s --entry=several_results --input=%t.v2.npy
// RUN: ad-opt check %s --entry=functions_f32 --input=%t.f.npy
// RUN: ad-opt check %s --entry=kinds --input=%t.a.npy --input=%t.b.npy
// RUN: ad-opt check %s --engine=interpreter --entry=kinds --input=%t.a.npy --input=%t.b.npy
// RUN: ad-opt check %s --entry=broadcast --input=%t.a.npy --input=%t.v2.npy --input=0.7
// RUN: ad-opt check %s --entry=broadcast --input=%t.z.npy --input=%t.v0.npy --input=0.7
// RUN: ad-opt check %s --entry=broadcast --input=%t.o.npy --input=%t.v1.npy --input=0.7
// RUN: ad-opt check %s --engine=interpreter --entry=broadcast --input=%t.a.npy --input=%t.v2.npy --input=0.7
// RUN: ad-opt check %s --entry=broadcast_gradient --input=%t.a.npy --input=%t.v2.npy --input=0.7
// RUN: ad-opt check %s --entry=rearrange --input=%t.a.npy --input=%t.v2.npy
// RUN: ad-opt check %s --engine=interpreter --entry=rearrange --input=%t.a.npy --input=%t.v2.npy
// RUN: ad-opt check %s --entry=in_place --input=%t.a.npy --input=%t.b.npy
// RUN: ad-opt check %s --entry=map --input=%t.a.npy --input=%t.b.npy --input=1.5
// RUN: ad-opt check %s --engine=interpreter --entry=map --input=%t.a.npy --input=%t.b.npy --input=1.5
// RUN: ad-opt check %s --entry=diagonal --input=%t.q.npy
// RUN: ad-opt check %s --entry=diagonal_gradient --input=%t.q.npy
// RUN: ad-opt check %s --entry=plus_transposed --input=%t.q.npy
// RUN: ad-opt check %s --entry=positions --input=%t.a.npy
// RUN: ad-opt check %s --engine=interpreter --entry=positions --input=%t.a.npy
// RUN: ad-opt check %s --entry=sums --input=%t.a.npy --input=%t.v2.npy
// RUN: ad-opt check %s --engine=interpreter --entry=sums --input=%t.a.npy --input=%t.v2.npy
// RUN: ad-opt check %s --entry=sums --input=%t.z.npy --input=%t.v0.npy
// RUN: ad-opt check %s --entry=two_results --input=%t.a.npy --input=%t.v2.npy
// RUN: ad-opt check %s --entry=two_results_gradient --input=%t.a.npy --input=%t.v2.npy

func.func @arithmetic(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %0 = linalg.add ins(%a, %b : tensor<?x?xf64>, tensor<?x?xf64>) outs(%a : tensor<?x?xf64>) -> tensor<?x?xf64>
  %1 = linalg.mul ins(%0, %a : tensor<?x?xf64>, tensor<?x?xf64>) outs(%a : tensor<?x?xf64>) -> tensor<?x?xf64>
  %2 = linalg.sub ins(%1, %b : tensor<?x?xf64>, tensor<?x?xf64>) outs(%a : tensor<?x?xf64>) -> tensor<?x?xf64>
  %3 = linalg.exp ins(%2 : tensor<?x?xf64>) outs(%a : tensor<?x?xf64>) -> tensor<?x?xf64>
  %4 = linalg.div ins(%1, %3 : tensor<?x?xf64>, tensor<?x?xf64>) outs(%a : tensor<?x?xf64>) -> tensor<?x?xf64>
  return %4 : tensor<?x?xf64>
}

func.func @functions(%a: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) {
  %0 = linalg.log ins(%a : tensor<4xf64>) outs(%a : tensor<4xf64>) -> tensor<4xf64>
  %1 = linalg.abs ins(%0 : tensor<4xf64>) outs(%a : tensor<4xf64>) -> tensor<4xf64>
  %2 = linalg.negf ins(%1 : tensor<4xf64>) outs(%a : tensor<4xf64>) -> tensor<4xf64>
  %3 = linalg.tanh ins(%2 : tensor<4xf64>) outs(%a : tensor<4xf64>) -> tensor<4xf64>
  %4 = linalg.sqrt ins(%a : tensor<4xf64>) outs(%a : tensor<4xf64>) -> tensor<4xf64>
  %5 = linalg.rsqrt ins(%4 : tensor<4xf64>) outs(%a : tensor<4xf64>) -> tensor<4xf64>
  %6 = linalg.square ins(%5 : tensor<4xf64>) outs(%a : tensor<4xf64>) -> tensor<4xf64>
  %7 = linalg.reciprocal ins(%6 : tensor<4xf64>) outs(%a : tensor<4xf64>) -> tensor<4xf64>
  %8 = linalg.erf ins(%7 : tensor<4xf64>) outs(%a : tensor<4xf64>) -> tensor<4xf64>
  %9 = linalg.powf ins(%a, %8 : tensor<4xf64>, tensor<4xf64>) outs(%a : tensor<4xf64>) -> tensor<4xf64>
  %10 = linalg.floor ins(%a : tensor<4xf64>) outs(%a : tensor<4xf64>) -> tensor<4xf64>
  %11 = linalg.ceil ins(%a : tensor<4xf64>) outs(%a : tensor<4xf64>) -> tensor<4xf64>
  %12 = linalg.round ins(%a : tensor<4xf64>) outs(%a : tensor<4xf64>) -> tensor<4xf64>
  %13 = linalg.add ins(%10, %11 : tensor<4xf64>, tensor<4xf64>) outs(%a : tensor<4xf64>) -> tensor<4xf64>
  %14 = linalg.mul ins(%13, %12 : tensor<4xf64>, tensor<4xf64>) outs(%a : tensor<4xf64>) -> tensor<4xf64>
  %15 = linalg.mul ins(%14, %a : tensor<4xf64>, tensor<4xf64>) outs(%a : tensor<4xf64>) -> tensor<4xf64>
  return %3, %9, %15 : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
}

func.func @functions_f32(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.log ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.mul ins(%0, %a : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.tanh ins(%1 : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// By kind, with a transposed operand; extrema away from ties; a selection.
func.func @kinds(%a: tensor<2x3xf64>, %b: tensor<2x3xf64>) -> (tensor<3x2xf64>, tensor<2x3xf64>, tensor<2x3xf64>) {
  %e = tensor.empty() : tensor<3x2xf64>
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<mul>
      indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>]
      ins(%a, %b : tensor<2x3xf64>, tensor<2x3xf64>) outs(%e : tensor<3x2xf64>) -> tensor<3x2xf64>
  %1 = linalg.max ins(%a, %b : tensor<2x3xf64>, tensor<2x3xf64>) outs(%a : tensor<2x3xf64>) -> tensor<2x3xf64>
  %2 = linalg.min ins(%a, %b : tensor<2x3xf64>, tensor<2x3xf64>) outs(%a : tensor<2x3xf64>) -> tensor<2x3xf64>
  %c = arith.cmpf olt, %a, %b : tensor<2x3xf64>
  %3 = linalg.select ins(%c, %1, %a : tensor<2x3xi1>, tensor<2x3xf64>, tensor<2x3xf64>) outs(%a : tensor<2x3xf64>) -> tensor<2x3xf64>
  %4 = linalg.mul ins(%2, %3 : tensor<2x3xf64>, tensor<2x3xf64>) outs(%a : tensor<2x3xf64>) -> tensor<2x3xf64>
  return %0, %3, %4 : tensor<3x2xf64>, tensor<2x3xf64>, tensor<2x3xf64>
}

// A row that is broadcast, and a scalar from outside [F42].
func.func @broadcast(%a: tensor<?x?xf64>, %b: tensor<?xf64>, %s: f64) -> tensor<?x?xf64> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<?x?xf64>, tensor<?xf64>) outs(%a : tensor<?x?xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %p = math.exp %x : f64
    %q = arith.mulf %p, %y : f64
    %r = arith.mulf %q, %s : f64
    linalg.yield %r : f64
  } -> tensor<?x?xf64>
  return %0 : tensor<?x?xf64>
}
func.func @broadcast_gradient(%a: tensor<?x?xf64>, %b: tensor<?xf64>, %s: f64) -> (tensor<?x?xf64>, tensor<?xf64>, f64) {
  %r:4 = ad.vjp @broadcast(%a, %b, %s) seed(%a) : (tensor<?x?xf64>, tensor<?xf64>, f64), (tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?xf64>, f64)
  return %r#1, %r#2, %r#3 : tensor<?x?xf64>, tensor<?xf64>, f64
}

func.func @rearrange(%a: tensor<2x3xf64>, %v: tensor<2xf64>) -> (tensor<3x2xf64>, tensor<2x3xf64>, tensor<2x3xf64>) {
  %e = tensor.empty() : tensor<3x2xf64>
  %0 = linalg.transpose ins(%a : tensor<2x3xf64>) outs(%e : tensor<3x2xf64>) permutation = [1, 0]
  %1 = linalg.broadcast ins(%v : tensor<2xf64>) outs(%a : tensor<2x3xf64>) dimensions = [1]
  %2 = linalg.copy ins(%1 : tensor<2x3xf64>) outs(%a : tensor<2x3xf64>) -> tensor<2x3xf64>
  %3 = arith.mulf %0, %0 : tensor<3x2xf64>
  %4 = arith.mulf %2, %a : tensor<2x3xf64>
  return %3, %1, %4 : tensor<3x2xf64>, tensor<2x3xf64>, tensor<2x3xf64>
}

// Every element of the output is made once, from what was there.
func.func @in_place(%a: tensor<2x3xf64>, %b: tensor<2x3xf64>) -> tensor<2x3xf64> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<2x3xf64>) outs(%b : tensor<2x3xf64>) {
  ^bb0(%x: f64, %o: f64):
    %p = math.sin %o : f64
    %q = arith.mulf %p, %x : f64
    linalg.yield %q : f64
  } -> tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}

func.func @map(%a: tensor<2x3xf64>, %b: tensor<2x3xf64>, %s: f64) -> tensor<2x3xf64> {
  %0 = linalg.map ins(%a, %b : tensor<2x3xf64>, tensor<2x3xf64>) outs(%a : tensor<2x3xf64>)
    (%x: f64, %y: f64, %o: f64) {
      %p = arith.mulf %x, %y : f64
      %q = arith.addf %p, %s : f64
      %r = math.cos %q : f64
      linalg.yield %r : f64
    }
  return %0 : tensor<2x3xf64>
}

// An index that occurs twice, and one that is constant.
func.func @diagonal(%a: tensor<3x3xf64>) -> tensor<3xf64> {
  %e = tensor.empty() : tensor<3xf64>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i, i)>, affine_map<(i) -> (1, i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a, %a : tensor<3x3xf64>, tensor<3x3xf64>) outs(%e : tensor<3xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %p = arith.mulf %x, %y : f64
    linalg.yield %p : f64
  } -> tensor<3xf64>
  return %0 : tensor<3xf64>
}
func.func @diagonal_gradient(%a: tensor<3x3xf64>) -> tensor<3x3xf64> {
  %seed = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %r:2 = ad.vjp @diagonal(%a) seed(%seed) : (tensor<3x3xf64>), (tensor<3xf64>) -> (tensor<3xf64>, tensor<3x3xf64>)
  return %r#1 : tensor<3x3xf64>
}

// Two reads of one operand in one group.
func.func @plus_transposed(%a: tensor<3x3xf64>) -> tensor<3x3xf64> {
  %e = tensor.empty() : tensor<3x3xf64>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %a : tensor<3x3xf64>, tensor<3x3xf64>) outs(%e : tensor<3x3xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %p = math.exp %x : f64
    %q = arith.mulf %p, %y : f64
    linalg.yield %q : f64
  } -> tensor<3x3xf64>
  return %0 : tensor<3x3xf64>
}

// The position is an operand, and decides.
func.func @positions(%a: tensor<2x3xf64>) -> tensor<3x2xf64> {
  %e = tensor.empty() : tensor<3x2xf64>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<2x3xf64>) outs(%e : tensor<3x2xf64>) {
  ^bb0(%x: f64, %o: f64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.addi %i, %j : index
    %n = arith.index_cast %k : index to i64
    %f = arith.sitofp %n : i64 to f64
    %p = arith.mulf %x, %f : f64
    %upper = arith.cmpi ult, %i, %j : index
    %r = scf.if %upper -> f64 {
      %s = math.sin %p : f64
      scf.yield %s : f64
    } else {
      scf.yield %p : f64
    }
    linalg.yield %r : f64
  } -> tensor<3x2xf64>
  return %0 : tensor<3x2xf64>
}

// Sums: along one dimension, of a function, with a difference, by a fused operation.
func.func @sums(%a: tensor<?x3xf64>, %v: tensor<?xf64>) -> (tensor<?xf64>, tensor<f64>, tensor<?xf64>) {
  %0 = linalg.reduce {arith.addf} ins(%a : tensor<?x3xf64>) outs(%v : tensor<?xf64>) dimensions = [1]
  %zero = arith.constant dense<0.0> : tensor<f64>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%a : tensor<?x3xf64>) outs(%zero : tensor<f64>) {
  ^bb0(%x: f64, %o: f64):
    %p = math.exp %x : f64
    %q = arith.subf %o, %p : f64
    %r = arith.addf %x, %q : f64
    linalg.yield %r : f64
  } -> tensor<f64>
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<?x3xf64>) outs(%v : tensor<?xf64>) {
  ^bb0(%x: f64, %o: f64):
    %q = math.fma %x, %x, %o : f64
    linalg.yield %q : f64
  } -> tensor<?xf64>
  return %0, %1, %2 : tensor<?xf64>, tensor<f64>, tensor<?xf64>
}

// A sum and an array by one operation; an integer result beside them.
func.func @two_results(%a: tensor<2x3xf64>, %v: tensor<2xf64>) -> (tensor<2xf64>, tensor<2x3xf64>) {
  %e = tensor.empty() : tensor<2x3xf64>
  %n = arith.constant dense<0> : tensor<2xi64>
  %0:3 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<2x3xf64>) outs(%v, %e, %n : tensor<2xf64>, tensor<2x3xf64>, tensor<2xi64>) {
  ^bb0(%x: f64, %o: f64, %u: f64, %k: i64):
    %one = arith.constant 1 : i64
    %p = math.exp %x : f64
    %q = arith.addf %o, %p : f64
    %r = arith.mulf %p, %x : f64
    %l = arith.addi %k, %one : i64
    linalg.yield %q, %r, %l : f64, f64, i64
  } -> (tensor<2xf64>, tensor<2x3xf64>, tensor<2xi64>)
  return %0#0, %0#1 : tensor<2xf64>, tensor<2x3xf64>
}
func.func @two_results_gradient(%a: tensor<2x3xf64>, %v: tensor<2xf64>) -> (tensor<2x3xf64>, tensor<2xf64>) {
  %r:4 = ad.vjp @two_results(%a, %v) seed(%v, %a) : (tensor<2x3xf64>, tensor<2xf64>), (tensor<2xf64>, tensor<2x3xf64>)
      -> (tensor<2xf64>, tensor<2x3xf64>, tensor<2x3xf64>, tensor<2xf64>)
  return %r#2, %r#3 : tensor<2x3xf64>, tensor<2xf64>
}

// One operation of several results, whose short form does not parse.
func.func @several_results(%a: tensor<2xf64>) -> tensor<2xf64> {
  %out = tensor.empty() : tensor<2xf64>
  %r = linalg.map ins(%a : tensor<2xf64>) outs(%out : tensor<2xf64>) (%x: f64, %o: f64) {
    %sin, %cos = math.sincos %x : f64
    linalg.yield %sin : f64
  }
  return %r : tensor<2xf64>
}
