// A graph of blocks of which each branch frees what it kept: the host's code has blocks that differ in nothing but the buffers of
// the device that they free, which upstream joins; the buffers became arguments of a block that nothing lowered [Z18].
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(3,)' 0.1 0.2 0.4
// RUN: %python %S/../driver/Inputs/npy.py %t.s.npy '<f8' '(3,)' 0.5 0.25 0.75
// DEFINE: %{run} = ad-opt run %t.mlir --entry=vjp --target=gpu-emulate --input=0.5 --input=-0.9 --input=%t.x.npy --input=
// DEFINE: %{seeds} = --input=%t.s.npy --input=0.25 --input=0.125
// RUN: ad-opt %s --ad-differentiate -o %t.mlir
// RUN: %{run}5 %{seeds} | FileCheck %s
// RUN: %{run}4 %{seeds} | FileCheck %s

// One way returns at once, the other one after a round.
// CHECK: {{^}}0.0{{$}}
// CHECK-NEXT: {{^}}0.375{{$}}
// CHECK-NEXT: {{^}}[0.5, 0.25, 0.75]{{$}}

func.func @f(%x0: f64, %x1: f64, %x2: tensor<?xf64>, %n: index) -> (tensor<?xf64>, f64, f64) {
  %half = arith.constant 0.7 : f64
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %c = arith.cmpf ogt, %x1, %half : f64
  cf.cond_br %c, ^b5(%x1, %n : f64, index), ^b2(%x1, %n : f64, index)
^b1(%b1_0: f64, %b1_1: f64, %b1_2: f64, %k1: index):
  return %b4_1, %b6_0, %b6_0 : tensor<?xf64>, f64, f64
^b2(%b2_0: f64, %k2: index):
  %f2 = arith.subi %k2, %i1 : index
  %q2 = arith.remsi %f2, %i2 : index
  %c2 = arith.cmpi eq, %q2, %i0 : index
  cf.cond_br %c2, ^b3(%b2_0, %b2_0, %b2_0, %f2 : f64, f64, f64, index), ^b5(%b2_0, %f2 : f64, index)
^b3(%b3_0: f64, %b3_1: f64, %b3_2: f64, %k3: index):
  return %x2, %b3_2, %b3_2 : tensor<?xf64>, f64, f64
^b4(%b4_0: f64, %b4_1: tensor<?xf64>, %b4_2: f64, %k4: index):
  %f4 = arith.subi %k4, %i1 : index
  %q4 = arith.remsi %f4, %i2 : index
  %s4 = arith.index_cast %q4 : index to i32
  cf.switch %s4 : i32, [default: ^b5(%b6_0, %f4 : f64, index), 0: ^b2(%b6_0, %f4 : f64, index), 1: ^b1(%b6_0, %b6_0, %b6_0, %f4 : f64, f64, f64, index)]
^b5(%b5_0: f64, %k5: index):
  %f5 = arith.subi %k5, %i1 : index
  cf.br ^b6(%b5_0, %f5 : f64, index)
^b6(%b6_0: f64, %k6: index):
  %f6 = arith.subi %k6, %i1 : index
  %g6 = arith.cmpi sgt, %f6, %i0 : index
  cf.cond_br %g6, ^m6, ^r6
^r6:
  return %x2, %b6_0, %b6_0 : tensor<?xf64>, f64, f64
^m6:
  %q6 = arith.remsi %f6, %i2 : index
  %c6 = arith.cmpi eq, %q6, %i0 : index
  cf.cond_br %c6, ^b4(%b6_0, %x2, %b6_0, %f6 : f64, tensor<?xf64>, f64, index), ^b2(%b6_0, %f6 : f64, index)
}
func.func @vjp(%x0: f64, %x1: f64, %x2: tensor<?xf64>, %n: index, %s0: tensor<?xf64>, %s1: f64, %s2: f64) -> (f64, f64, tensor<?xf64>) {
  %0:6 = ad.vjp @f(%x0, %x1, %x2, %n) seed(%s0, %s1, %s2) : (f64, f64, tensor<?xf64>, index), (tensor<?xf64>, f64, f64) -> (tensor<?xf64>, f64, f64, f64, f64, tensor<?xf64>)
  return %0#3, %0#4, %0#5 : f64, f64, tensor<?xf64>
}
