// Sparse adjoints do not change a derivative [F31]: an array of which a minimum is taken and that is
// used elsewhere too, minimum and maximum of one array, one array through two maps, in a branch, in a
// loop, under another map, and twice differentiated. Forward and reverse mode once differed in such
// programs (futhark#1878).
// RUN: %python %S/../../driver/Inputs/npy.py %t.x0.npy '<f8' '(0,)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.x1.npy '<f8' '(1,)' 0.6
// RUN: %python %S/../../driver/Inputs/npy.py %t.x4.npy '<f8' '(4,)' 0.5 1.5 -0.7 2.1
// RUN: %python %S/../../driver/Inputs/npy.py %t.m.npy '<f8' '(3,2)' 0.5 1.5 -0.7 2.1 1.1 0.4
// RUN: %python %S/../../driver/Inputs/npy.py %t.c.npy '<f8' '(2,2)' 0.4 1.1 -0.9 2.3
// RUN: %python %S/../../driver/Inputs/npy.py %t.c0.npy '<f8' '(0,2)'
// A call would give the caller a whole adjoint.
// RUN: ad-opt %s --inline -o %t.mlir
// RUN: ad-opt check %t.mlir --entry=elsewhere --input=%t.x4.npy --input=0.7
// RUN: ad-opt check %t.mlir --entry=elsewhere --input=%t.x1.npy --input=0.7
// RUN: ad-opt check %t.mlir --entry=elsewhere --input=%t.x0.npy --input=0.7
// RUN: ad-opt check %t.mlir --entry=two_maps --input=%t.x4.npy --input=%t.x4.npy
// RUN: ad-opt check %t.mlir --entry=two_maps --input=%t.x0.npy --input=%t.x0.npy
// RUN: ad-opt check %t.mlir --entry=branch --input=%t.x4.npy --input=0.7
// RUN: ad-opt check %t.mlir --entry=branch --input=%t.x4.npy --input=-0.7
// RUN: ad-opt check %t.mlir --entry=loop --input=%t.x4.npy --input=3
// RUN: ad-opt check %t.mlir --entry=loop --input=%t.x0.npy --input=2
// RUN: ad-opt check %t.mlir --entry=element --input=%t.x4.npy --input=2
// RUN: ad-opt check %t.mlir --entry=nearest --input=%t.m.npy --input=%t.c.npy
// RUN: ad-opt check %t.mlir --entry=nearest --input=%t.m.npy --input=%t.c0.npy
// RUN: ad-opt check %t.mlir --entry=nearest_gradient --input=%t.m.npy --input=%t.c.npy

func.func private @least(%xs: tensor<?xf64>) -> f64 {
  %e = arith.constant 10.0 : f64
  %y = soac.reduce ins(%xs : tensor<?xf64>) neutral(%e : f64) (%l: f64, %r: f64) {
    %m = arith.minimumf %l, %r : f64
    soac.yield %m : f64
  }
  return %y : f64
}
func.func private @greatest(%xs: tensor<?xf64>) -> f64 {
  %e = arith.constant -10.0 : f64
  %y = soac.reduce ins(%xs : tensor<?xf64>) neutral(%e : f64) (%l: f64, %r: f64) {
    %m = arith.maximumf %l, %r : f64
    soac.yield %m : f64
  }
  return %y : f64
}
func.func private @sum(%xs: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %y = soac.reduce ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %m = arith.addf %l, %r : f64
    soac.yield %m : f64
  }
  return %y : f64
}

// The sum comes between the two in the return sweep; a free scalar receives from all of them.
func.func @elsewhere(%xs: tensor<?xf64>, %w: f64) -> f64 {
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %a = arith.mulf %x, %x : f64
    %b = arith.mulf %a, %w : f64
    %y = math.sin %b : f64
    soac.yield %y : f64
  }
  %m = func.call @least(%ys) : (tensor<?xf64>) -> f64
  %s = func.call @sum(%ys) : (tensor<?xf64>) -> f64
  %g = func.call @greatest(%ys) : (tensor<?xf64>) -> f64
  %p = arith.mulf %m, %g : f64
  %q = arith.mulf %p, %s : f64
  return %q : f64
}

// One array through two maps, one of which has it as a free variable, and minimum and maximum of one.
func.func @two_maps(%xs: tensor<?xf64>, %zs: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = math.exp %x : f64
    soac.yield %y : f64
  }
  %us:2 = soac.map ins(%ys, %zs : tensor<?xf64>, tensor<?xf64>) (%y: f64, %z: f64) -> (tensor<?xf64>, tensor<?xf64>) {
    %u = arith.mulf %y, %z : f64
    %v = math.sin %y : f64
    soac.yield %u, %v : f64, f64
  }
  %vs = soac.map ins(%ys : tensor<?xf64>) (%y: f64) -> tensor<?xf64> {
    %first = tensor.extract %ys[%c0] : tensor<?xf64>
    %u = arith.mulf %y, %first : f64
    soac.yield %u : f64
  }
  %a = func.call @least(%us#0) : (tensor<?xf64>) -> f64
  %b = func.call @greatest(%us#1) : (tensor<?xf64>) -> f64
  %c = func.call @least(%vs) : (tensor<?xf64>) -> f64
  %d = func.call @greatest(%vs) : (tensor<?xf64>) -> f64
  %e = func.call @least(%ys) : (tensor<?xf64>) -> f64
  %ab = arith.mulf %a, %b : f64
  %cd = arith.mulf %c, %d : f64
  %f = arith.addf %ab, %cd : f64
  %g = arith.mulf %f, %e : f64
  return %g : f64
}

func.func @branch(%xs: tensor<?xf64>, %w: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %positive = arith.cmpf ogt, %w, %zero : f64
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = math.exp %x : f64
    soac.yield %y : f64
  }
  %m = func.call @least(%ys) : (tensor<?xf64>) -> f64
  %r = scf.if %positive -> f64 {
    %zs = soac.map ins(%ys : tensor<?xf64>) (%y: f64) -> tensor<?xf64> {
      %z = arith.mulf %y, %w : f64
      soac.yield %z : f64
    }
    %g = func.call @greatest(%zs) : (tensor<?xf64>) -> f64
    %h = func.call @greatest(%ys) : (tensor<?xf64>) -> f64
    %p = arith.mulf %g, %h : f64
    scf.yield %p : f64
  } else {
    scf.yield %w : f64
  }
  %q = arith.mulf %m, %r : f64
  return %q : f64
}

func.func @loop(%xs: tensor<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = math.exp %x : f64
    soac.yield %y : f64
  }
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %one) -> f64 {
    %zs = soac.map ins(%ys : tensor<?xf64>) (%y: f64) -> tensor<?xf64> {
      %z = arith.mulf %y, %a : f64
      soac.yield %z : f64
    }
    %m = func.call @least(%zs) : (tensor<?xf64>) -> f64
    %k = func.call @greatest(%ys) : (tensor<?xf64>) -> f64
    %b = arith.addf %m, %k : f64
    %s = math.sin %b : f64
    scf.yield %s : f64
  }
  %m = func.call @least(%ys) : (tensor<?xf64>) -> f64
  %q = arith.mulf %m, %r : f64
  return %q : f64
}

// Single elements are rows too.
func.func @element(%xs: tensor<?xf64>, %i: index) -> f64 {
  %c1 = arith.constant 1 : index
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = math.exp %x : f64
    soac.yield %y : f64
  }
  %a = tensor.extract %ys[%i] : tensor<?xf64>
  %b = tensor.extract %ys[%c1] : tensor<?xf64>
  %m = func.call @greatest(%ys) : (tensor<?xf64>) -> f64
  %ab = arith.mulf %a, %b : f64
  %q = arith.mulf %m, %ab : f64
  return %q : f64
}

// The sum over points of the squared distance of the nearest cluster.
func.func @nearest(%points: tensor<?x2xf64>, %clusters: tensor<?x2xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %far = arith.constant 9.0 : f64
  %ds = soac.map ins(%points : tensor<?x2xf64>) (%p: tensor<2xf64>) -> tensor<?xf64> {
    %cs = soac.map ins(%clusters : tensor<?x2xf64>) (%c: tensor<2xf64>) -> tensor<?xf64> {
      %d = arith.subf %p, %c : tensor<2xf64>
      %e = arith.mulf %d, %d : tensor<2xf64>
      %s = soac.reduce ins(%e : tensor<2xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
        %t = arith.addf %l, %r : f64
        soac.yield %t : f64
      }
      soac.yield %s : f64
    }
    %m = soac.reduce ins(%cs : tensor<?xf64>) neutral(%far : f64) (%l: f64, %r: f64) {
      %t = arith.minimumf %l, %r : f64
      soac.yield %t : f64
    }
    soac.yield %m : f64
  }
  %s = func.call @sum(%ds) : (tensor<?xf64>) -> f64
  return %s : f64
}
func.func @nearest_gradient(%points: tensor<?x2xf64>, %clusters: tensor<?x2xf64>) -> tensor<?x2xf64> {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @nearest(%points, %clusters) seed(%one) {wrt = array<i64: 1>} : (tensor<?x2xf64>, tensor<?x2xf64>), (f64) -> (f64, tensor<?x2xf64>)
  return %r#1 : tensor<?x2xf64>
}
