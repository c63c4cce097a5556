// Derivatives of soac.scan with operators on scalars agree with central differences and with
// each other: one number, pairs, a dense and a block diagonal Jacobian, flags, free variables,
// neutral elements that move, in all directions, for sizes 0 and 1, and twice [F34, F35, FP2].
// RUN: %python %S/../../driver/Inputs/npy.py %t.x4.npy '<f8' '(4,)' 0.5 1.5 -0.7 2.1
// RUN: %python %S/../../driver/Inputs/npy.py %t.y4.npy '<f8' '(4,)' 1.2 0.3 0.9 -1.4
// RUN: %python %S/../../driver/Inputs/npy.py %t.z4.npy '<f8' '(4,)' -0.3 0.8 0.4 1.1
// RUN: %python %S/../../driver/Inputs/npy.py %t.w4.npy '<f8' '(4,)' 0.9 -0.2 1.3 0.7
// RUN: %python %S/../../driver/Inputs/npy.py %t.f4.npy '<f4' '(4,)' 0.5 1.5 -0.75 2.25
// RUN: %python %S/../../driver/Inputs/npy.py %t.x0.npy '<f8' '(0,)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.x1.npy '<f8' '(1,)' 0.6
// RUN: %python %S/../../driver/Inputs/npy.py %t.flags.npy '<i8' '(4,)' 0 0 1 0
// RUN: %python %S/../../driver/Inputs/npy.py %t.is.npy '<i8' '(4,)' 2 0 1 2
// RUN: ad-opt check %s --entry=mul_in --input=%t.x4.npy
// RUN: ad-opt check %s --entry=lin_in --input=%t.x4.npy --input=%t.y4.npy
// RUN: ad-opt check %s --entry=mul_in_rev --input=%t.x4.npy
// RUN: ad-opt check %s --entry=lin_in_rev --input=%t.x4.npy --input=%t.y4.npy
// RUN: ad-opt check %s --entry=mul_ex --input=%t.x4.npy
// RUN: ad-opt check %s --entry=lin_ex --input=%t.x4.npy --input=%t.y4.npy
// RUN: ad-opt check %s --entry=mul_ex_rev --input=%t.x4.npy
// RUN: ad-opt check %s --entry=lin_ex_rev --input=%t.x4.npy --input=%t.y4.npy
// RUN: ad-opt check %s --entry=mul_in --input=%t.x0.npy
// RUN: ad-opt check %s --entry=mul_in --input=%t.x1.npy
// RUN: ad-opt check %s --entry=mul_ex_rev --input=%t.x0.npy
// RUN: ad-opt check %s --entry=mul_ex_rev --input=%t.x1.npy
// RUN: ad-opt check %s --entry=lin_ex --input=%t.x0.npy --input=%t.x0.npy
// RUN: ad-opt check %s --entry=lin_ex --input=%t.x1.npy --input=%t.x1.npy
// RUN: ad-opt check %s --entry=lin_in_rev --input=%t.x0.npy --input=%t.x0.npy
// RUN: ad-opt check %s --entry=lin_in_rev --input=%t.x1.npy --input=%t.x1.npy
// RUN: ad-opt check %s --entry=quaternions --input=%t.x4.npy --input=%t.y4.npy --input=%t.z4.npy --input=%t.w4.npy
// RUN: ad-opt check %s --entry=quaternions --input=%t.x1.npy --input=%t.x1.npy --input=%t.x1.npy --input=%t.x1.npy
// RUN: ad-opt check %s --entry=matrices --input=%t.x4.npy --input=%t.y4.npy --input=%t.z4.npy --input=%t.w4.npy
// RUN: ad-opt check %s --entry=narrow --input=%t.f4.npy
// RUN: ad-opt check %s --entry=moving_in --input=%t.x4.npy --input=1.0
// RUN: ad-opt check %s --entry=moving_in --input=%t.x1.npy --input=1.0
// RUN: ad-opt check %s --entry=moving_in --input=%t.x0.npy --input=1.0
// RUN: ad-opt check %s --entry=moving_ex_rev --input=%t.x4.npy --input=1.0
// RUN: ad-opt check %s --entry=moving_ex_rev --input=%t.x1.npy --input=1.0
// RUN: ad-opt check %s --entry=moving_ex_rev --input=%t.x0.npy --input=1.0
// RUN: ad-opt check %s --entry=scaled_in --input=%t.x4.npy --input=0.3
// RUN: ad-opt check %s --entry=scaled_in --input=%t.x1.npy --input=0.3
// RUN: ad-opt check %s --entry=scaled_in --input=%t.x0.npy --input=0.3
// RUN: ad-opt check %s --entry=scaled_ex_rev --input=%t.x4.npy --input=0.3
// RUN: ad-opt check %s --entry=scaled_ex_rev --input=%t.x1.npy --input=0.3
// RUN: ad-opt check %s --entry=scaled_ex_rev --input=%t.x0.npy --input=0.3
// RUN: ad-opt check %s --entry=gathered --input=%t.x4.npy --input=%t.is.npy --input=%t.y4.npy --input=2
// RUN: ad-opt check %s --entry=segments --input=%t.flags.npy --input=%t.x4.npy
// RUN: ad-opt check %s --entry=pullback --input=%t.x4.npy --input=%t.y4.npy
// RUN: ad-opt check %s --entry=pushforward --input=%t.x4.npy --input=%t.y4.npy
// RUN: ad-opt check %s --entry=lin_pullback --input=%t.x4.npy --input=%t.y4.npy --input=%t.z4.npy

func.func @mul_in(%x0: tensor<?xf64>) -> (tensor<?xf64>) {
  %e0 = arith.constant 1.0 : f64
  %ys = soac.scan ins(%x0 : tensor<?xf64>) neutral(%e0 : f64)
      (%l0: f64, %r0: f64) {
    %0 = arith.mulf %l0, %r0 : f64
    soac.yield %0 : f64
  }
  return %ys : tensor<?xf64>
}

func.func @lin_in(%x0: tensor<?xf64>, %x1: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %e0 = arith.constant 0.0 : f64
  %e1 = arith.constant 1.0 : f64
  %ys:2 = soac.scan ins(%x0, %x1 : tensor<?xf64>, tensor<?xf64>) neutral(%e0, %e1 : f64, f64)
      (%l0: f64, %l1: f64, %r0: f64, %r1: f64) {
    %0 = arith.mulf %l1, %r0 : f64
    %1 = arith.addf %l0, %0 : f64
    %2 = arith.mulf %l1, %r1 : f64
    soac.yield %1, %2 : f64, f64
  }
  return %ys#0, %ys#1 : tensor<?xf64>, tensor<?xf64>
}

func.func @mul_in_rev(%x0: tensor<?xf64>) -> (tensor<?xf64>) {
  %e0 = arith.constant 1.0 : f64
  %ys = soac.scan ins(%x0 : tensor<?xf64>) neutral(%e0 : f64)
      (%l0: f64, %r0: f64) attributes {reverse} {
    %0 = arith.mulf %l0, %r0 : f64
    soac.yield %0 : f64
  }
  return %ys : tensor<?xf64>
}

func.func @lin_in_rev(%x0: tensor<?xf64>, %x1: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %e0 = arith.constant 0.0 : f64
  %e1 = arith.constant 1.0 : f64
  %ys:2 = soac.scan ins(%x0, %x1 : tensor<?xf64>, tensor<?xf64>) neutral(%e0, %e1 : f64, f64)
      (%l0: f64, %l1: f64, %r0: f64, %r1: f64) attributes {reverse} {
    %0 = arith.mulf %l1, %r0 : f64
    %1 = arith.addf %l0, %0 : f64
    %2 = arith.mulf %l1, %r1 : f64
    soac.yield %1, %2 : f64, f64
  }
  return %ys#0, %ys#1 : tensor<?xf64>, tensor<?xf64>
}

func.func @mul_ex(%x0: tensor<?xf64>) -> (tensor<?xf64>) {
  %e0 = arith.constant 1.0 : f64
  %ys = soac.scan ins(%x0 : tensor<?xf64>) neutral(%e0 : f64)
      (%l0: f64, %r0: f64) attributes {exclusive} {
    %0 = arith.mulf %l0, %r0 : f64
    soac.yield %0 : f64
  }
  return %ys : tensor<?xf64>
}

func.func @lin_ex(%x0: tensor<?xf64>, %x1: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %e0 = arith.constant 0.0 : f64
  %e1 = arith.constant 1.0 : f64
  %ys:2 = soac.scan ins(%x0, %x1 : tensor<?xf64>, tensor<?xf64>) neutral(%e0, %e1 : f64, f64)
      (%l0: f64, %l1: f64, %r0: f64, %r1: f64) attributes {exclusive} {
    %0 = arith.mulf %l1, %r0 : f64
    %1 = arith.addf %l0, %0 : f64
    %2 = arith.mulf %l1, %r1 : f64
    soac.yield %1, %2 : f64, f64
  }
  return %ys#0, %ys#1 : tensor<?xf64>, tensor<?xf64>
}

func.func @mul_ex_rev(%x0: tensor<?xf64>) -> (tensor<?xf64>) {
  %e0 = arith.constant 1.0 : f64
  %ys = soac.scan ins(%x0 : tensor<?xf64>) neutral(%e0 : f64)
      (%l0: f64, %r0: f64) attributes {exclusive, reverse} {
    %0 = arith.mulf %l0, %r0 : f64
    soac.yield %0 : f64
  }
  return %ys : tensor<?xf64>
}

func.func @lin_ex_rev(%x0: tensor<?xf64>, %x1: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %e0 = arith.constant 0.0 : f64
  %e1 = arith.constant 1.0 : f64
  %ys:2 = soac.scan ins(%x0, %x1 : tensor<?xf64>, tensor<?xf64>) neutral(%e0, %e1 : f64, f64)
      (%l0: f64, %l1: f64, %r0: f64, %r1: f64) attributes {exclusive, reverse} {
    %0 = arith.mulf %l1, %r0 : f64
    %1 = arith.addf %l0, %0 : f64
    %2 = arith.mulf %l1, %r1 : f64
    soac.yield %1, %2 : f64, f64
  }
  return %ys#0, %ys#1 : tensor<?xf64>, tensor<?xf64>
}

// Quaternions: a dense Jacobian.

func.func @quaternions(%x0: tensor<?xf64>, %x1: tensor<?xf64>, %x2: tensor<?xf64>, %x3: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %e0 = arith.constant 1.0 : f64
  %e1 = arith.constant 0.0 : f64
  %e2 = arith.constant 0.0 : f64
  %e3 = arith.constant 0.0 : f64
  %ys:4 = soac.scan ins(%x0, %x1, %x2, %x3 : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) neutral(%e0, %e1, %e2, %e3 : f64, f64, f64, f64)
      (%l0: f64, %l1: f64, %l2: f64, %l3: f64, %r0: f64, %r1: f64, %r2: f64, %r3: f64) {
    %p00 = arith.mulf %l0, %r0 : f64
    %p01 = arith.mulf %l1, %r1 : f64
    %s01 = arith.subf %p00, %p01 : f64
    %p02 = arith.mulf %l2, %r2 : f64
    %s02 = arith.subf %s01, %p02 : f64
    %p03 = arith.mulf %l3, %r3 : f64
    %s03 = arith.subf %s02, %p03 : f64
    %p10 = arith.mulf %l0, %r1 : f64
    %p11 = arith.mulf %l1, %r0 : f64
    %s11 = arith.addf %p10, %p11 : f64
    %p12 = arith.mulf %l2, %r3 : f64
    %s12 = arith.addf %s11, %p12 : f64
    %p13 = arith.mulf %l3, %r2 : f64
    %s13 = arith.subf %s12, %p13 : f64
    %p20 = arith.mulf %l0, %r2 : f64
    %p21 = arith.mulf %l1, %r3 : f64
    %s21 = arith.subf %p20, %p21 : f64
    %p22 = arith.mulf %l2, %r0 : f64
    %s22 = arith.addf %s21, %p22 : f64
    %p23 = arith.mulf %l3, %r1 : f64
    %s23 = arith.addf %s22, %p23 : f64
    %p30 = arith.mulf %l0, %r3 : f64
    %p31 = arith.mulf %l1, %r2 : f64
    %s31 = arith.addf %p30, %p31 : f64
    %p32 = arith.mulf %l2, %r1 : f64
    %s32 = arith.subf %s31, %p32 : f64
    %p33 = arith.mulf %l3, %r0 : f64
    %s33 = arith.addf %s32, %p33 : f64
    soac.yield %s03, %s13, %s23, %s33 : f64, f64, f64, f64
  }
  return %ys#0, %ys#1, %ys#2, %ys#3 : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

// Products of 2x2 matrices as tuples: two blocks with the same entries.

func.func @matrices(%x0: tensor<?xf64>, %x1: tensor<?xf64>, %x2: tensor<?xf64>, %x3: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %e0 = arith.constant 1.0 : f64
  %e1 = arith.constant 0.0 : f64
  %e2 = arith.constant 0.0 : f64
  %e3 = arith.constant 1.0 : f64
  %ys:4 = soac.scan ins(%x0, %x1, %x2, %x3 : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) neutral(%e0, %e1, %e2, %e3 : f64, f64, f64, f64)
      (%l0: f64, %l1: f64, %l2: f64, %l3: f64, %r0: f64, %r1: f64, %r2: f64, %r3: f64) attributes {exclusive, reverse} {
    %p000 = arith.mulf %l0, %r0 : f64
    %p001 = arith.mulf %l1, %r2 : f64
    %s001 = arith.addf %p000, %p001 : f64
    %p010 = arith.mulf %l0, %r1 : f64
    %p011 = arith.mulf %l1, %r3 : f64
    %s011 = arith.addf %p010, %p011 : f64
    %p100 = arith.mulf %l2, %r0 : f64
    %p101 = arith.mulf %l3, %r2 : f64
    %s101 = arith.addf %p100, %p101 : f64
    %p110 = arith.mulf %l2, %r1 : f64
    %p111 = arith.mulf %l3, %r3 : f64
    %s111 = arith.addf %p110, %p111 : f64
    soac.yield %s001, %s011, %s101, %s111 : f64, f64, f64, f64
  }
  return %ys#0, %ys#1, %ys#2, %ys#3 : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

func.func @narrow(%x0: tensor<?xf32>) -> (tensor<?xf32>) {
  %e0 = arith.constant 1.0 : f32
  %ys = soac.scan ins(%x0 : tensor<?xf32>) neutral(%e0 : f32)
      (%l0: f32, %r0: f32) {
    %0 = arith.mulf %l0, %r0 : f32
    soac.yield %0 : f32
  }
  return %ys : tensor<?xf32>
}

// The neutral element moves, and counts as used once.
func.func @moving_in(%x0: tensor<?xf64>, %e: f64) -> (tensor<?xf64>) {
  %ys = soac.scan ins(%x0 : tensor<?xf64>) neutral(%e : f64)
      (%l0: f64, %r0: f64) {
    %0 = arith.mulf %l0, %r0 : f64
    soac.yield %0 : f64
  }
  return %ys : tensor<?xf64>
}

func.func @moving_ex_rev(%x0: tensor<?xf64>, %e: f64) -> (tensor<?xf64>) {
  %ys = soac.scan ins(%x0 : tensor<?xf64>) neutral(%e : f64)
      (%l0: f64, %r0: f64) attributes {exclusive, reverse} {
    %0 = arith.mulf %l0, %r0 : f64
    soac.yield %0 : f64
  }
  return %ys : tensor<?xf64>
}

// l + r + k l r, with a free k.

func.func @scaled_in(%x0: tensor<?xf64>, %k: f64) -> (tensor<?xf64>) {
  %e0 = arith.constant 0.0 : f64
  %ys = soac.scan ins(%x0 : tensor<?xf64>) neutral(%e0 : f64)
      (%l0: f64, %r0: f64) {
    %0 = arith.mulf %l0, %r0 : f64
    %1 = arith.mulf %0, %k : f64
    %2 = arith.addf %l0, %r0 : f64
    %3 = arith.addf %1, %2 : f64
    soac.yield %3 : f64
  }
  return %ys : tensor<?xf64>
}

func.func @scaled_ex_rev(%x0: tensor<?xf64>, %k: f64) -> (tensor<?xf64>) {
  %e0 = arith.constant 0.0 : f64
  %ys = soac.scan ins(%x0 : tensor<?xf64>) neutral(%e0 : f64)
      (%l0: f64, %r0: f64) attributes {exclusive, reverse} {
    %0 = arith.mulf %l0, %r0 : f64
    %1 = arith.mulf %0, %k : f64
    %2 = arith.addf %l0, %r0 : f64
    %3 = arith.addf %1, %2 : f64
    soac.yield %3 : f64
  }
  return %ys : tensor<?xf64>
}

// The free variable is an element of an array that the operator reads.
func.func @gathered(%xs: tensor<?xf64>, %is: tensor<?xi64>, %ks: tensor<?xf64>, %j: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %ys = soac.scan ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %k = tensor.extract %ks[%j] : tensor<?xf64>
    %0 = arith.mulf %l, %r : f64
    %1 = arith.mulf %0, %k : f64
    %2 = arith.addf %l, %r : f64
    %3 = arith.addf %1, %2 : f64
    soac.yield %3 : f64
  }
  return %ys : tensor<?xf64>
}

// Segmented products: a flag starts a new segment.
func.func @segments(%is: tensor<?xi64>, %xs: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : i64
  %one = arith.constant 1.0 : f64
  %ys:2 = soac.scan ins(%is, %xs : tensor<?xi64>, tensor<?xf64>) neutral(%c0, %one : i64, f64)
      (%f: i64, %l: f64, %g: i64, %r: f64) {
    %0 = arith.ori %f, %g : i64
    %1 = arith.mulf %l, %r : f64
    %new = arith.cmpi ne, %g, %c0 : i64
    %2 = arith.select %new, %r, %1 : f64
    soac.yield %0, %2 : i64, f64
  }
  return %ys#1 : tensor<?xf64>
}

// Second order.
func.func @pullback(%xs: tensor<?xf64>, %s: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = ad.vjp @mul_in(%xs) seed(%s) : (tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
func.func @pushforward(%xs: tensor<?xf64>, %s: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = ad.jvp @mul_ex(%xs) seed(%s) : (tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
func.func @lin_pullback(%xs: tensor<?xf64>, %zs: tensor<?xf64>, %s: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:4 = ad.vjp @lin_ex(%xs, %zs) seed(%s, %s) : (tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>, tensor<?xf64>)
      -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %r#2, %r#3 : tensor<?xf64>, tensor<?xf64>
}
