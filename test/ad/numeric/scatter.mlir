// Derivatives of soac.scatter agree with central differences and with each other
// [F38]; duplicates have a defined value and derivative [F40].
// RUN: %python %S/../../driver/Inputs/npy.py %t.x4.npy '<f8' '(4,)' 0.5 1.5 -0.7 2.1
// RUN: %python %S/../../driver/Inputs/npy.py %t.v3.npy '<f8' '(3,)' 1.25 -0.5 0.75
// RUN: %python %S/../../driver/Inputs/npy.py %t.v1.npy '<f8' '(1,)' 1.25
// RUN: %python %S/../../driver/Inputs/npy.py %t.v0.npy '<f8' '(0,)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.i3.npy '<i8' '(3,)' 3 0 2
// RUN: %python %S/../../driver/Inputs/npy.py %t.twice.npy '<i8' '(3,)' 2 0 2
// RUN: %python %S/../../driver/Inputs/npy.py %t.out.npy '<i8' '(3,)' -1 4 1
// RUN: %python %S/../../driver/Inputs/npy.py %t.i1.npy '<i8' '(1,)' 2
// RUN: %python %S/../../driver/Inputs/npy.py %t.i0.npy '<i8' '(0,)'
// RUN: ad-opt check %s --entry=squares --input=%t.i3.npy --input=%t.v3.npy --input=%t.x4.npy
// RUN: ad-opt check %s --entry=squares --input=%t.twice.npy --input=%t.v3.npy --input=%t.x4.npy
// RUN: ad-opt check %s --entry=squares --input=%t.out.npy --input=%t.v3.npy --input=%t.x4.npy
// RUN: ad-opt check %s --entry=squares --input=%t.i1.npy --input=%t.v1.npy --input=%t.x4.npy
// RUN: ad-opt check %s --entry=squares --input=%t.i0.npy --input=%t.v0.npy --input=%t.x4.npy
// RUN: ad-opt check %s --entry=squares --input=%t.i1.npy --input=%t.v1.npy --input=%t.v0.npy
// RUN: ad-opt check %s --entry=squares --engine=interpreter --input=%t.twice.npy --input=%t.v3.npy --input=%t.x4.npy
// RUN: ad-opt check %s --entry=gradient --input=%t.twice.npy --input=%t.v3.npy --input=%t.x4.npy
// RUN: ad-opt check %s --entry=gradient --engine=interpreter --input=%t.twice.npy --input=%t.v3.npy --input=%t.x4.npy
// RUN: %python %S/../../driver/Inputs/npy.py %t.r.npy '<f4' '(3,2)' 0.5 1.5 -0.7 2.1 0.3 0.9
// RUN: %python %S/../../driver/Inputs/npy.py %t.d.npy '<f4' '(2,2,2)' 1 2 3 4 5 6 7 8
// RUN: %python %S/../../driver/Inputs/npy.py %t.j3.npy '<i4' '(3,)' 0 1 0
// RUN: ad-opt check %s --entry=rows --input=%t.j3.npy --input=%t.j3.npy --input=%t.r.npy --input=%t.d.npy
// RUN: ad-opt check %s --entry=loop --input=%t.twice.npy --input=%t.v3.npy --input=%t.x4.npy
// RUN: ad-opt check %s --entry=in_map --input=%t.twice.npy --input=%t.v3.npy --input=%t.x4.npy
// RUN: ad-opt check %s --entry=in_map --engine=interpreter --input=%t.twice.npy --input=%t.v3.npy --input=%t.x4.npy
// RUN: ad-opt run %s --entry=values | FileCheck %s

// A map in front of the scatter and one behind it [FP7].
func.func @squares(%is: tensor<?xindex>, %vs: tensor<?xf64>, %xs: tensor<?xf64>) -> tensor<?xf64> {
  %ws = soac.map ins(%vs : tensor<?xf64>) (%v: f64) -> tensor<?xf64> {
    %w = math.sin %v : f64
    soac.yield %w : f64
  }
  %ys = soac.scatter at(%is : tensor<?xindex>) ins(%ws : tensor<?xf64>) into(%xs : tensor<?xf64>)
  %zs = soac.map ins(%ys : tensor<?xf64>) (%y: f64) -> tensor<?xf64> {
    %z = arith.mulf %y, %y : f64
    soac.yield %z : f64
  }
  return %zs : tensor<?xf64>
}

// Second order: vjp of vjp and jvp of vjp.
func.func @gradient(%is: tensor<?xindex>, %vs: tensor<?xf64>, %xs: tensor<?xf64>)
    -> (tensor<?xf64>, tensor<?xf64>) {
  %r:3 = ad.vjp @squares(%is, %vs, %xs) seed(%xs)
      : (tensor<?xindex>, tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>)
      -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %r#1, %r#2 : tensor<?xf64>, tensor<?xf64>
}

func.func @rows(%is: tensor<?xi32>, %js: tensor<?xi32>, %vs: tensor<?x2xf32>, %xs: tensor<?x?x2xf32>)
    -> tensor<?x?x2xf32> {
  %ys = soac.scatter at(%is, %js : tensor<?xi32>, tensor<?xi32>) ins(%vs : tensor<?x2xf32>)
      into(%xs : tensor<?x?x2xf32>)
  return %ys : tensor<?x?x2xf32>
}

// A chain of updates in a loop; what is written depends on what was there.
func.func @loop(%is: tensor<?xindex>, %vs: tensor<?xf64>, %xs: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %ys = scf.for %k = %c0 to %c3 step %c1 iter_args(%ys = %xs) -> tensor<?xf64> {
    %old = tensor.extract %ys[%k] : tensor<?xf64>
    %ws = soac.map ins(%vs : tensor<?xf64>) (%v: f64) -> tensor<?xf64> {
      %w = arith.mulf %v, %old : f64
      soac.yield %w : f64
    }
    %zs = soac.scatter at(%is : tensor<?xindex>) ins(%ws : tensor<?xf64>) into(%ys : tensor<?xf64>)
    scf.yield %zs : tensor<?xf64>
  }
  return %ys : tensor<?xf64>
}

func.func @in_map(%is: tensor<?xindex>, %vs: tensor<?xf64>, %xs: tensor<?xf64>) -> tensor<?x4xf64> {
  %n = arith.constant 3 : index
  %ms = soac.map ins(%vs : tensor<?xf64>) (%u: f64) -> tensor<?x4xf64> {
    %ws = soac.map ins(%vs : tensor<?xf64>) (%v: f64) -> tensor<?xf64> {
      %w = arith.mulf %v, %u : f64
      soac.yield %w : f64
    }
    %four = tensor.cast %xs : tensor<?xf64> to tensor<4xf64>
    %ys = soac.scatter at(%is : tensor<?xindex>) ins(%ws : tensor<?xf64>) into(%four : tensor<4xf64>)
    soac.yield %ys : tensor<4xf64>
  }
  return %ms : tensor<?x4xf64>
}

func.func @plain(%is: tensor<5xindex>, %vs: tensor<5xf64>, %xs: tensor<3xf64>) -> tensor<3xf64> {
  %ys = soac.scatter at(%is : tensor<5xindex>) ins(%vs : tensor<5xf64>) into(%xs : tensor<3xf64>)
  return %ys : tensor<3xf64>
}

// Indices 2, -1, 0, 3, 2: the last value wins at 2, two indices are out of range.
// The cotangents 7, 8, 9 go to the third and the last value; xs keeps 8 at 1.
func.func @values() -> (tensor<3xf64>, tensor<5xf64>, tensor<3xf64>) {
  %is = arith.constant dense<[2, -1, 0, 3, 2]> : tensor<5xindex>
  %vs = arith.constant dense<[10.0, 20.0, 30.0, 40.0, 50.0]> : tensor<5xf64>
  %xs = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %seed = arith.constant dense<[7.0, 8.0, 9.0]> : tensor<3xf64>
  %r:3 = ad.vjp @plain(%is, %vs, %xs) seed(%seed)
      : (tensor<5xindex>, tensor<5xf64>, tensor<3xf64>), (tensor<3xf64>)
      -> (tensor<3xf64>, tensor<5xf64>, tensor<3xf64>)
  return %r#0, %r#1, %r#2 : tensor<3xf64>, tensor<5xf64>, tensor<3xf64>
}
// CHECK: [30.0, 2.0, 50.0]
// CHECK-NEXT: [0.0, 0.0, 7.0, 0.0, 9.0]
// CHECK-NEXT: [0.0, 8.0, 0.0]
