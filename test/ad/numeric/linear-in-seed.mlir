// A pullback is linear in the cotangent, B(2 u - 3 v) = 2 B(u) - 3 B(v), through map,
// gather, branch, loop and reductions [Z03].
// RUN: %python %S/../../driver/Inputs/npy.py %t.x.npy '<f8' '(4,)' 0.5 1.5 -0.7 2.1
// RUN: %python %S/../../driver/Inputs/npy.py %t.i.npy '<i8' '(4,)' 3 0 3 1
// RUN: %python %S/../../driver/Inputs/npy.py %t.u.npy '<f8' '(4,)' 1 -2 0.5 3
// RUN: %python %S/../../driver/Inputs/npy.py %t.v.npy '<f8' '(4,)' 0.2 1 -1 4
// RUN: ad-opt run %s --entry=error --input=%t.x.npy --input=%t.i.npy --input=%t.u.npy --input=%t.v.npy | FileCheck %s
// CHECK: {{^(0(\.0)?|[0-9.]+e-1[3-9])$}}

func.func private @f(%xs: tensor<?xf64>, %is: tensor<?xindex>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %s = soac.reduce ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.addf %l, %r : f64
    soac.yield %t : f64
  }
  %g = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %neg = arith.cmpf olt, %x, %zero : f64
    %v = scf.if %neg -> f64 {
      %p = arith.mulf %x, %s : f64
      scf.yield %p : f64
    } else {
      %l = scf.for %k = %c0 to %c3 step %c1 iter_args(%a = %x) -> f64 {
        %b = math.sin %a : f64
        %t = arith.mulf %b, %s : f64
        scf.yield %t : f64
      }
      scf.yield %l : f64
    }
    soac.yield %v : f64
  }
  return %g : tensor<?xf64>
}
func.func private @pullback(%xs: tensor<?xf64>, %is: tensor<?xindex>, %u: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = ad.vjp @f(%xs, %is) seed(%u) : (tensor<?xf64>, tensor<?xindex>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
func.func private @combine(%u: tensor<?xf64>, %v: tensor<?xf64>) -> tensor<?xf64> {
  %two = arith.constant 2.0 : f64
  %three = arith.constant 3.0 : f64
  %w = soac.map ins(%u, %v : tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64) -> tensor<?xf64> {
    %c = arith.mulf %two, %a : f64
    %d = arith.mulf %three, %b : f64
    %e = arith.subf %c, %d : f64
    soac.yield %e : f64
  }
  return %w : tensor<?xf64>
}
func.func @error(%xs: tensor<?xf64>, %is: tensor<?xindex>, %u: tensor<?xf64>, %v: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %w = call @combine(%u, %v) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %bw = call @pullback(%xs, %is, %w) : (tensor<?xf64>, tensor<?xindex>, tensor<?xf64>) -> tensor<?xf64>
  %bu = call @pullback(%xs, %is, %u) : (tensor<?xf64>, tensor<?xindex>, tensor<?xf64>) -> tensor<?xf64>
  %bv = call @pullback(%xs, %is, %v) : (tensor<?xf64>, tensor<?xindex>, tensor<?xf64>) -> tensor<?xf64>
  %c = call @combine(%bu, %bv) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %d = soac.map ins(%bw, %c : tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64) -> tensor<?xf64> {
    %e = arith.subf %a, %b : f64
    %f = math.absf %e : f64
    soac.yield %f : f64
  }
  %m = soac.reduce ins(%d : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.maximumf %l, %r : f64
    soac.yield %t : f64
  }
  return %m : f64
}
