// Hessian products of a function with map, gather, branch, loop and reductions, in
// all four nestings, against central differences of the gradient [F04].
// RUN: %python %S/../../driver/Inputs/npy.py %t.x.npy '<f8' '(4,)' 0.5 1.5 -0.7 2.1
// RUN: %python %S/../../driver/Inputs/npy.py %t.i.npy '<i8' '(5,)' 3 0 3 1 0
// RUN: ad-opt check %s --entry=gradient --input=%t.x.npy --input=%t.i.npy --input=0.3
// RUN: ad-opt check %s --entry=directional --input=%t.x.npy --input=%t.i.npy --input=0.3
// RUN: ad-opt check %s --entry=reverse_of_reverse --input=%t.x.npy --input=%t.i.npy --input=0.3
// RUN: ad-opt run %s --entry=differences --input=%t.x.npy --input=%t.i.npy --input=0.3 | FileCheck %s

func.func private @f(%xs: tensor<?xf64>, %is: tensor<?xindex>, %c: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %g = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %neg = arith.cmpf olt, %x, %zero : f64
    %v = scf.if %neg -> f64 {
      %p = arith.mulf %x, %x : f64
      %q = arith.mulf %p, %c : f64
      scf.yield %q : f64
    } else {
      %l = scf.for %k = %c0 to %c3 step %c1 iter_args(%a = %x) -> f64 {
        %s = math.sin %a : f64
        %t = arith.addf %s, %c : f64
        scf.yield %t : f64
      }
      scf.yield %l : f64
    }
    soac.yield %v : f64
  }
  %s = soac.reduce ins(%g : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.addf %l, %r : f64
    soac.yield %t : f64
  }
  %y = arith.mulf %s, %s : f64
  return %y : f64
}
func.func @gradient(%xs: tensor<?xf64>, %is: tensor<?xindex>, %c: f64) -> (tensor<?xf64>, f64) {
  %one = arith.constant 1.0 : f64
  %r:3 = ad.vjp @f(%xs, %is, %c) seed(%one)
      : (tensor<?xf64>, tensor<?xindex>, f64), (f64) -> (f64, tensor<?xf64>, f64)
  return %r#1, %r#2 : tensor<?xf64>, f64
}
func.func @directional(%xs: tensor<?xf64>, %is: tensor<?xindex>, %c: f64) -> f64 {
  %r:2 = ad.jvp @f(%xs, %is, %c) seed(%xs, %c)
      : (tensor<?xf64>, tensor<?xindex>, f64), (tensor<?xf64>, f64) -> (f64, f64)
  return %r#1 : f64
}
func.func @reverse_of_reverse(%xs: tensor<?xf64>, %is: tensor<?xindex>, %c: f64) -> (tensor<?xf64>, f64) {
  %r:4 = ad.vjp @gradient(%xs, %is, %c) seed(%xs, %c)
      : (tensor<?xf64>, tensor<?xindex>, f64), (tensor<?xf64>, f64) -> (tensor<?xf64>, f64, tensor<?xf64>, f64)
  return %r#2, %r#3 : tensor<?xf64>, f64
}

// The largest difference between products H x: of vjp of vjp with jvp of vjp, and with
// vjp of jvp less the gradient, for d/dx (g . x) = H x + g.
// CHECK: {{^(0(\.0)?|[0-9.]+e-1[3-9])$}}
// CHECK: {{^(0(\.0)?|[0-9.]+e-1[3-9])$}}
func.func @differences(%xs: tensor<?xf64>, %is: tensor<?xindex>, %c: f64) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %g:2 = call @gradient(%xs, %is, %c) : (tensor<?xf64>, tensor<?xindex>, f64) -> (tensor<?xf64>, f64)
  %rr:2 = call @reverse_of_reverse(%xs, %is, %c) : (tensor<?xf64>, tensor<?xindex>, f64) -> (tensor<?xf64>, f64)
  %fr:4 = ad.jvp @gradient(%xs, %is, %c) seed(%xs, %c)
      : (tensor<?xf64>, tensor<?xindex>, f64), (tensor<?xf64>, f64) -> (tensor<?xf64>, f64, tensor<?xf64>, f64)
  %rf:3 = ad.vjp @directional(%xs, %is, %c) seed(%one)
      : (tensor<?xf64>, tensor<?xindex>, f64), (f64) -> (f64, tensor<?xf64>, f64)
  %zero = arith.constant 0.0 : f64
  %a = call @distance(%rr#0, %fr#2) : (tensor<?xf64>, tensor<?xf64>) -> f64
  %h = soac.map ins(%rf#1, %g#0 : tensor<?xf64>, tensor<?xf64>) (%u: f64, %v: f64) -> tensor<?xf64> {
    %d = arith.subf %u, %v : f64
    soac.yield %d : f64
  }
  %b = call @distance(%rr#0, %h) : (tensor<?xf64>, tensor<?xf64>) -> f64
  return %a, %b : f64, f64
}
func.func private @distance(%xs: tensor<?xf64>, %ys: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %d = soac.map ins(%xs, %ys : tensor<?xf64>, tensor<?xf64>) (%x: f64, %y: f64) -> tensor<?xf64> {
    %e = arith.subf %x, %y : f64
    %a = math.absf %e : f64
    soac.yield %a : f64
  }
  %m = soac.reduce ins(%d : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.maximumf %l, %r : f64
    soac.yield %t : f64
  }
  return %m : f64
}
