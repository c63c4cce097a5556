// The return sweep of the entry replaces its loop by one that keeps what it carries; other return blocks read its result.
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<f8' '(0,)'
// RUN: ad-opt check %s --entry=main --input=0.45 --input=-0.94 --input=%t.none.npy --input=0

func.func @main(%x0: f64, %x1: f64, %x2: tensor<?xf64>, %n: index) -> (f64, f64) {
  %half = arith.constant 0.7 : f64
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %i3 = arith.constant 3 : index
  %none = tensor.empty(%i0) : tensor<?xf64>
  %v1 = arith.mulf %x1, %half : f64
  %v2 = scf.for %i = %i0 to %i3 step %i1 iter_args(%r = %v1) -> f64 {
    %v2p = arith.mulf %r, %v1 : f64
    %v2s = math.sin %v2p : f64
    scf.yield %v2s : f64
  }
  %c = arith.cmpf ogt, %v2, %half : f64
  cf.cond_br %c, ^b1(%v2, %n : f64, index), ^b2(%v2, %v2, %n : f64, f64, index)
^b1(%b1_0: f64, %k1: index):
  %v3 = arith.mulf %v1, %half : f64
  return %v3, %v3 : f64, f64
^b2(%b2_0: f64, %b2_1: f64, %k2: index):
  %f2 = arith.subi %k2, %i1 : index
  %g2 = arith.cmpi sgt, %f2, %i0 : index
  cf.cond_br %g2, ^m2, ^r2
^r2:
  return %b2_1, %b2_1 : f64, f64
^m2:
  cf.br ^b3(%b2_1, %f2 : f64, index)
^b3(%b3_0: f64, %k3: index):
  return %b3_0, %b3_0 : f64, f64
}
