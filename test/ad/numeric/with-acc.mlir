// Derivatives of soac.with_acc and soac.update_acc agree with central differences and with each other.
// RUN: %python %S/../../driver/Inputs/npy.py %t.x4.npy '<f8' '(4,)' 0.5 1.5 -0.7 2.1
// RUN: %python %S/../../driver/Inputs/npy.py %t.i5.npy '<i8' '(5,)' 3 0 3 1 0
// RUN: %python %S/../../driver/Inputs/npy.py %t.y5.npy '<f8' '(5,)' 0.5 1.5 -0.7 2.1 0.4
// RUN: %python %S/../../driver/Inputs/npy.py %t.i0.npy '<i8' '(0,)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.x0.npy '<f8' '(0,)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.m23.npy '<f8' '(2,3)' 0.5 1.5 -0.7 2.1 0.4 0.3
// RUN: %python %S/../../driver/Inputs/npy.py %t.r3.npy '<f8' '(3,)' 0.3 -0.2 0.9
// RUN: ad-opt check %s --entry=histogram --input=%t.x4.npy --input=%t.i5.npy --input=%t.y5.npy
// RUN: ad-opt check %s --entry=histogram --input=%t.x4.npy --input=%t.i0.npy --input=%t.x0.npy
// RUN: ad-opt check %s --entry=extra --input=%t.m23.npy --input=1 --input=%t.r3.npy --input=0.5
// RUN: ad-opt check %s --entry=branch --input=%t.x4.npy --input=%t.i5.npy --input=%t.y5.npy --input=true --input=0.5
// RUN: ad-opt check %s --entry=branch --input=%t.x4.npy --input=%t.i5.npy --input=%t.y5.npy --input=false --input=0.5
// RUN: ad-opt check %s --entry=captured --input=%t.x4.npy --input=%t.r3.npy --input=2 --input=0.5

// A histogram: the cotangent of a value is gathered.
func.func @histogram(%as: tensor<?xf64>, %is: tensor<?xindex>, %vs: tensor<?xf64>) -> tensor<?xf64> {
  %r = soac.with_acc ins(%as : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> tensor<?xf64> {
    %m = soac.map ins(%is, %vs : tensor<?xindex>, tensor<?xf64>) accs(%acc : !soac.acc<tensor<?xf64>>) (%i: index, %v: f64, %a: !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>> {
      %w = arith.mulf %v, %v : f64
      %u = soac.update_acc %a[%i], %w : !soac.acc<tensor<?xf64>>, f64
      soac.yield %u : !soac.acc<tensor<?xf64>>
    }
    soac.yield %m : !soac.acc<tensor<?xf64>>
  }
  return %r : tensor<?xf64>
}

// A row of two dimensions, and an extra result [F44].
func.func @extra(%m: tensor<?x3xf64>, %i: index, %row: tensor<3xf64>, %x: f64) -> (tensor<?x3xf64>, f64) {
  %r:2 = soac.with_acc ins(%m : tensor<?x3xf64>) (%acc: !soac.acc<tensor<?x3xf64>>) -> (tensor<?x3xf64>, f64) {
    %a = soac.update_acc %acc[%i], %row : !soac.acc<tensor<?x3xf64>>, tensor<3xf64>
    %y = math.exp %x : f64
    %b = soac.update_acc %a[%i, %i], %y : !soac.acc<tensor<?x3xf64>>, f64
    soac.yield %b, %y : !soac.acc<tensor<?x3xf64>>, f64
  }
  return %r#0, %r#1 : tensor<?x3xf64>, f64
}

// A branch consumes an accumulator that a map has updated; its other value is differentiated.
func.func @branch(%as: tensor<?xf64>, %is: tensor<?xindex>, %vs: tensor<?xf64>, %c: i1, %x: f64) -> (tensor<?xf64>, f64) {
  %zero = arith.constant 0 : index
  %r:2 = soac.with_acc ins(%as : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> (tensor<?xf64>, f64) {
    %m = soac.map ins(%is, %vs : tensor<?xindex>, tensor<?xf64>) accs(%acc : !soac.acc<tensor<?xf64>>) (%i: index, %v: f64, %a: !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>> {
      %w = arith.mulf %v, %v : f64
      %u = soac.update_acc %a[%i], %w : !soac.acc<tensor<?xf64>>, f64
      soac.yield %u : !soac.acc<tensor<?xf64>>
    }
    %b:2 = scf.if %c -> (!soac.acc<tensor<?xf64>>, f64) {
      %y = math.exp %x : f64
      %u = soac.update_acc %m[%zero], %y : !soac.acc<tensor<?xf64>>, f64
      scf.yield %u, %y : !soac.acc<tensor<?xf64>>, f64
    } else {
      scf.yield %m, %x : !soac.acc<tensor<?xf64>>, f64
    }
    %z = arith.mulf %b#1, %b#1 : f64
    soac.yield %b#0, %z : !soac.acc<tensor<?xf64>>, f64
  }
  return %r#0, %r#1 : tensor<?xf64>, f64
}

// The inner body consumes the accumulator of the outer one.
func.func @captured(%as: tensor<?xf64>, %bs: tensor<?xf64>, %i: index, %x: f64) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:2 = soac.with_acc ins(%as : tensor<?xf64>) (%outer: !soac.acc<tensor<?xf64>>) -> (tensor<?xf64>, tensor<?xf64>) {
    %first = soac.update_acc %outer[%i], %x : !soac.acc<tensor<?xf64>>, f64
    %inner:2 = soac.with_acc ins(%bs : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> (tensor<?xf64>, !soac.acc<tensor<?xf64>>) {
      %y = math.exp %x : f64
      %a = soac.update_acc %first[%i], %y : !soac.acc<tensor<?xf64>>, f64
      %z = arith.mulf %y, %x : f64
      %b = soac.update_acc %acc[%i], %z : !soac.acc<tensor<?xf64>>, f64
      soac.yield %b, %a : !soac.acc<tensor<?xf64>>, !soac.acc<tensor<?xf64>>
    }
    soac.yield %inner#1, %inner#0 : !soac.acc<tensor<?xf64>>, tensor<?xf64>
  }
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}
