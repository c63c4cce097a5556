// Derivatives of soac.map agree with central differences and with each other.
// RUN: %python %S/../../driver/Inputs/npy.py %t.x4.npy '<f8' '(4,)' 0.5 1.5 -0.7 2.1
// RUN: %python %S/../../driver/Inputs/npy.py %t.x0.npy '<f8' '(0,)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.i5.npy '<i8' '(5,)' 3 0 3 1 0
// RUN: %python %S/../../driver/Inputs/npy.py %t.i0.npy '<i8' '(0,)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.y4f.npy '<f4' '(4,)' 1.25 0.5 0.75 -1.5
// RUN: %python %S/../../driver/Inputs/npy.py %t.j4.npy '<i4' '(4,)' 1 2 3 4
// RUN: ad-opt check %s --entry=closed --input=%t.x4.npy
// RUN: ad-opt check %s --entry=closed --input=%t.x0.npy
// RUN: ad-opt check %s --entry=free_scalar --input=1.5 --input=%t.x4.npy
// RUN: ad-opt check %s --entry=free_scalar --input=1.5 --input=%t.x0.npy
// RUN: ad-opt check %s --entry=gather --input=%t.x4.npy --input=%t.i5.npy
// RUN: ad-opt check %s --entry=gather --input=%t.x4.npy --input=%t.i0.npy
// RUN: ad-opt check %s --entry=variadic --input=%t.x4.npy --input=%t.y4f.npy --input=%t.j4.npy

// Without free variables: a single map [F41].
func.func @closed(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = math.exp %x : f64
    soac.yield %y : f64
  }
  return %ys : tensor<?xf64>
}

// A free scalar is bound per iteration, then summed [F42].
func.func @free_scalar(%c: f64, %xs: tensor<?xf64>) -> tensor<?xf64> {
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = arith.mulf %x, %c : f64
    soac.yield %y : f64
  }
  return %ys : tensor<?xf64>
}

// A free array becomes an accumulator; a gather's adjoint is an accumulation [F43].
func.func @gather(%xs: tensor<?xf64>, %is: tensor<?xindex>) -> tensor<?xf64> {
  %ys = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %y = math.exp %x : f64
    soac.yield %y : f64
  }
  return %ys : tensor<?xf64>
}

// Several inputs and results, one of them of integers [F05].
func.func @variadic(%xs: tensor<4xf64>, %ys: tensor<4xf32>, %is: tensor<4xi32>) -> (tensor<4xf64>, tensor<4xi32>, tensor<4xf32>) {
  %c1 = arith.constant 1 : i32
  %r:3 = soac.map ins(%xs, %ys, %is : tensor<4xf64>, tensor<4xf32>, tensor<4xi32>) (%x: f64, %y: f32, %i: i32) -> (tensor<4xf64>, tensor<4xi32>, tensor<4xf32>) {
    %w = arith.extf %y : f32 to f64
    %p = arith.mulf %x, %w : f64
    %j = arith.addi %i, %c1 : i32
    %q = arith.mulf %y, %y : f32
    soac.yield %p, %j, %q : f64, i32, f32
  }
  return %r#0, %r#1, %r#2 : tensor<4xf64>, tensor<4xi32>, tensor<4xf32>
}
