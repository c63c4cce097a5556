// F53: a loop-carried tensor whose shape changes between iterations. Where its versions must
// be saved, that is an error at run time, never a wrong answer; forward mode saves nothing.
// RUN: %python %S/../../driver/Inputs/npy.py %t.x3.npy '<f8' '(3,)' 0.5 -1.5 0.7
// RUN: not ad-opt run %s --entry=grow_vjp --input=%t.x3.npy --input=2 2>&1 | FileCheck %s
// RUN: ad-opt run %s --entry=grow_vjp --input=%t.x3.npy --input=1 | FileCheck %s --check-prefix=ONE
// RUN: %python %S/../../driver/Inputs/npy.py %t.d3.npy '<f8' '(3,)' 1.0 1.0 1.0
// RUN: ad-opt run %s --entry=grow_jvp --input=%t.x3.npy --input=2 --input=%t.d3.npy | FileCheck %s --check-prefix=JVP
// CHECK: the compiled program was stopped: an assertion failed
// JVP: 1.4285571592
// ONE: [0.87758256189037{{[0-9]*}}, 0.0707372016677{{[0-9]*}}, 0.76484218728448{{[0-9]*}}]

func.func private @grow(%x: tensor<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%xs = %x) -> tensor<?xf64> {
    %s = soac.map ins(%xs : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
      %b = math.sin %a : f64
      soac.yield %b : f64
    }
    %m = tensor.dim %xs, %c0 : tensor<?xf64>
    %m1 = arith.addi %m, %c1 : index
    %e = tensor.empty(%m1) : tensor<?xf64>
    %f = linalg.fill ins(%zero : f64) outs(%e : tensor<?xf64>) -> tensor<?xf64>
    %t = tensor.insert_slice %s into %f[0] [%m] [1] : tensor<?xf64> into tensor<?xf64>
    scf.yield %t : tensor<?xf64>
  }
  %sum = soac.reduce ins(%r : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %q: f64) {
    %0 = arith.addf %l, %q : f64
    soac.yield %0 : f64
  }
  return %sum : f64
}
func.func @grow_vjp(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @grow(%x, %n) seed(%one) : (tensor<?xf64>, index), (f64) -> (f64, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

func.func @grow_jvp(%x: tensor<?xf64>, %n: index, %d: tensor<?xf64>) -> f64 {
  %r:2 = ad.jvp @grow(%x, %n) seed(%d) : (tensor<?xf64>, index), (tensor<?xf64>) -> (f64, f64)
  return %r#1 : f64
}
