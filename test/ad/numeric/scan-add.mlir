// Derivatives of soac.scan with + agree with central differences and with each other [F37],
// in all directions, with rows, and for sizes 0 and 1.
// RUN: %python %S/../../driver/Inputs/npy.py %t.x4.npy '<f8' '(4,)' 0.5 1.5 -0.7 2.1
// RUN: %python %S/../../driver/Inputs/npy.py %t.f4.npy '<f4' '(4,)' 0.5 1.5 -0.7 2.1
// RUN: %python %S/../../driver/Inputs/npy.py %t.x0.npy '<f8' '(0,)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.x1.npy '<f8' '(1,)' 0.6
// RUN: %python %S/../../driver/Inputs/npy.py %t.m23.npy '<f8' '(2,3)' 0.5 1.5 -0.7 2.1 0.4 0.3
// RUN: %python %S/../../driver/Inputs/npy.py %t.m03.npy '<f8' '(0,3)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.v3.npy '<f8' '(3,)' 0.5 1.5 -0.7
// RUN: ad-opt check %s --entry=sums_in --input=%t.x4.npy --input=0.0
// RUN: ad-opt check %s --entry=sums_in_rev --input=%t.x4.npy --input=0.0
// RUN: ad-opt check %s --entry=sums_ex --input=%t.x4.npy --input=0.0
// RUN: ad-opt check %s --entry=sums_ex_rev --input=%t.x4.npy --input=0.0
// RUN: ad-opt check %s --entry=sums_in --input=%t.x0.npy --input=0.0
// RUN: ad-opt check %s --entry=sums_in --input=%t.x1.npy --input=0.0
// RUN: ad-opt check %s --entry=sums_ex_rev --input=%t.x0.npy --input=0.0
// RUN: ad-opt check %s --entry=sums_ex_rev --input=%t.x1.npy --input=0.0
// RUN: ad-opt check %s --entry=narrow --input=%t.f4.npy
// RUN: ad-opt check %s --entry=rows --input=%t.m23.npy --input=%t.v3.npy
// RUN: ad-opt check %s --entry=rows --input=%t.m03.npy --input=%t.v3.npy
// RUN: ad-opt check %s --entry=rows_of_a_map --input=%t.m23.npy
// RUN: ad-opt check %s --entry=gradient --input=%t.x4.npy

func.func @sums_in(%xs: tensor<?xf64>, %e: f64) -> tensor<?xf64> {
  %ys = soac.scan ins(%xs : tensor<?xf64>) neutral(%e : f64) (%l: f64, %r: f64) {
    %0 = arith.addf %l, %r : f64
    soac.yield %0 : f64
  }
  return %ys : tensor<?xf64>
}

func.func @sums_in_rev(%xs: tensor<?xf64>, %e: f64) -> tensor<?xf64> {
  %ys = soac.scan ins(%xs : tensor<?xf64>) neutral(%e : f64) (%l: f64, %r: f64) attributes {reverse} {
    %0 = arith.addf %l, %r : f64
    soac.yield %0 : f64
  }
  return %ys : tensor<?xf64>
}

func.func @sums_ex(%xs: tensor<?xf64>, %e: f64) -> tensor<?xf64> {
  %ys = soac.scan ins(%xs : tensor<?xf64>) neutral(%e : f64) (%l: f64, %r: f64) attributes {exclusive} {
    %0 = arith.addf %l, %r : f64
    soac.yield %0 : f64
  }
  return %ys : tensor<?xf64>
}

func.func @sums_ex_rev(%xs: tensor<?xf64>, %e: f64) -> tensor<?xf64> {
  %ys = soac.scan ins(%xs : tensor<?xf64>) neutral(%e : f64) (%l: f64, %r: f64) attributes {exclusive, reverse} {
    %0 = arith.addf %l, %r : f64
    soac.yield %0 : f64
  }
  return %ys : tensor<?xf64>
}

func.func @narrow(%xs: tensor<?xf32>) -> tensor<?xf32> {
  %e = arith.constant 0.0 : f32
  %ys = soac.scan ins(%xs : tensor<?xf32>) neutral(%e : f32) (%l: f32, %r: f32) {
    %0 = arith.addf %r, %l : f32
    soac.yield %0 : f32
  }
  return %ys : tensor<?xf32>
}
func.func @rows(%m: tensor<?x3xf64>, %e: tensor<3xf64>) -> tensor<?x3xf64> {
  %ys = soac.scan ins(%m : tensor<?x3xf64>) neutral(%e : tensor<3xf64>)
      (%l: tensor<3xf64>, %r: tensor<3xf64>) {
    %0 = arith.addf %l, %r : tensor<3xf64>
    soac.yield %0 : tensor<3xf64>
  }
  return %ys : tensor<?x3xf64>
}
func.func @rows_of_a_map(%m: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %d = tensor.dim %m, %c1 : tensor<?x?xf64>
  %e = soac.replicate %zero, %d : f64 -> tensor<?xf64>
  %ys = soac.scan ins(%m : tensor<?x?xf64>) neutral(%e : tensor<?xf64>)
      (%l: tensor<?xf64>, %r: tensor<?xf64>) attributes {reverse} {
    %0 = soac.map ins(%l, %r : tensor<?xf64>, tensor<?xf64>) (%u: f64, %v: f64) -> tensor<?xf64> {
      %1 = arith.addf %u, %v : f64
      soac.yield %1 : f64
    }
    soac.yield %0 : tensor<?xf64>
  }
  return %ys : tensor<?x?xf64>
}
// Second order: of the sum of squares of the sums.
func.func private @squares(%xs: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %ys = soac.scan ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %0 = arith.addf %l, %r : f64
    soac.yield %0 : f64
  }
  %s = soac.reduce ins(%ys : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %0 = arith.addf %l, %r : f64
    soac.yield %0 : f64
  }
  %t = arith.mulf %s, %s : f64
  return %t : f64
}
func.func @gradient(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @squares(%xs) seed(%one) : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
