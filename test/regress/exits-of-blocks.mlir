// Blocks that are left in many ways: where each way leads back is a number that other ways do not have, and upstream joins a
// branch in a branch by `arith.andi`, where the inner condition is poison unless the outer one holds. The second derivative
// popped an empty tape [Z18].
// DEFINE: %{check} = ad-opt check %s --entry=main
// RUN: %{check} --input=0.5 --input=-0.9 --input=0
// RUN: %{check} --input=0.5 --input=0.9 --input=7
// RUN: %{check} --input=0.5 --input=0.9 --input=8

func.func @f(%x0: f64, %x1: f64, %n: index) -> (f64) {
  %half = arith.constant 0.7 : f64
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %c = arith.cmpf ogt, %x1, %half : f64
  cf.cond_br %c, ^b1(%x1, %n : f64, index), ^b5(%x1, %n : f64, index)
^b1(%b1_0: f64, %k1: index):
  %f1 = arith.subi %k1, %i1 : index
  %g1 = arith.cmpi sgt, %f1, %i0 : index
  cf.cond_br %g1, ^m1, ^r1
^r1:
  return %b1_0 : f64
^m1:
  %q1 = arith.remsi %f1, %i2 : index
  %c1 = arith.cmpi eq, %q1, %i0 : index
  cf.cond_br %c1, ^b2(%b1_0, %b1_0, %f1 : f64, f64, index), ^b3(%b1_0, %f1 : f64, index)
^b2(%b2_0: f64, %b2_1: f64, %k2: index):
  %f2 = arith.subi %k2, %i1 : index
  %g2 = arith.cmpi sgt, %f2, %i0 : index
  cf.cond_br %g2, ^m2, ^r2
^r2:
  return %b2_1 : f64
^m2:
  cf.br ^b3(%b2_1, %f2 : f64, index)
^b3(%b3_0: f64, %k3: index):
  %f3 = arith.subi %k3, %i1 : index
  %g3 = arith.cmpi sgt, %f3, %i0 : index
  cf.cond_br %g3, ^m3, ^r3
^r3:
  return %b3_0 : f64
^m3:
  %q3 = arith.remsi %f3, %i2 : index
  %c3 = arith.cmpi eq, %q3, %i0 : index
  cf.cond_br %c3, ^b4(%b3_0, %f3 : f64, index), ^b3(%b3_0, %f3 : f64, index)
^b4(%b4_0: f64, %k4: index):
  return %b4_0 : f64
^b5(%b5_0: f64, %k5: index):
  return %b5_0 : f64
}
func.func @main(%x0: f64, %x1: f64, %n: index) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %r, %x, %y = ad.vjp @f(%x0, %x1, %n) seed(%one)
    : (f64, f64, index), (f64) -> (f64, f64, f64)
  return %x, %y : f64, f64
}
