// A slot that was not set has sizes when a second return sweep makes zeros of it.
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<f8' '(0,)'
// RUN: %python %S/../driver/Inputs/npy.py %t.two.npy '<f8' '(2,)' 0.3 0.5
// RUN: ad-opt check %s --entry=main --input=0.45 --input=-0.94 --input=%t.none.npy --input=0 --engine=interpreter
// RUN: ad-opt check %s --entry=main --input=0.45 --input=-0.94 --input=%t.two.npy --input=3 --engine=interpreter
// RUN: ad-opt check %s --entry=main --input=0.45 --input=-0.94 --input=%t.two.npy --input=7
func.func @f(%x0: f64, %x1: f64, %x2: tensor<?xf64>, %n: index) -> (f64) {
  %half = arith.constant 0.7 : f64
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %i3 = arith.constant 3 : index
  %none = tensor.empty(%i0) : tensor<?xf64>
  %v1 = arith.mulf %x1, %half : f64
  %v2p = arith.mulf %v1, %v1 : f64
  %v2n = arith.negf %v2p : f64
  %v2 = math.exp %v2n : f64
  cf.br ^b6(%v2, %n : f64, index)
^b3(%b3_0: f64, %b3_1: f64, %k3: index):
  %v6 = math.sin %x2 : tensor<?xf64>
  %v7z = arith.constant 0.0 : f64
  %v7r = soac.reduce ins(%v3 : tensor<?xf64>) neutral(%v7z : f64) (%l: f64, %r: f64) {
    %v7t = arith.addf %l, %r : f64
    soac.yield %v7t : f64
  }
  %v7 = math.tanh %v7r : f64
  %f3 = arith.subi %k3, %i1 : index
  %g3 = arith.cmpi sgt, %f3, %i0 : index
  cf.cond_br %g3, ^m3, ^r3
^r3:
  return %v4 : f64
^m3:
  %q3 = arith.remsi %f3, %i3 : index
  %c3 = arith.cmpi eq, %q3, %i0 : index
  cf.cond_br %c3, ^b4(%v4, %f3 : f64, index), ^b4(%v4, %f3 : f64, index)
^b4(%b4_0: f64, %k4: index):
  %v8n = tensor.dim %v6, %i0 : tensor<?xf64>
  %v8r = scf.for %i = %i0 to %v8n step %i1 iter_args(%r = %v1) -> f64 {
    %v8e = tensor.extract %v6[%i] : tensor<?xf64>
    %v8p = arith.mulf %v8e, %b6_0 : f64
    %v8s = arith.addf %r, %v8p : f64
    scf.yield %v8s : f64
  }
  %v8 = math.sin %v8r : f64
  %v9 = arith.mulf %v4, %half : f64
  return %v8 : f64
^b5(%b5_0: f64, %k5: index):
  %v5 = math.sin %v3 : tensor<?xf64>
  %f5 = arith.subi %k5, %i1 : index
  %g5 = arith.cmpi sgt, %f5, %i0 : index
  cf.cond_br %g5, ^m5, ^r5
^r5:
  return %v4 : f64
^m5:
  %q5 = arith.remsi %f5, %i2 : index
  %c5 = arith.cmpi eq, %q5, %i0 : index
  cf.cond_br %c5, ^b6(%v4, %f5 : f64, index), ^b3(%v4, %v4, %f5 : f64, f64, index)
^b6(%b6_0: f64, %k6: index):
  %v3 = soac.map ins(%x2 : tensor<?xf64>) (%e: f64) -> tensor<?xf64> {
    %v3p = arith.mulf %e, %b6_0 : f64
    %v3t = math.tanh %v3p : f64
    soac.yield %v3t : f64
  }
  %v4z = arith.constant 0.0 : f64
  %v4r = soac.reduce ins(%x2 : tensor<?xf64>) neutral(%v4z : f64) (%l: f64, %r: f64) {
    %v4t = arith.addf %l, %r : f64
    soac.yield %v4t : f64
  }
  %v4 = math.tanh %v4r : f64
  %f6 = arith.subi %k6, %i1 : index
  %g6 = arith.cmpi sgt, %f6, %i0 : index
  cf.cond_br %g6, ^m6, ^r6
^r6:
  return %v4 : f64
^m6:
  %q6 = arith.remsi %f6, %i2 : index
  %c6 = arith.cmpi eq, %q6, %i0 : index
  cf.cond_br %c6, ^b5(%v4, %f6 : f64, index), ^b6(%v4, %f6 : f64, index)
}
func.func @main(%x0: f64, %x1: f64, %x2: tensor<?xf64>, %n: index) -> (f64, f64, tensor<?xf64>) {
  %one = arith.constant 1.0 : f64
  %r, %x, %y, %z = ad.vjp @f(%x0, %x1, %x2, %n) seed(%one)
    : (f64, f64, tensor<?xf64>, index), (f64) -> (f64, f64, f64, tensor<?xf64>)
  return %x, %y, %z : f64, f64, tensor<?xf64>
}
