// Structural operators keep their derivatives in both modes: concat, replicate, reshape,
// rotate, transpose, iota, gather, slices, branches with arrays, integer parts that are
// left alone, and flattened nests. CHECKLIST FP10.
// RUN: %python %S/../../driver/Inputs/npy.py %t.x4.npy '<f8' '(4,)' 0.5 1.5 -0.7 2.1
// RUN: %python %S/../../driver/Inputs/npy.py %t.x1.npy '<f8' '(1,)' 0.5
// RUN: %python %S/../../driver/Inputs/npy.py %t.x0.npy '<f8' '(0,)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.m23.npy '<f8' '(2,3)' 0.5 1.5 -0.7 2.1 0.4 0.3
// RUN: %python %S/../../driver/Inputs/npy.py %t.m03.npy '<f8' '(0,3)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.i3.npy '<i8' '(3,)' 2 0 2
// RUN: ad-opt check %s --entry=rotate --input=%t.x4.npy --input=3
// RUN: ad-opt check %s --entry=rotate --input=%t.x4.npy --input=3 --engine=interpreter
// RUN: ad-opt check %s --entry=rotate --input=%t.x1.npy --input=3
// RUN: ad-opt check %s --entry=rotate --input=%t.x0.npy --input=3
// RUN: ad-opt check %s --entry=halves --input=%t.x4.npy --input=1
// RUN: ad-opt check %s --entry=halves --input=%t.x4.npy --input=4 --engine=interpreter
// RUN: ad-opt check %s --entry=transpose --input=%t.m23.npy
// RUN: ad-opt check %s --entry=transpose --input=%t.m23.npy --engine=interpreter
// RUN: ad-opt check %s --entry=transpose --input=%t.m03.npy
// RUN: ad-opt check %s --entry=replicate --input=%t.x4.npy --input=3
// RUN: ad-opt check %s --entry=replicate --input=%t.x4.npy --input=0 --engine=interpreter
// RUN: ad-opt check %s --entry=gather --input=%t.x4.npy --input=%t.i3.npy
// RUN: ad-opt check %s --entry=gather --input=%t.x4.npy --input=%t.i3.npy --engine=interpreter
// RUN: ad-opt check %s --entry=branch --input=%t.x4.npy --input=true
// RUN: ad-opt check %s --entry=branch --input=%t.x4.npy --input=false --engine=interpreter
// RUN: ad-opt check %s --entry=flat --input=%t.m23.npy
// RUN: ad-opt check %s --entry=flat --input=%t.m23.npy --engine=interpreter
// RUN: ad-opt check %s --entry=flat --input=%t.m03.npy
// RUN: ad-opt check %s --entry=second --input=%t.m23.npy

// x[(i + k) mod n]
func.func @rotate(%x: tensor<?xf64>, %k: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %is = soac.iota %n : tensor<?xindex>
  %y = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %0 = arith.addi %i, %k : index
    %j = arith.remui %0, %n : index
    %e = tensor.extract %x[%j] : tensor<?xf64>
    %f = arith.index_cast %i : index to i64
    %g = arith.sitofp %f : i64 to f64
    %h = arith.mulf %e, %g : f64
    %s = math.sin %h : f64
    soac.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// Rotated by two slices put together.
func.func @halves(%x: tensor<?xf64>, %k: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %m = arith.subi %n, %k : index
  %a = tensor.extract_slice %x[%k] [%m] [1] : tensor<?xf64> to tensor<?xf64>
  %b = tensor.extract_slice %x[0] [%k] [1] : tensor<?xf64> to tensor<?xf64>
  %c = tensor.concat dim(0) %a, %b : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %q = math.exp %c : tensor<?xf64>
  return %q : tensor<?xf64>
}

func.func @transpose(%m: tensor<?x3xf64>) -> tensor<3x?xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %m, %c0 : tensor<?x3xf64>
  %is = soac.iota %n : tensor<?xindex>
  %js = soac.iota : tensor<3xindex>
  %t = soac.map ins(%js : tensor<3xindex>) (%j: index) -> tensor<3x?xf64> {
    %row = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
      %e = tensor.extract %m[%i, %j] : tensor<?x3xf64>
      %q = arith.mulf %e, %e : f64
      soac.yield %q : f64
    }
    soac.yield %row : tensor<?xf64>
  }
  return %t : tensor<3x?xf64>
}

func.func @replicate(%x: tensor<?xf64>, %n: index) -> tensor<?x?xf64> {
  %y = soac.replicate %x, %n : tensor<?xf64> -> tensor<?x?xf64>
  %q = arith.mulf %y, %y : tensor<?x?xf64>
  return %q : tensor<?x?xf64>
}

// Integers come back as they were.
func.func @gather(%x: tensor<?xf64>, %is: tensor<3xi64>) -> (tensor<3xf64>, tensor<3xi64>) {
  %y:2 = soac.map ins(%is : tensor<3xi64>) (%i: i64) -> (tensor<3xf64>, tensor<3xi64>) {
    %j = arith.index_cast %i : i64 to index
    %e = tensor.extract %x[%j] : tensor<?xf64>
    %q = arith.mulf %e, %e : f64
    %k = arith.addi %i, %i : i64
    soac.yield %q, %k : f64, i64
  }
  return %y#0, %y#1 : tensor<3xf64>, tensor<3xi64>
}

func.func @branch(%x: tensor<?xf64>, %c: i1) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:2 = scf.if %c -> (tensor<?xf64>, tensor<?xf64>) {
    %q = arith.mulf %x, %x : tensor<?xf64>
    scf.yield %q, %x : tensor<?xf64>, tensor<?xf64>
  } else {
    %e = math.exp %x : tensor<?xf64>
    scf.yield %x, %e : tensor<?xf64>, tensor<?xf64>
  }
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}

// A map of maps, flattened: row i is repeated with each of its elements added.
func.func @flat(%m: tensor<?x3xf64>) -> tensor<?xf64> {
  %nest = soac.map ins(%m : tensor<?x3xf64>) (%row: tensor<3xf64>) -> tensor<?x3x3xf64> {
    %inner = soac.map ins(%row : tensor<3xf64>) (%e: f64) -> tensor<3x3xf64> {
      %es = tensor.splat %e : tensor<3xf64>
      %s = arith.mulf %row, %es : tensor<3xf64>
      soac.yield %s : tensor<3xf64>
    }
    soac.yield %inner : tensor<3x3xf64>
  }
  %flat = tensor.collapse_shape %nest [[0, 1, 2]] : tensor<?x3x3xf64> into tensor<?xf64>
  %t = math.tanh %flat : tensor<?xf64>
  return %t : tensor<?xf64>
}

// Second order.
func.func @second(%m: tensor<?x3xf64>) -> tensor<?x3xf64> {
  %s = func.call @flat(%m) : (tensor<?x3xf64>) -> tensor<?xf64>
  %r:2 = ad.vjp @flat(%m) seed(%s) : (tensor<?x3xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?x3xf64>)
  return %r#1 : tensor<?x3xf64>
}
