// Derivatives of soac.scan with operators on small static tensors agree with central differences
// and with each other [F35, FP2]: products of 2x2, 3x3 and 4x4 matrices, a rotation and a shift.
// RUN: %python %S/../../driver/Inputs/npy.py %t.m3.npy '<f8' '(3,2,2,)' 0.70 1.31 -0.13 -0.37 1.13 0.98 -0.48 0.04 1.37 0.51 -0.60 0.55
// RUN: %python %S/../../driver/Inputs/npy.py %t.m1.npy '<f8' '(1,2,2,)' 0.70 1.31 -0.13 -0.37
// RUN: %python %S/../../driver/Inputs/npy.py %t.m0.npy '<f8' '(0,2,2,)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.n2.npy '<f8' '(2,3,3,)' 0.70 1.31 -0.13 -0.37 1.13 0.98 -0.48 0.04 1.37 0.51 -0.60 0.55 1.36 0.00 -0.46 1.02 1.10 -0.40
// RUN: %python %S/../../driver/Inputs/npy.py %t.n3.npy '<f8' '(3,4,4,)' 0.70 1.31 -0.13 -0.37 1.13 0.98 -0.48 0.04 1.37 0.51 -0.60 0.55 1.36 0.00 -0.46 1.02 1.10 -0.40 -0.09 1.33 0.65 -0.59 0.40 1.39 0.14 -0.53 0.89 1.20 -0.30 -0.22 1.26 0.80 -0.56 0.25 1.40 0.29 -0.57 0.76 1.28 -0.19 -0.33 1.17 0.93 -0.51 0.11 1.39 0.44 -0.60
// RUN: %python %S/../../driver/Inputs/npy.py %t.r3.npy '<f8' '(3,2,)' 0.70 1.31 -0.13 -0.37 1.13 0.98
// RUN: %python %S/../../driver/Inputs/npy.py %t.s3.npy '<f8' '(3,)' 1.12 1.00 -0.47
// RUN: ad-opt check %s --entry=two --input=%t.m3.npy
// RUN: ad-opt check %s --entry=two --input=%t.m1.npy
// RUN: ad-opt check %s --entry=two --input=%t.m0.npy
// RUN: ad-opt check %s --entry=two_ex_rev --input=%t.m3.npy
// RUN: ad-opt check %s --entry=two_ex_rev --input=%t.m0.npy
// RUN: ad-opt check %s --entry=three --input=%t.n2.npy
// RUN: ad-opt check %s --entry=four --input=%t.n3.npy
// RUN: ad-opt check %s --entry=motion --input=%t.s3.npy --input=%t.r3.npy
// RUN: ad-opt check %s --entry=pullback --input=%t.m3.npy --input=%t.m3.npy

func.func @two(%a: tensor<?x2x2xf64>) -> tensor<?x2x2xf64> {
  %one = arith.constant dense<[[1.0, 0.0], [0.0, 1.0]]> : tensor<2x2xf64>
  %zero = arith.constant 0.0 : f64
  %is = soac.iota : tensor<2xindex>
  %ys = soac.scan ins(%a : tensor<?x2x2xf64>) neutral(%one : tensor<2x2xf64>) (%l: tensor<2x2xf64>, %r: tensor<2x2xf64>) {
    %p = soac.map ins(%l : tensor<2x2xf64>) (%row: tensor<2xf64>) -> tensor<2x2xf64> {
      %q = soac.map ins(%is : tensor<2xindex>) (%j: index) -> tensor<2xf64> {
        %t = soac.map ins(%row, %is : tensor<2xf64>, tensor<2xindex>) (%x: f64, %m: index) -> tensor<2xf64> {
          %y = tensor.extract %r[%m, %j] : tensor<2x2xf64>
          %xy = arith.mulf %x, %y : f64
          soac.yield %xy : f64
        }
        %s = soac.reduce ins(%t : tensor<2xf64>) neutral(%zero : f64) (%u: f64, %v: f64) {
          %0 = arith.addf %u, %v : f64
          soac.yield %0 : f64
        }
        soac.yield %s : f64
      }
      soac.yield %q : tensor<2xf64>
    }
    soac.yield %p : tensor<2x2xf64>
  }
  return %ys : tensor<?x2x2xf64>
}

func.func @two_ex_rev(%a: tensor<?x2x2xf64>) -> tensor<?x2x2xf64> {
  %one = arith.constant dense<[[1.0, 0.0], [0.0, 1.0]]> : tensor<2x2xf64>
  %zero = arith.constant 0.0 : f64
  %is = soac.iota : tensor<2xindex>
  %ys = soac.scan ins(%a : tensor<?x2x2xf64>) neutral(%one : tensor<2x2xf64>) (%l: tensor<2x2xf64>, %r: tensor<2x2xf64>) attributes {exclusive, reverse} {
    %p = soac.map ins(%l : tensor<2x2xf64>) (%row: tensor<2xf64>) -> tensor<2x2xf64> {
      %q = soac.map ins(%is : tensor<2xindex>) (%j: index) -> tensor<2xf64> {
        %t = soac.map ins(%row, %is : tensor<2xf64>, tensor<2xindex>) (%x: f64, %m: index) -> tensor<2xf64> {
          %y = tensor.extract %r[%m, %j] : tensor<2x2xf64>
          %xy = arith.mulf %x, %y : f64
          soac.yield %xy : f64
        }
        %s = soac.reduce ins(%t : tensor<2xf64>) neutral(%zero : f64) (%u: f64, %v: f64) {
          %0 = arith.addf %u, %v : f64
          soac.yield %0 : f64
        }
        soac.yield %s : f64
      }
      soac.yield %q : tensor<2xf64>
    }
    soac.yield %p : tensor<2x2xf64>
  }
  return %ys : tensor<?x2x2xf64>
}

func.func @three(%a: tensor<?x3x3xf64>) -> tensor<?x3x3xf64> {
  %one = arith.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  %zero = arith.constant 0.0 : f64
  %is = soac.iota : tensor<3xindex>
  %ys = soac.scan ins(%a : tensor<?x3x3xf64>) neutral(%one : tensor<3x3xf64>) (%l: tensor<3x3xf64>, %r: tensor<3x3xf64>) {
    %p = soac.map ins(%l : tensor<3x3xf64>) (%row: tensor<3xf64>) -> tensor<3x3xf64> {
      %q = soac.map ins(%is : tensor<3xindex>) (%j: index) -> tensor<3xf64> {
        %t = soac.map ins(%row, %is : tensor<3xf64>, tensor<3xindex>) (%x: f64, %m: index) -> tensor<3xf64> {
          %y = tensor.extract %r[%m, %j] : tensor<3x3xf64>
          %xy = arith.mulf %x, %y : f64
          soac.yield %xy : f64
        }
        %s = soac.reduce ins(%t : tensor<3xf64>) neutral(%zero : f64) (%u: f64, %v: f64) {
          %0 = arith.addf %u, %v : f64
          soac.yield %0 : f64
        }
        soac.yield %s : f64
      }
      soac.yield %q : tensor<3xf64>
    }
    soac.yield %p : tensor<3x3xf64>
  }
  return %ys : tensor<?x3x3xf64>
}

func.func @four(%a: tensor<?x4x4xf64>) -> tensor<?x4x4xf64> {
  %one = arith.constant dense<[[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]> : tensor<4x4xf64>
  %zero = arith.constant 0.0 : f64
  %is = soac.iota : tensor<4xindex>
  %ys = soac.scan ins(%a : tensor<?x4x4xf64>) neutral(%one : tensor<4x4xf64>) (%l: tensor<4x4xf64>, %r: tensor<4x4xf64>) attributes {exclusive} {
    %p = soac.map ins(%l : tensor<4x4xf64>) (%row: tensor<4xf64>) -> tensor<4x4xf64> {
      %q = soac.map ins(%is : tensor<4xindex>) (%j: index) -> tensor<4xf64> {
        %t = soac.map ins(%row, %is : tensor<4xf64>, tensor<4xindex>) (%x: f64, %m: index) -> tensor<4xf64> {
          %y = tensor.extract %r[%m, %j] : tensor<4x4xf64>
          %xy = arith.mulf %x, %y : f64
          soac.yield %xy : f64
        }
        %s = soac.reduce ins(%t : tensor<4xf64>) neutral(%zero : f64) (%u: f64, %v: f64) {
          %0 = arith.addf %u, %v : f64
          soac.yield %0 : f64
        }
        soac.yield %s : f64
      }
      soac.yield %q : tensor<4xf64>
    }
    soac.yield %p : tensor<4x4xf64>
  }
  return %ys : tensor<?x4x4xf64>
}

// Motions of the plane, an angle and a shift: the shift of the second is turned by the first.
func.func @motion(%angles: tensor<?xf64>, %shifts: tensor<?x2xf64>) -> (tensor<?xf64>, tensor<?x2xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %none = arith.constant dense<0.0> : tensor<2xf64>
  %ys:2 = soac.scan ins(%angles, %shifts : tensor<?xf64>, tensor<?x2xf64>) neutral(%zero, %none : f64, tensor<2xf64>)
      (%a: f64, %u: tensor<2xf64>, %b: f64, %v: tensor<2xf64>) {
    %ab = arith.addf %a, %b : f64
    %c = math.cos %a : f64
    %s = math.sin %a : f64
    %v0 = tensor.extract %v[%c0] : tensor<2xf64>
    %v1 = tensor.extract %v[%c1] : tensor<2xf64>
    %cv0 = arith.mulf %c, %v0 : f64
    %sv1 = arith.mulf %s, %v1 : f64
    %w0 = arith.subf %cv0, %sv1 : f64
    %sv0 = arith.mulf %s, %v0 : f64
    %cv1 = arith.mulf %c, %v1 : f64
    %w1 = arith.addf %sv0, %cv1 : f64
    %w = tensor.from_elements %w0, %w1 : tensor<2xf64>
    %uw = arith.addf %u, %w : tensor<2xf64>
    soac.yield %ab, %uw : f64, tensor<2xf64>
  }
  return %ys#0, %ys#1 : tensor<?xf64>, tensor<?x2xf64>
}

// Second order.
func.func @pullback(%a: tensor<?x2x2xf64>, %s: tensor<?x2x2xf64>) -> tensor<?x2x2xf64> {
  %r:2 = ad.vjp @two(%a) seed(%s) : (tensor<?x2x2xf64>), (tensor<?x2x2xf64>) -> (tensor<?x2x2xf64>, tensor<?x2x2xf64>)
  return %r#1 : tensor<?x2x2xf64>
}
